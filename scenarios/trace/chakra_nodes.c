#include "scenarios/trace/chakra_nodes.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHAKRA_MESSAGE_MAX = 64 << 20,
    CHAKRA_NODES_MAX = 1 << 27,
    CHAKRA_VARINT = 10, /* bytes of 64 bits, 7 each */
};

/* A message in memory, or a part of one. */
struct chakra_part {
    const unsigned char *at, *end;
};

struct chakra_field {
    uint32_t number;
    uint64_t value;          /* of a varint */
    struct chakra_part part; /* of a text, a message, or packed numbers */
};

/* ---- the wire format ---- */

static bool chakra_varint(struct chakra_part *part, uint64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < CHAKRA_VARINT && part->at < part->end; i++) {
        unsigned char byte = *part->at++;

        *value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

static bool chakra_bytes(struct chakra_part *part, uint64_t length, struct chakra_part *bytes)
{
    if (length > (uint64_t)(part->end - part->at))
        return false;
    *bytes = (struct chakra_part){part->at, part->at + length};
    part->at += length;
    return true;
}

/* Wire types 0 (varint), 1 (8 bytes), 2 (length) and 5 (4 bytes). */
static bool chakra_next(struct chakra_part *message, struct chakra_field *field)
{
    uint64_t key;

    *field = (struct chakra_field){0};
    if (!chakra_varint(message, &key) || key >> 3 == 0 || key >> 32)
        return false;
    field->number = (uint32_t)(key >> 3);
    switch (key & 7) {
    case 0:
        return chakra_varint(message, &field->value);
    case 1:
        return chakra_bytes(message, 8, &field->part);
    case 2:
        return chakra_varint(message, &field->value) &&
               chakra_bytes(message, field->value, &field->part);
    case 5:
        return chakra_bytes(message, 4, &field->part);
    default:
        return false;
    }
}

/* ---- nodes ---- */

static bool chakra_is(struct chakra_part text, const char *name)
{
    size_t length = strlen(name);

    return (size_t)(text.end - text.at) == length && !memcmp(text.at, name, length);
}

static void chakra_set(struct cs_chakra_node *node, struct chakra_part name, uint64_t value)
{
    if (chakra_is(name, "is_cpu_op"))
        node->is_host = value != 0;
    else if (chakra_is(name, "comm_type"))
        node->comm_type = value;
    else if (chakra_is(name, "comm_size"))
        node->comm_bytes = value;
    else if (chakra_is(name, "comm_src") || chakra_is(name, "comm_dst"))
        node->peer = value < CS_TRACE_NONE ? value : CS_TRACE_NONE;
    else if (chakra_is(name, "tid") || chakra_is(name, "stream"))
        node->stream = (uint32_t)value;
}

/* AttributeProto: a name and a value; the numbers of whole-number values are
 * 7, 9, 11, 13 and 27, all varints. */
static bool chakra_attribute(struct chakra_part message, struct cs_chakra_node *node)
{
    struct chakra_part name = {0};
    struct chakra_field field;
    uint64_t value = 0;
    bool has_value = false;

    while (message.at < message.end) {
        if (!chakra_next(&message, &field))
            return false;
        if (field.number == 1)
            name = field.part;
        else if (field.number == 7 || field.number == 9 || field.number == 11 ||
                 field.number == 13 || field.number == 27) {
            value = field.value;
            has_value = true;
        }
    }
    if (name.at && has_value)
        chakra_set(node, name, value);
    return true;
}

static void chakra_add_dep(struct cs_chakra_nodes *nodes, struct cs_chakra_node *node,
                           struct cs_chakra_dep dep)
{
    nodes->deps = cs_trace_room(nodes->deps, nodes->dep_count, sizeof(*nodes->deps));
    nodes->deps[nodes->dep_count++] = dep;
    node->deps++;
}

/* Dependencies are packed, or a varint each. */
static bool chakra_deps(struct cs_chakra_nodes *nodes, struct cs_chakra_node *node,
                        struct chakra_field field)
{
    struct cs_chakra_dep dep = {field.value, field.number == 4};

    if (!field.part.at) {
        chakra_add_dep(nodes, node, dep);
        return true;
    }
    while (field.part.at < field.part.end) {
        if (!chakra_varint(&field.part, &dep.id))
            return false;
        chakra_add_dep(nodes, node, dep);
    }
    return true;
}

static bool chakra_member(struct cs_chakra_nodes *nodes, struct cs_chakra_node *node,
                          struct chakra_field field)
{
    switch (field.number) {
    case 1:
        node->id = field.value;
        return true;
    case 3:
        node->type = field.value;
        return true;
    case 4:
    case 5:
        return chakra_deps(nodes, node, field);
    case 6:
        node->start_us = field.value;
        return true;
    case 7:
        node->duration_us = field.value;
        return true;
    case 10:
        return chakra_attribute(field.part, node);
    default:
        return true;
    }
}

static bool chakra_node(struct cs_chakra_nodes *nodes, struct chakra_part message)
{
    struct cs_chakra_node node = {.first = nodes->dep_count,
                                  .comm_type = CS_TRACE_NONE,
                                  .peer = CS_TRACE_NONE,
                                  .stream = CS_TRACE_NONE};
    struct chakra_field field;

    while (message.at < message.end)
        if (!chakra_next(&message, &field) || !chakra_member(nodes, &node, field))
            return false;
    nodes->nodes = cs_trace_room(nodes->nodes, nodes->count, sizeof(*nodes->nodes));
    nodes->nodes[nodes->count++] = node;
    return true;
}

/* ---- the file ---- */

/* The first bytes, then the file. */
struct chakra_input {
    const struct cs_trace_file *file;
    uint64_t at; /* of the whole file */
};

static size_t chakra_take(struct chakra_input *input, unsigned char *to, size_t count)
{
    size_t taken = 0;

    if (input->at < input->file->length) {
        taken = input->file->length - (size_t)input->at;
        if (taken > count)
            taken = count;
        memcpy(to, input->file->start + input->at, taken);
    }
    if (taken < count && input->file->file)
        taken += fread(to + taken, 1, count - taken, input->file->file);
    input->at += taken;
    return taken;
}

/* 1: a length; 0: the end of the file; -1: the end inside of a length. */
static int chakra_length(struct chakra_input *input, uint64_t *length)
{
    unsigned char byte = 0x80;

    *length = 0;
    for (unsigned i = 0; byte & 0x80; i++) {
        if (i == CHAKRA_VARINT || chakra_take(input, &byte, 1) < 1)
            return i ? -1 : 0;
        *length |= (uint64_t)(byte & 0x7f) << (7 * i);
    }
    return 1;
}

static int chakra_read_message(struct chakra_input *input, uint64_t length, unsigned char **buffer,
                               size_t *room, struct cs_err *err)
{
    if (length > CHAKRA_MESSAGE_MAX)
        return cs_err_at(err, CS_EINPUT, input->file->path, 0,
                         "byte %llu: a message of %llu bytes; expected at most 64 MiB",
                         (unsigned long long)input->at, (unsigned long long)length);
    if (length > *room) {
        *room = (size_t)length;
        *buffer = cs_grow(*buffer, *room, 1);
    }
    return 0;
}

static int chakra_read_messages(struct chakra_input *input, struct cs_chakra_nodes *nodes,
                                unsigned char **buffer, struct cs_err *err)
{
    size_t room = 0;
    uint64_t length;
    bool is_first = true;
    int more;

    while ((more = chakra_length(input, &length)) > 0) {
        uint64_t start = input->at;

        if (chakra_read_message(input, length, buffer, &room, err))
            return err->code;
        if (chakra_take(input, *buffer, (size_t)length) < length) {
            more = -1;
            break;
        }
        if (!is_first && (nodes->count == CHAKRA_NODES_MAX ||
                          !chakra_node(nodes, (struct chakra_part){*buffer, *buffer + length})))
            return cs_err_at(err, CS_EINPUT, input->file->path, 0,
                             "byte %llu: no node of Chakra's schema 1.0",
                             (unsigned long long)start);
        is_first = false;
    }
    nodes->truncated = more < 0;
    nodes->bytes = input->at;
    return 0;
}

int cs_chakra_nodes_read(const struct cs_trace_file *file, struct cs_chakra_nodes *nodes,
                         struct cs_err *err)
{
    struct chakra_input input = {.file = file};
    unsigned char *buffer = cs_grow(NULL, 1, 1);
    int code;

    *nodes = (struct cs_chakra_nodes){0};
    code = chakra_read_messages(&input, nodes, &buffer, err);
    free(buffer);
    return code;
}

void cs_chakra_nodes_free(struct cs_chakra_nodes *nodes)
{
    free(nodes->nodes);
    free(nodes->deps);
    *nodes = (struct cs_chakra_nodes){0};
}
