#include "topo/documents/xml.h"

#include "sim/base/file.h"
#include "sim/base/text.h"

#include <errno.h>
#include <expat.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 1 << 20 /* bytes that expat is fed at a time */
};

/* An element that is still open. */
struct xml_level {
    uint32_t node;
    uint32_t last; /* its last child so far, or CS_XML_NONE */
};

struct xml_builder {
    XML_Parser parser;
    const char *file;
    struct cs_err *err;
    struct cs_xml_node *nodes; /* all four malloc'ed until the end */
    uint32_t count, capacity;
    struct cs_xml_attribute *attributes;
    uint32_t attribute_count, attribute_capacity;
    struct cs_text text;
    struct cs_text inside;            /* of the element that was opened last */
    uint32_t names[CS_XML_NAMES_MAX]; /* offsets of those met so far */
    uint32_t name_count;
    struct xml_level levels[CS_XML_DEPTH_MAX];
    uint32_t depth;
    int code;
};

static unsigned xml_line_of(const struct xml_builder *builder)
{
    return (unsigned)XML_GetCurrentLineNumber(builder->parser);
}

/* Complains and ends the parse; what expat still calls does nothing. */
static void xml_refuse(struct xml_builder *builder, const char *what)
{
    if (builder->code)
        return;
    builder->code = cs_err_at(builder->err, CS_EINPUT, builder->file,
                              xml_line_of(builder), "%s", what);
    (void)XML_StopParser(builder->parser, XML_FALSE);
}

/* ---- texts ---- */

static uint32_t xml_keep(struct xml_builder *builder, const char *text)
{
    uint32_t at = (uint32_t)builder->text.length;

    cs_text_add_n(&builder->text, text, strlen(text) + 1);
    return at;
}

/* Names are few and kept once. */
static uint32_t keep_name(struct xml_builder *builder, const char *name)
{
    uint32_t i;

    for (i = 0; i < builder->name_count; i++)
        if (cs_same(builder->text.data + builder->names[i], name))
            return builder->names[i];
    if (i == CS_XML_NAMES_MAX) {
        xml_refuse(builder,
                   "too many different names of elements and attributes");
        return 0;
    }
    builder->names[builder->name_count++] = xml_keep(builder, name);
    return builder->names[i];
}

/* ---- elements ---- */

static void add_attributes(struct xml_builder *builder, const XML_Char **pairs)
{
    struct cs_xml_node *node = &builder->nodes[builder->count];
    uint32_t have = builder->attribute_count;
    uint32_t count = 0;

    while (pairs[2 * (size_t)count])
        count++;
    if (count > CS_XML_ATTRIBUTES_MAX) {
        xml_refuse(builder, "an element has too many attributes");
        return;
    }
    node->attribute = have;
    node->attributes = count;
    if (have + count > builder->attribute_capacity) {
        builder->attribute_capacity = 2 * (have + count) + 64;
        builder->attributes =
            cs_grow(builder->attributes, builder->attribute_capacity,
                    sizeof(*builder->attributes));
    }
    for (; count > 0; count--, pairs += 2)
        builder->attributes[builder->attribute_count++] =
            (struct cs_xml_attribute){keep_name(builder, pairs[0]),
                                      xml_keep(builder, pairs[1])};
}

/* Hangs the new element under the one that is open. */
static void xml_attach(struct xml_builder *builder, uint32_t index)
{
    struct xml_level *level;

    if (builder->depth == 0)
        return;
    level = &builder->levels[builder->depth - 1];
    if (level->last == CS_XML_NONE)
        builder->nodes[level->node].first = index;
    else
        builder->nodes[level->last].next = index;
    level->last = index;
}

static void XMLCALL on_start(void *data, const XML_Char *name,
                             const XML_Char **pairs)
{
    struct xml_builder *builder = data;
    uint32_t index = builder->count;

    if (builder->code)
        return;
    if (builder->depth == CS_XML_DEPTH_MAX) {
        xml_refuse(builder, "elements are nested too deeply");
        return;
    }
    if (index == CS_XML_NODES_MAX) {
        xml_refuse(builder, "there are too many elements");
        return;
    }
    if (index == builder->capacity) {
        builder->capacity = index ? 2 * index : 64;
        builder->nodes =
            cs_grow(builder->nodes, builder->capacity, sizeof(*builder->nodes));
    }
    builder->nodes[index] = (struct cs_xml_node){
        .name = keep_name(builder, name),
        .line = xml_line_of(builder),
        .first = CS_XML_NONE,
        .next = CS_XML_NONE,
        .inside = CS_XML_NONE,
    };
    builder->inside.length = 0;
    add_attributes(builder, pairs);
    xml_attach(builder, index);
    builder->levels[builder->depth++] = (struct xml_level){index, CS_XML_NONE};
    builder->count++;
}

static void XMLCALL on_end(void *data, const XML_Char *name)
{
    struct xml_builder *builder = data;

    struct cs_xml_node *node;

    (void)name;
    if (builder->code)
        return;
    node = &builder->nodes[builder->levels[--builder->depth].node];
    if (node->first == CS_XML_NONE && builder->inside.length > 0)
        node->inside = xml_keep(builder, cs_text_str(&builder->inside));
    builder->inside.length = 0;
}

static void XMLCALL on_text(void *data, const XML_Char *text, int length)
{
    struct xml_builder *builder = data;

    if (!builder->code)
        cs_text_add_n(&builder->inside, text, (size_t)length);
}

/* NOLINTBEGIN(readability-function-size): expat's signature */
static void XMLCALL on_entity(void *data, const XML_Char *name, int parameter,
                              const XML_Char *value, int length,
                              const XML_Char *base, const XML_Char *system_id,
                              const XML_Char *public_id,
                              const XML_Char *notation)
{
    (void)name;
    (void)parameter;
    (void)value;
    (void)length;
    (void)base;
    (void)system_id;
    (void)public_id;
    (void)notation;
    xml_refuse(data, "entities may not be declared here");
}
/* NOLINTEND(readability-function-size) */

/* ---- reading ---- */

static int xml_parse(struct xml_builder *builder, struct cs_xml_text text)
{
    size_t at = 0;

    XML_SetUserData(builder->parser, builder);
    XML_SetElementHandler(builder->parser, on_start, on_end);
    XML_SetCharacterDataHandler(builder->parser, on_text);
    XML_SetEntityDeclHandler(builder->parser, on_entity);
    while (!builder->code) {
        size_t rest = text.length - at;
        int length = rest > PIECE ? PIECE : (int)rest;
        bool is_last = rest == (size_t)length;

        if (XML_Parse(builder->parser, text.text + at, length, is_last) !=
                XML_STATUS_OK &&
            !builder->code)
            builder->code =
                cs_err_at(builder->err, CS_EINPUT, builder->file,
                          xml_line_of(builder), "not well-formed XML: %s",
                          XML_ErrorString(XML_GetErrorCode(builder->parser)));
        at += (size_t)length;
        if (is_last)
            break;
    }
    return builder->code;
}

static void *xml_moved(struct cs_arena *arena, const void *from, size_t count,
                       size_t size)
{
    void *to = cs_arena_alloc(arena, count, size);

    if (count)
        memcpy(to, from, count * size);
    return to;
}

int cs_xml_read_text(struct cs_xml_text text, struct cs_xml *xml,
                     struct cs_arena *arena, struct cs_err *err)
{
    struct xml_builder builder = {.file = text.file, .err = err};
    int code =
        cs_file_check_size(text.file, text.length, CS_XML_BYTES_MAX, err);

    if (code)
        return code;
    builder.parser = XML_ParserCreate(NULL);
    if (!builder.parser)
        return cs_err_set(err, CS_ECANNOT, "out of memory");
    code = xml_parse(&builder, text);
    XML_ParserFree(builder.parser);
    if (!code)
        *xml = (struct cs_xml){
            .file = text.file,
            .nodes = xml_moved(arena, builder.nodes, builder.count,
                               sizeof(*xml->nodes)),
            .attributes =
                xml_moved(arena, builder.attributes, builder.attribute_count,
                          sizeof(*xml->attributes)),
            .text = xml_moved(arena, builder.text.data, builder.text.length, 1),
            .count = builder.count,
        };
    free(builder.nodes);
    free(builder.attributes);
    cs_text_free(&builder.text);
    cs_text_free(&builder.inside);
    return code;
}

int cs_xml_read_file(const char *path, struct cs_xml *xml,
                     struct cs_arena *arena, struct cs_err *err)
{
    struct cs_text text = {0};
    int code = cs_file_read(path, CS_XML_BYTES_MAX, &text, err);

    if (!code)
        code = cs_xml_read_text(
            (struct cs_xml_text){path, cs_text_str(&text), text.length}, xml,
            arena, err);
    cs_text_free(&text);
    return code;
}

/* The first '<' that opens an element: comments, declarations and what stands
 * before are skipped; NULL if there is none. */
static const char *first_element(const char *at, const char *end)
{
    while (at < end) {
        at = memchr(at, '<', (size_t)(end - at));
        if (!at)
            return NULL;
        if (end - at >= 4 && memcmp(at, "<!--", 4) == 0) {
            at = memmem(at, (size_t)(end - at), "-->", 3);
            if (!at)
                return NULL;
        } else if (end - at >= 2 && at[1] != '!' && at[1] != '?') {
            return at;
        } else {
            at++;
        }
    }
    return NULL;
}

bool cs_xml_begins_with(const char *text, size_t length, const char *name)
{
    const char *end = text + length;
    const char *at = first_element(text, end);
    size_t letters = strlen(name);

    return at && (size_t)(end - at) > letters + 1 &&
           memcmp(at + 1, name, letters) == 0 &&
           strchr(" \t\r\n/>", at[1 + letters]);
}

/* ---- questions ---- */

const char *cs_xml_get(const struct cs_xml *xml, uint32_t node,
                       const char *name)
{
    const struct cs_xml_attribute *attribute =
        &xml->attributes[xml->nodes[node].attribute];
    uint32_t i;

    for (i = 0; i < xml->nodes[node].attributes; i++)
        if (cs_same(xml->text + attribute[i].name, name))
            return xml->text + attribute[i].value;
    return NULL;
}

int cs_xml_err(const struct cs_xml *xml, uint32_t node, struct cs_err *err,
               const char *format, ...)
{
    char text[CS_ERR_TEXT_MAX];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return cs_err_at(err, CS_EINPUT, xml->file, xml->nodes[node].line, "%s",
                     text);
}

int cs_xml_want_name(const struct cs_xml *xml, uint32_t node, const char *name,
                     struct cs_err *err)
{
    if (cs_same(cs_xml_name(xml, node), name))
        return 0;
    return cs_xml_err(xml, node, err, "element <%.40s>; expected <%s>",
                      cs_xml_name(xml, node), name);
}

int cs_xml_want_text(const struct cs_xml *xml, uint32_t node, const char *name,
                     const char **text, struct cs_err *err)
{
    *text = cs_xml_get(xml, node, name);
    if (*text)
        return 0;
    return cs_xml_err(xml, node, err, "<%.40s> has no attribute '%s'",
                      cs_xml_name(xml, node), name);
}

/* Digits, maybe with a minus in front, and nothing else. */
static bool is_number(const char *text)
{
    size_t digits = strspn(text + (*text == '-'), "0123456789");

    return digits > 0 && text[digits + (*text == '-')] == '\0';
}

int cs_xml_want_number(const struct cs_xml *xml, uint32_t node,
                       const struct cs_xml_number *want, int64_t *number,
                       struct cs_err *err)
{
    const char *text;
    int code = cs_xml_want_text(xml, node, want->name, &text, err);

    if (code)
        return code;
    if (is_number(text)) {
        errno = 0;
        *number = strtoll(text, NULL, 10);
        if (errno == 0 && *number >= want->least && *number <= want->most)
            return 0;
    }
    return cs_xml_err(xml, node, err,
                      "%s=\"%.40s\"; expected a whole number from %lld to %lld",
                      want->name, text, (long long)want->least,
                      (long long)want->most);
}
