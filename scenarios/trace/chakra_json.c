/*
 * Execution traces as JSON, a file per rank.
 *
 *     {"schema": "1.1.1-chakra.0.0.4", "nodes": [                  of PyTorch
 *       {"id": 5, "name": "record_param_comms", "ctrl_deps": 4, "attrs": [
 *         {"name": "collective_name", "type": "string", "value": "allreduce"}, ...]}]}
 *
 *     {"version": "0.0.4"}{"id": "1", "type": "COMM_COLL_NODE",    of chakra_jsonizer
 *       "dataDeps": ["0"], "durationMicros": "9", "attr": [
 *         {"name": "comm_size", "int64Val": "1048576"}]}{...}
 *
 * The second may also be a list of "nodes" or "workload_graph" (of ASTRA-sim), with names
 * as in et_def.proto.  A trace of PyTorch has the order of the host's operators and the
 * arguments of collectives, and no times; before schema 1.1 the arguments are "inputs".
 * Sources: pytorch/pytorch torch/csrc/profiler/standalone/execution_trace_observer.cpp,
 * mlcommons/chakra src/jsonizer, schema/protobuf/et_def.proto.
 */
#include "scenarios/trace/chakra_nodes.h"
#include "scenarios/trace/kineto_record.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NODES_MAX = 1 << 27,
};

struct et_reader {
    struct cs_json_reader *json;
    struct cs_trace *trace;
    struct cs_chakra_nodes *nodes;
    struct cs_chakra_node node;
    struct cs_kineto_record record;
    double rank_start, rank_stride;
    bool has_id, is_record;
};

static uint64_t et_whole(double number, uint64_t otherwise)
{
    return number >= 0 && number < 9e15 ? (uint64_t)number : otherwise;
}

/* ---- members ---- */

/* The number of a name of et_def.proto, which ends in a word of each. */
static uint64_t et_enum(const char *const *names, size_t count, const char *text,
                        uint64_t otherwise)
{
    for (size_t i = 0; i < count; i++)
        if (names[i] && cs_same(names[i], text))
            return i;
    return otherwise;
}

static uint64_t et_type(const char *text)
{
    static const char *const names[] = {[CS_CHAKRA_COMPUTE] = "COMP_NODE",
                                        [CS_CHAKRA_SEND] = "COMM_SEND_NODE",
                                        [CS_CHAKRA_RECEIVE] = "COMM_RECV_NODE",
                                        [CS_CHAKRA_COLLECTIVE] = "COMM_COLL_NODE"};

    return et_enum(names, sizeof(names) / sizeof(*names), text, 0);
}

static uint64_t et_comm_type(const char *text)
{
    static const char *const names[] = {
        "ALL_REDUCE", "REDUCE",         "ALL_GATHER",           "GATHER", "SCATTER", "BROADCAST",
        "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK", "BARRIER"};

    return et_enum(names, sizeof(names) / sizeof(*names), text, sizeof(names));
}

/* The place of a text of a record, or NULL. */
static char *et_text_place(struct et_reader *reader, const char *name, size_t *room)
{
    struct cs_kineto_record *record = &reader->record;

    if (cs_same(name, "collective_name")) {
        *room = sizeof(record->collective);
        return record->collective;
    }
    if (cs_same(name, "dtype")) {
        *room = sizeof(record->dtype);
        return record->dtype;
    }
    *room = sizeof(record->group);
    return cs_same(name, "pg_name") ? record->group : NULL;
}

static double *et_number_place(struct et_reader *reader, const char *name)
{
    const struct {
        const char *name;
        double *place;
    } places[] = {
        {"in_msg_nelems", &reader->record.in_elements},
        {"out_msg_nelems", &reader->record.out_elements},
        {"pg_size", &reader->record.group_size},
        {"global_rank_start", &reader->rank_start},
        {"global_rank_stride", &reader->rank_stride},
    };

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
        if (cs_same(places[i].name, name))
            return places[i].place;
    return NULL;
}

static uint64_t *et_count_place(struct cs_chakra_node *node, const char *name)
{
    if (cs_same(name, "startTimeMicros") || cs_same(name, "start_time_micros"))
        return &node->start_us;
    if (cs_same(name, "durationMicros") || cs_same(name, "duration_micros") ||
        cs_same(name, "runtime"))
        return &node->duration_us;
    return cs_same(name, "comm_size") ? &node->comm_bytes : NULL;
}

/* Whether the member is a text, figure or count that is kept as it is. */
static bool et_set_place(struct et_reader *reader, const char *name, const char *text,
                         double number)
{
    double *figure = et_number_place(reader, name);
    uint64_t *count = et_count_place(&reader->node, name);
    size_t room;
    char *place = et_text_place(reader, name, &room);

    if (place)
        cs_kineto_copy(place, room, text);
    else if (figure)
        *figure = number;
    else if (count)
        *count = et_whole(number, 0);
    return place || figure || count;
}

/* A member of a node, or an attribute: the last token is its value. */
static void et_set(struct et_reader *reader, const char *name, enum cs_json_token token)
{
    const char *text = token == CS_JSON_STRING ? cs_json_reader_text(reader->json) : "";
    double number = token == CS_JSON_TRUE ? 1 : cs_kineto_number(reader->json, token);
    struct cs_chakra_node *node = &reader->node;

    if (et_set_place(reader, name, text, number))
        return;
    if (cs_same(name, "id") || cs_same(name, "Id")) {
        node->id = et_whole(number, 0);
        reader->has_id = number >= 0;
    } else if (cs_same(name, "type") || cs_same(name, "NodeType"))
        node->type = number >= 0 ? et_whole(number, 0) : et_type(text);
    else if (cs_same(name, "name"))
        reader->is_record = cs_same(text, "record_param_comms");
    else if (cs_same(name, "is_cpu_op"))
        node->is_host = number > 0;
    else if (cs_same(name, "comm_type"))
        node->comm_type = number >= 0 ? et_whole(number, 0) : et_comm_type(text);
    else if (cs_same(name, "comm_src") || cs_same(name, "comm_dst"))
        node->peer = number < CS_TRACE_NONE ? et_whole(number, CS_TRACE_NONE) : CS_TRACE_NONE;
    else if (cs_same(name, "stream"))
        node->stream = (uint32_t)et_whole(fmod(number, CS_TRACE_NONE), CS_TRACE_NONE);
}

static void et_add_dep(struct et_reader *reader, enum cs_json_token token, bool is_control)
{
    struct cs_chakra_nodes *nodes = reader->nodes;
    double id = cs_kineto_number(reader->json, token);

    if (!(id >= 0) || (reader->has_id && et_whole(id, 0) == reader->node.id))
        return; /* the root of PyTorch is its own parent */
    nodes->deps = cs_trace_room(nodes->deps, nodes->dep_count, sizeof(*nodes->deps));
    nodes->deps[nodes->dep_count++] = (struct cs_chakra_dep){et_whole(id, 0), is_control};
    reader->node.deps++;
}

/* A number or a list of numbers. */
static enum cs_json_token et_deps(struct et_reader *reader, bool is_control)
{
    uint32_t outside = cs_json_reader_depth(reader->json);
    enum cs_json_token token = cs_json_reader_next(reader->json);

    while (token > CS_JSON_STOPS) {
        et_add_dep(reader, token, is_control);
        if (cs_json_reader_depth(reader->json) <= outside)
            break;
        token = cs_json_reader_next(reader->json);
    }
    return token;
}

/* {"name": "comm_size", "int64Val": "9"} or {"name": ..., "type": ..., "value": 9}. */
static enum cs_json_token et_attribute(struct et_reader *reader)
{
    enum cs_json_token token;
    char name[32] = "";
    bool is_value;

    while ((token = cs_json_reader_next(reader->json)) == CS_JSON_KEY) {
        const char *key = cs_json_reader_text(reader->json);
        bool is_name = cs_same(key, "name");

        is_value = cs_same(key, "value") || cs_ends_in(key, "Val") || cs_ends_in(key, "_val");
        token = cs_json_reader_next(reader->json);
        if (token == CS_JSON_OBJECT || token == CS_JSON_LIST)
            token = cs_json_reader_skip(reader->json);
        else if (token > CS_JSON_STOPS && is_name)
            cs_kineto_copy(name, sizeof(name),
                           token == CS_JSON_STRING ? cs_json_reader_text(reader->json) : "");
        else if (token > CS_JSON_STOPS && is_value)
            et_set(reader, name, token);
        if (token <= CS_JSON_STOPS)
            return token;
    }
    return token;
}

/* A list whose objects are read each, behind its key. */
static enum cs_json_token et_list(struct et_reader *reader,
                                  enum cs_json_token (*each)(struct et_reader *))
{
    enum cs_json_token token = cs_json_reader_next(reader->json);

    if (token != CS_JSON_LIST)
        return token == CS_JSON_OBJECT ? cs_json_reader_skip(reader->json) : token;
    while ((token = cs_json_reader_next(reader->json)) > CS_JSON_STOPS &&
           token != CS_JSON_LIST_END) {
        token = token == CS_JSON_OBJECT ? each(reader) : cs_json_reader_skip(reader->json);
        if (token <= CS_JSON_STOPS)
            return token;
    }
    return token;
}

/* "values" of a record: tensors as [id, storage, offset, elements, bytes of one, device] in
 * lists; beside them the name of the collective and, last, the size of the group. */
static enum cs_json_token et_values(struct et_reader *reader, double *elements)
{
    struct cs_kineto_record *record = &reader->record;
    uint32_t outside = cs_json_reader_depth(reader->json), depth = 1, place = 0;
    enum cs_json_token token = cs_json_reader_next(reader->json);
    double tensor[5] = {0};

    if (token != CS_JSON_LIST)
        return token == CS_JSON_OBJECT ? cs_json_reader_skip(reader->json) : token;
    while (depth && (token = cs_json_reader_next(reader->json)) > CS_JSON_STOPS) {
        depth = cs_json_reader_depth(reader->json) - outside;
        if (token == CS_JSON_LIST)
            place = 0;
        else if (depth == 1 && token == CS_JSON_NUMBER)
            record->group_size = cs_json_reader_number(reader->json);
        else if (depth == 1 && token == CS_JSON_STRING && !record->collective[0])
            cs_kineto_copy(record->collective, sizeof(record->collective),
                           cs_json_reader_text(reader->json));
        else if (token == CS_JSON_NUMBER && place < 5)
            tensor[place++] = cs_json_reader_number(reader->json);
        else if (token == CS_JSON_STRING && place == 5) {
            *elements = fmax(*elements, 0) + tensor[3] * tensor[4];
            cs_kineto_copy(record->dtype, sizeof(record->dtype), "Byte");
        }
    }
    return token;
}

/* "inputs" or "outputs" of a record; attributes, which come behind, count in their place. */
static enum cs_json_token et_arguments(struct et_reader *reader, double *elements)
{
    enum cs_json_token token = cs_json_reader_next(reader->json);

    if (token != CS_JSON_OBJECT)
        return token == CS_JSON_LIST ? cs_json_reader_skip(reader->json) : token;
    while ((token = cs_json_reader_next(reader->json)) == CS_JSON_KEY) {
        bool is_values = cs_same(cs_json_reader_text(reader->json), "values");

        token = is_values ? et_values(reader, elements) : cs_json_reader_skip(reader->json);
        if (token <= CS_JSON_STOPS)
            return token;
    }
    return token;
}

/* ---- nodes ---- */

/* The call of PyTorch's record; waits and the start of a group are none. */
static void et_record(struct et_reader *reader)
{
    struct cs_kineto_record *record = &reader->record;
    struct cs_trace *trace = reader->trace;
    struct cs_trace_call call;
    enum cs_trace_reason reason;

    if (!record->collective[0] || cs_same(record->collective, "wait") ||
        cs_same(record->collective, "init"))
        return;
    if (reader->rank_start >= 0 && reader->rank_stride >= 1)
        (void)snprintf(record->ranks, sizeof(record->ranks), "[%.0f, %.0f, ", reader->rank_start,
                       reader->rank_start + reader->rank_stride);
    trace->gaps.records++;
    reader->node.is_host = false;
    reader->node.type = CS_CHAKRA_COLLECTIVE;
    reason = cs_kineto_record_call(record, trace, &call);
    if (reason == CS_LEFT_REASONS)
        reader->node.call = cs_trace_add_call(trace, call);
    else
        trace->gaps.left_out[reason]++;
    reader->node.is_recorded = true;
}

static void et_clear(struct et_reader *reader)
{
    reader->node = (struct cs_chakra_node){.first = reader->nodes->dep_count,
                                           .comm_type = CS_TRACE_NONE,
                                           .peer = CS_TRACE_NONE,
                                           .stream = CS_TRACE_NONE,
                                           .call = CS_TRACE_NONE,
                                           .is_host = true};
    reader->record = (struct cs_kineto_record){.in_elements = NAN,
                                               .out_elements = NAN,
                                               .group_size = NAN,
                                               .rank = NAN,
                                               .source = NAN,
                                               .destination = NAN};
    reader->rank_start = reader->rank_stride = (double)NAN;
    reader->has_id = reader->is_record = false;
}

static void et_keep(struct et_reader *reader)
{
    struct cs_chakra_nodes *nodes = reader->nodes;

    if (!reader->has_id || nodes->count == NODES_MAX)
        return;
    et_record(reader);
    nodes->nodes = cs_trace_room(nodes->nodes, nodes->count, sizeof(*nodes->nodes));
    nodes->nodes[nodes->count++] = reader->node;
}

/* Reads lists and arguments of a node; whether the member is one of them. */
static bool et_member(struct et_reader *reader, const char *key, enum cs_json_token *token)
{
    if (cs_same(key, "attr") || cs_same(key, "attrs"))
        *token = et_list(reader, et_attribute);
    else if (cs_same(key, "ctrlDeps") || cs_same(key, "ctrl_deps"))
        *token = et_deps(reader, true);
    else if (cs_same(key, "dataDeps") || cs_same(key, "data_deps"))
        *token = et_deps(reader, false);
    else if (reader->is_record && cs_same(key, "inputs"))
        *token = et_arguments(reader, &reader->record.in_elements);
    else if (reader->is_record && cs_same(key, "outputs"))
        *token = et_arguments(reader, &reader->record.out_elements);
    else
        return false;
    return true;
}

static enum cs_json_token et_nodes(struct et_reader *reader);

/* A node, or a document that has a list of them. */
static enum cs_json_token et_object(struct et_reader *reader, bool is_node)
{
    enum cs_json_token token;
    char key[32];
    bool is_member;

    et_clear(reader);
    while ((token = cs_json_reader_next(reader->json)) == CS_JSON_KEY) {
        cs_kineto_copy(key, sizeof(key), cs_json_reader_text(reader->json));
        is_member = et_member(reader, key, &token);
        if (!is_member && !is_node && (cs_same(key, "nodes") || cs_same(key, "workload_graph")))
            token = et_nodes(reader);
        else if (!is_member) {
            token = cs_json_reader_next(reader->json);
            if (token == CS_JSON_OBJECT || token == CS_JSON_LIST)
                token = cs_json_reader_skip(reader->json);
            else if (token > CS_JSON_STOPS) {
                /* A node with a type is of a device unless "is_cpu_op" is set. */
                reader->node.is_host &= !cs_same(key, "type") && !cs_same(key, "NodeType");
                et_set(reader, key, token);
            }
        }
        if (token <= CS_JSON_STOPS)
            return token;
    }
    et_keep(reader);
    return token;
}

static enum cs_json_token et_node(struct et_reader *reader)
{
    return et_object(reader, true);
}

static enum cs_json_token et_nodes(struct et_reader *reader)
{
    enum cs_json_token token = et_list(reader, et_node);

    et_clear(reader); /* what the document has behind the list is of no node */
    return token;
}

/* ---- the trace ---- */

static int et_read(const struct cs_trace_file *file, struct cs_trace *trace, struct cs_err *err)
{
    CS_AT_END(cs_chakra_nodes_free) struct cs_chakra_nodes nodes = {0};
    struct et_reader reader = {.trace = trace, .nodes = &nodes};
    enum cs_json_token token;
    int code;

    reader.json = cs_json_reader_open(
        (struct cs_json_source){
            .text = file->start, .length = file->length, .file = file->file, .is_sequence = true},
        file->path);
    while ((token = cs_json_reader_next(reader.json)) > CS_JSON_STOPS)
        if (token == CS_JSON_OBJECT)
            (void)et_object(&reader, false);
    nodes.bytes = cs_json_reader_byte(reader.json);
    nodes.truncated = token == CS_JSON_TRUNCATED;
    trace->gaps.truncated_line = cs_json_reader_line(reader.json);
    code = cs_json_reader_problem(reader.json, err);
    if (!code)
        code = cs_chakra_schedule(file, &nodes, trace, err);
    cs_json_reader_close(reader.json);
    return code;
}

/* By a word of the first bytes, which a trace of the profiler does not have there. */
static bool et_recognises(const char *start, size_t length)
{
    static const char *const words[] = {"\"schema\":",   "\"ctrl_deps\"",     "\"ctrlDeps\"",
                                        "\"data_deps\"", "\"dataDeps\"",      "_NODE\"",
                                        "\"attr\":",     "\"workload_graph\""};

    if (memmem(start, length, "\"traceEvents\"", 13))
        return false;
    for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
        if (length && *start == '{' && memmem(start, length, words[w], strlen(words[w])))
            return true;
    return false;
}

const struct cs_trace_format cs_trace_chakra_json = {
    .name = "chakra-json",
    .about = "an execution trace of PyTorch or Chakra as JSON, one rank",
    .recognises = et_recognises,
    .read = et_read,
};
