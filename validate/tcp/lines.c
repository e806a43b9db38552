#include "validate/tcp/wire_model.h"

#include "sim/base/collections/vector.h"
#include "sim/base/text.h"
#include "topo/documents/yaml.h"
#include "validate/lines/fields.h"

#define LINE_FIELD(name, type)                                             \
    {                                                                      \
#        name, CS_LINE_##type, offsetof(struct cs_tcp_line, name), 0, 0, 0 \
    }

#define WIRE_FIELD(name, type)                                                  \
    {                                                                           \
#        name, CS_LINE_##type, offsetof(struct cs_tcp_line, wire.name), 0, 0, 0 \
    }

static const struct cs_line_field line_fields[] = {
    LINE_FIELD(kind, TEXT),         LINE_FIELD(algorithm, TEXT),  LINE_FIELD(collective, TEXT),
    LINE_FIELD(lab, TEXT),          LINE_FIELD(congestion, TEXT), LINE_FIELD(waiting, TEXT),
    LINE_FIELD(ranks, COUNT),       LINE_FIELD(parties, COUNT),   LINE_FIELD(k, COUNT),
    LINE_FIELD(bytes, COUNT),       LINE_FIELD(runs, COUNT),      LINE_FIELD(wrong, COUNT),
    WIRE_FIELD(burst_bytes, COUNT), LINE_FIELD(resent, COUNT),    LINE_FIELD(time_s, REAL),
    LINE_FIELD(time_least_s, REAL), WIRE_FIELD(rate_Bps, REAL),   WIRE_FIELD(delay_s, REAL),
    WIRE_FIELD(loss, REAL),         WIRE_FIELD(change_Bps, REAL), WIRE_FIELD(change_s, REAL),
    WIRE_FIELD(load, REAL),         LINE_FIELD(packets, COUNT),
};

static const struct cs_line_form line_form = {
    line_fields, sizeof(line_fields) / sizeof(*line_fields), "a number of 0 or more", NULL};

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

/* Where the lines of a text go. */
struct line_list {
    struct cs_arena *arena;
    struct cs_tcp_lines *lines;
};

static int line_take(void *ctx, struct cs_measured_line text, struct cs_err *err)
{
    const struct line_list *list = ctx;
    struct cs_tcp_lines *lines = list->lines;
    struct cs_tcp_line line = {.file = text.file, .line = text.line};
    struct cs_doc doc;
    struct cs_err why = {0};
    int code = cs_yaml_read_text((struct cs_doc_text){"", text.text, text.length}, &doc,
                                 list->arena, &why);

    if (code || doc.count == 0 || doc.nodes[0].kind != CS_DOC_MAP)
        return cs_err_at(err, CS_EINPUT, line.file, line.line, "expected a JSON object%s%s",
                         why.text[0] ? ": " : "", why.text);
    code = cs_line_read(&line_form, &text, &doc, &line, err);
    if (!code)
        code = line_check(&doc, &line, err);
    if (code)
        return code;
    lines->items = cs_vector_room_in(list->arena, lines->items, (uint32_t)lines->count + 1,
                                     &lines->room, sizeof(line));
    lines->items[lines->count++] = line;
    return 0;
}

int cs_tcp_lines_read_text(const char *file, const char *text, size_t length,
                           struct cs_arena *arena, struct cs_tcp_lines *lines, struct cs_err *err)
{
    return cs_lines_each_of_text((struct cs_doc_text){cs_arena_text(arena, file), text, length},
                                 line_take, &(struct line_list){arena, lines}, err);
}

int cs_tcp_lines_read(const char *path, struct cs_arena *arena, struct cs_tcp_lines *lines,
                      struct cs_err *err)
{
    return cs_lines_each(path, line_take, &(struct line_list){arena, lines}, arena, err);
}
