#include "validate/lines/fields.h"

#include "sim/base/file.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINES_BYTES_MAX = 64 << 20,
    LINES_MAX = 1 << 20,
};

/* ---- fields ---- */

static int field_refuse(const struct cs_measured_line *line, const struct cs_line_field *field,
                        const char *text, const char *expected, struct cs_err *err)
{
    return cs_err_at(err, CS_EINPUT, line->file, line->line, "\"%s\": '%.40s' is not %s",
                     field->key, text, expected);
}

/* Fields have different types, so each is stored as bytes at its offset. */
static int field_read(const struct cs_line_form *form, const struct cs_measured_line *line,
                      const struct cs_line_field *field, const char *text, char *at,
                      struct cs_err *err)
{
    uint64_t count = 0;
    double real;
    char *end;

    switch (field->type) {
    case CS_LINE_TEXT:
        memcpy(at, &text, sizeof(text));
        return 0;
    case CS_LINE_COUNT:
        if (cs_units_count(text, 0, (uint64_t)1 << 62, &count, NULL))
            return field_refuse(line, field, text, "a whole number", err);
        memcpy(at, &count, sizeof(count));
        return 0;
    default:
        real = strtod(text, &end);
        if (end == text || *end || !isfinite(real) || real < 0)
            return field_refuse(line, field, text, form->real, err);
        memcpy(at, &real, sizeof(real));
        return 0;
    }
}

int cs_line_read(const struct cs_line_form *form, const struct cs_measured_line *line,
                 const struct cs_doc *doc, void *object, struct cs_err *err)
{
    int code = 0;

    for (size_t i = 0; i < form->count && !code; i++) {
        const struct cs_line_field *field = &form->fields[i];
        uint32_t node = cs_doc_get(doc, 0, field->key);
        const char *text = node == CS_DOC_NONE ? "" : doc->nodes[node].text;
        bool kept = !form->keeps || form->keeps(field, object);
        char ignored[sizeof(double)];

        if (!text)
            return cs_err_at(err, CS_EINPUT, line->file, line->line, "\"%s\" is not a single value",
                             field->key);
        if (node != CS_DOC_NONE || field->type == CS_LINE_TEXT)
            code = field_read(form, line, field, text,
                              kept ? (char *)object + field->offset : ignored, err);
    }
    return code;
}

/* ---- lines ---- */

int cs_lines_each_of_text(struct cs_doc_text text, cs_line_fn *take, void *ctx, struct cs_err *err)
{
    struct cs_measured_line line = {.file = text.file};
    const char *at = text.text;
    const char *end = at + text.length;
    int code = 0;

    while (at < end && !code) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;

        if (line.line++ == LINES_MAX)
            return cs_err_set(err, CS_EINPUT, "%s: more than %d lines", text.file, LINES_MAX);
        while (at < stop && *at && strchr(" \t\r", *at))
            at++;
        line.text = at;
        line.length = (size_t)(stop - at);
        if (line.length > 0)
            code = take(ctx, line, err);
        at = stop + 1;
    }
    return code;
}

int cs_lines_each(const char *path, cs_line_fn *take, void *ctx, struct cs_arena *arena,
                  struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_file_read(path, LINES_BYTES_MAX, &text, err);

    if (!code)
        code = cs_lines_each_of_text(
            (struct cs_doc_text){cs_arena_text(arena, path), cs_text_str(&text), text.length}, take,
            ctx, err);
    return code;
}
