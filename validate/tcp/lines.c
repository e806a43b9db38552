#include "validate/tcp/lines.h"

#include "sim/base/file.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/yaml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINES_BYTES_MAX = 64 << 20,
    LINES_MAX = 1 << 20,
};

enum line_type {
    LINE_TEXT,
    LINE_COUNT,
    LINE_REAL,
};

struct line_field {
    const char *key;
    enum line_type type;
    size_t offset;
};

#define LINE_FIELD(name, type)                          \
    {                                                   \
#        name, type, offsetof(struct cs_tcp_line, name) \
    }

#define WIRE_FIELD(name, type)                               \
    {                                                        \
#        name, type, offsetof(struct cs_tcp_line, wire.name) \
    }

static const struct line_field line_fields[] = {
    LINE_FIELD(kind, LINE_TEXT),         LINE_FIELD(algorithm, LINE_TEXT),
    LINE_FIELD(collective, LINE_TEXT),   LINE_FIELD(lab, LINE_TEXT),
    LINE_FIELD(congestion, LINE_TEXT),   LINE_FIELD(waiting, LINE_TEXT),
    LINE_FIELD(ranks, LINE_COUNT),       LINE_FIELD(parties, LINE_COUNT),
    LINE_FIELD(k, LINE_COUNT),           LINE_FIELD(bytes, LINE_COUNT),
    LINE_FIELD(runs, LINE_COUNT),        LINE_FIELD(wrong, LINE_COUNT),
    WIRE_FIELD(burst_bytes, LINE_COUNT), LINE_FIELD(resent, LINE_COUNT),
    LINE_FIELD(time_s, LINE_REAL),       LINE_FIELD(time_least_s, LINE_REAL),
    WIRE_FIELD(rate_Bps, LINE_REAL),     WIRE_FIELD(delay_s, LINE_REAL),
    WIRE_FIELD(loss, LINE_REAL),         WIRE_FIELD(change_Bps, LINE_REAL),
    WIRE_FIELD(change_s, LINE_REAL),     WIRE_FIELD(load, LINE_REAL),
    LINE_FIELD(packets, LINE_COUNT),
};

static int line_complain(const struct cs_tcp_line *line, const char *key, const char *text,
                         const char *expected, struct cs_err *err)
{
    return cs_err_at(err, CS_EINPUT, line->file, line->line, "\"%s\": '%.40s' is not %s", key, text,
                     expected);
}

static int line_set(struct cs_tcp_line *line, const struct line_field *field, const char *text,
                    struct cs_err *err)
{
    char *at = (char *)line + field->offset;
    uint64_t count = 0;
    double real;
    char *end;

    if (field->type == LINE_TEXT) {
        memcpy(at, &text, sizeof(text));
        return 0;
    }
    if (field->type == LINE_COUNT) {
        if (cs_units_count(text, 0, 1ull << 62, &count, NULL))
            return line_complain(line, field->key, text, "a whole number", err);
        memcpy(at, &count, sizeof(count));
        return 0;
    }
    real = strtod(text, &end);
    if (end == text || *end || !isfinite(real) || real < 0)
        return line_complain(line, field->key, text, "a number of 0 or more", err);
    memcpy(at, &real, sizeof(real));
    return 0;
}

static int line_fill(const struct cs_doc *doc, struct cs_tcp_line *line, struct cs_err *err)
{
    size_t i;
    int code = 0;

    for (i = 0; i < sizeof(line_fields) / sizeof(*line_fields) && !code; i++) {
        const struct line_field *field = &line_fields[i];
        uint32_t node = cs_doc_get(doc, 0, field->key);
        const char *text = node == CS_DOC_NONE ? "" : doc->nodes[node].text;

        if (!text)
            code = line_complain(line, field->key, "", "a single value", err);
        else if (node != CS_DOC_NONE || field->type == LINE_TEXT)
            code = line_set(line, field, text, err);
    }
    return code;
}

static int line_check(const struct cs_doc *doc, const struct cs_tcp_line *line, struct cs_err *err)
{
    bool timed = cs_same(line->kind, "pattern") || cs_same(line->kind, "run");

    if (cs_doc_get(doc, 0, "collsim_tcp") == CS_DOC_NONE)
        return cs_err_at(err, CS_EINPUT, line->file, line->line,
                         "not a measurement over TCP: \"collsim_tcp\" is missing");
    if (!timed && !cs_same(line->kind, "calibrated"))
        return cs_err_at(err, CS_EINPUT, line->file, line->line,
                         "unknown kind '%.40s'; expected pattern, run or calibrated", line->kind);
    if (!timed)
        return 0;
    if (!(line->time_s > 0) || !(line->time_least_s > 0))
        return cs_err_at(err, CS_EINPUT, line->file, line->line,
                         "\"time_s\" or \"time_least_s\" is missing or 0");
    if (line->ranks < 2 || line->ranks > 32 ||
        (line->bytes == 0 && !cs_same(line->collective, "barrier")) || line->bytes > 1ull << 36 ||
        line->k > 64)
        return cs_err_at(err, CS_EINPUT, line->file, line->line,
                         "\"ranks\", \"bytes\" or \"k\" is out of range");
    return 0;
}

static int line_read(struct cs_doc_text text, struct cs_arena *arena, struct cs_tcp_line *line,
                     struct cs_err *err)
{
    struct cs_doc doc;
    struct cs_err why = {0};
    int code = cs_yaml_read_text(text, &doc, arena, &why);

    if (code || doc.count == 0 || doc.nodes[0].kind != CS_DOC_MAP)
        return cs_err_at(err, CS_EINPUT, line->file, line->line, "expected a JSON object%s%s",
                         why.text[0] ? ": " : "", why.text);
    code = line_fill(&doc, line, err);
    return code ? code : line_check(&doc, line, err);
}

static void lines_add(struct cs_tcp_lines *lines, const struct cs_tcp_line *line,
                      struct cs_arena *arena)
{
    if (lines->count == lines->room) {
        struct cs_tcp_line *old = lines->items;

        lines->room = lines->room ? 2 * lines->room : 256;
        lines->items = cs_arena_alloc(arena, lines->room, sizeof(*line));
        if (old)
            memcpy(lines->items, old, lines->count * sizeof(*line));
    }
    lines->items[lines->count++] = *line;
}

int cs_tcp_lines_read_text(const char *file, const char *text, size_t length,
                           struct cs_arena *arena, struct cs_tcp_lines *lines, struct cs_err *err)
{
    const char *name = cs_arena_text(arena, file);
    uint32_t number = 0;
    int code = 0;

    while (length > 0 && !code) {
        const char *newline = memchr(text, '\n', length);
        size_t part = newline ? (size_t)(newline - text) : length;
        struct cs_tcp_line line = {.file = name, .line = ++number};

        if (part > 0) {
            code = line_read((struct cs_doc_text){"", text, part}, arena, &line, err);
            if (!code)
                lines_add(lines, &line, arena);
        }
        if (number == LINES_MAX)
            return cs_err_set(err, CS_EINPUT, "%s: more than %d lines", file, LINES_MAX);
        part += newline != NULL;
        text += part;
        length -= part;
    }
    return code;
}

int cs_tcp_lines_read(const char *path, struct cs_arena *arena, struct cs_tcp_lines *lines,
                      struct cs_err *err)
{
    struct cs_text text = {0};
    int code = cs_file_read(path, LINES_BYTES_MAX, &text, err);

    if (!code)
        code = cs_tcp_lines_read_text(path, cs_text_str(&text), text.length, arena, lines, err);
    cs_text_free(&text);
    return code;
}
