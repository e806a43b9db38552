#include "algorithms/schedules/mscclpp/reader.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse_with(struct cs_mscclpp_reader *reader, uint32_t node, const char *before,
                        const char *format, va_list args)
{
    char text[CS_ERR_TEXT_MAX];

    if (reader->err->code)
        return;
    vsnprintf(text, sizeof(text), format, args);
    cs_doc_err(reader->doc, node, reader->err, "%s%s", before, text);
}

void cs_mscclpp_refuse(struct cs_mscclpp_reader *reader, uint32_t node, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    refuse_with(reader, node, "", format, args);
    va_end(args);
}

void cs_mscclpp_refuse_op(struct cs_mscclpp_reader *reader, uint32_t node, const char *format, ...)
{
    char before[96];
    va_list args;

    snprintf(before, sizeof(before), "operation %u of thread block %u of GPU %u: ", reader->number,
             reader->block, reader->gpu);
    va_start(args, format);
    refuse_with(reader, node, before, format, args);
    va_end(args);
}

/* The value of a key of a map, which is there, or NONE. */
static uint32_t value_of(struct cs_mscclpp_reader *reader, uint32_t map, const char *key,
                         const char *expected)
{
    uint32_t node = reader->err->code ? CS_DOC_NONE : cs_doc_get(reader->doc, map, key);

    if (node == CS_DOC_NONE)
        cs_mscclpp_refuse(reader, map, "'%s' is missing; expected %s", key, expected);
    return node;
}

uint32_t cs_mscclpp_scalar(struct cs_mscclpp_reader *reader, uint32_t node, const char *key,
                           uint32_t most)
{
    const char *text = reader->doc->nodes[node].text;
    bool is_number = text && *text && strspn(text, "0123456789") == strlen(text);

    if (is_number && strlen(text) <= 20 && strtoull(text, NULL, 10) <= most)
        return (uint32_t)strtoull(text, NULL, 10);
    cs_mscclpp_refuse(reader, node, "'%s: %.40s'; expected a whole number up to %u", key,
                      text ? text : "", most);
    return 0;
}

uint32_t cs_mscclpp_number(struct cs_mscclpp_reader *reader, uint32_t map, const char *key,
                           uint32_t most)
{
    uint32_t node = value_of(reader, map, key, "a number");

    return node == CS_DOC_NONE ? 0 : cs_mscclpp_scalar(reader, node, key, most);
}

const char *cs_mscclpp_text(struct cs_mscclpp_reader *reader, uint32_t map, const char *key)
{
    uint32_t node = value_of(reader, map, key, "a text");
    const char *text = "";

    if (node != CS_DOC_NONE)
        cs_doc_want_text(reader->doc, node, key, &text, reader->err);
    return text;
}

uint8_t cs_mscclpp_channel_type(struct cs_mscclpp_reader *reader, uint32_t map, const char *key)
{
    static const char *const names[CS_MSCCLPP_CHANNEL_TYPES] = {
        [CS_MSCCLPP_MEMORY] = "memory", [CS_MSCCLPP_PORT] = "port", [CS_MSCCLPP_SWITCH] = "switch"};
    const char *text = cs_mscclpp_text(reader, map, key);

    for (uint32_t type = 0; type < CS_MSCCLPP_CHANNEL_TYPES; type++)
        if (cs_same(names[type], text))
            return (uint8_t)type;
    cs_mscclpp_refuse(reader, map, "no channel type called '%.40s'%s", text,
                      cs_hint_all(text, names, CS_MSCCLPP_CHANNEL_TYPES).text);
    return 0;
}

uint8_t cs_mscclpp_buffer(struct cs_mscclpp_reader *reader, uint32_t map, const char *key)
{
    const char *text = cs_mscclpp_text(reader, map, key);

    if (!*text || text[1] || !strchr("ios", *text))
        cs_mscclpp_refuse(reader, map, "no buffer called '%.40s'; expected i, o or s", text);
    return (uint8_t)*text;
}

uint32_t cs_mscclpp_list(struct cs_mscclpp_reader *reader, uint32_t map, const char *key)
{
    uint32_t list = value_of(reader, map, key, "a list");

    if (list != CS_DOC_NONE && cs_doc_want_list(reader->doc, list, key, reader->err))
        return CS_DOC_NONE;
    return list;
}

uint32_t cs_mscclpp_entries(struct cs_mscclpp_reader *reader, uint32_t map, const char *key)
{
    uint32_t list = cs_mscclpp_list(reader, map, key);

    return list == CS_DOC_NONE ? CS_DOC_NONE : reader->doc->nodes[list].first;
}

uint32_t cs_mscclpp_optional(struct cs_mscclpp_reader *reader, uint32_t map, const char *key)
{
    bool is_missing = reader->err->code || cs_doc_get(reader->doc, map, key) == CS_DOC_NONE;

    return is_missing ? CS_DOC_NONE : cs_mscclpp_entries(reader, map, key);
}

uint32_t cs_mscclpp_next(const struct cs_mscclpp_reader *reader, uint32_t entry)
{
    return reader->err->code ? CS_DOC_NONE : reader->doc->nodes[entry].next;
}
