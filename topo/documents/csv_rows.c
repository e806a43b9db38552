#include "topo/documents/csv_rows.h"

#include "sim/base/text.h"

#include <stdbool.h>
#include <string.h>

/* Copies a quoted cell without its quotes and returns the position behind. */
static const char *csv_rows_quoted(struct cs_csv_rows *rows, const char *at, const char *stop)
{
    char *cell = cs_arena_text_n(rows->arena, at, (size_t)(stop - at));
    size_t length = 0;

    for (; at < stop; at++) {
        if (*at == '"' && (at + 1 == stop || at[1] != '"'))
            break;
        if (*at == '"')
            at++;
        cell[length++] = *at;
    }
    cell[length] = '\0';
    rows->cells[rows->count] = cell;
    return at < stop ? at + 1 : NULL;
}

static const char *csv_rows_plain(struct cs_csv_rows *rows, const char *at, const char *stop)
{
    const char *comma = memchr(at, ',', (size_t)(stop - at));
    const char *end = comma ? comma : stop;

    rows->cells[rows->count] = cs_arena_text_n(rows->arena, at, (size_t)(end - at));
    return end;
}

int cs_csv_rows_cut(struct cs_csv_rows *rows, const char *line, size_t length, struct cs_err *err)
{
    const char *at = line, *stop = line + length;

    rows->count = 0;
    for (;;) {
        bool quoted = at < stop && *at == '"';

        if (rows->count == CS_CSV_CELLS_MAX)
            return cs_err_at(err, CS_EINPUT, rows->file, rows->line, "more than %d cells",
                             CS_CSV_CELLS_MAX);
        at = quoted ? csv_rows_quoted(rows, at + 1, stop) : csv_rows_plain(rows, at, stop);
        if (!at || (at < stop && *at != ','))
            return cs_err_at(err, CS_EINPUT, rows->file, rows->line,
                             "a quoted cell without its end; expected '\"' before a comma or the "
                             "end of the line");
        rows->count++;
        if (at == stop)
            return 0;
        at++;
    }
}

int cs_csv_rows_next(struct cs_csv_rows *rows, struct cs_err *err)
{
    rows->count = 0;
    while (rows->at < rows->end) {
        const char *from = rows->at;
        const char *newline = memchr(from, '\n', (size_t)(rows->end - from));
        const char *stop = newline ? newline : rows->end;

        rows->line++;
        rows->at = newline ? newline + 1 : rows->end;
        if (stop > from && stop[-1] == '\r')
            stop--;
        if (stop == from || *from == '#')
            continue;
        if (memchr(from, '\0', (size_t)(stop - from)))
            return cs_err_at(err, CS_EINPUT, rows->file, rows->line, "a NUL byte; expected text");
        return cs_csv_rows_cut(rows, from, (size_t)(stop - from), err);
    }
    return 0;
}

int cs_csv_rows_header(struct cs_csv_rows *rows, const char *const *columns, size_t count,
                       size_t optional, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code = cs_csv_rows_next(rows, err);
    bool same = rows->count <= count && rows->count + optional >= count;

    if (code)
        return code;
    for (size_t i = 0; i < count; i++) {
        same = same && (i >= rows->count || cs_same(rows->cells[i], columns[i]));
        cs_text_printf(&text, "%s%s", i ? "," : "", columns[i]);
    }
    if (!same)
        code = cs_err_at(err, CS_EINPUT, rows->file, rows->line,
                         "the header is not that of such a table; expected %s", cs_text_str(&text));
    return code;
}

int cs_csv_rows_width(const struct cs_csv_rows *rows, size_t columns, struct cs_err *err)
{
    return rows->count == columns ? 0
                                  : cs_err_at(err, CS_EINPUT, rows->file, rows->line,
                                              "%zu cells; expected %zu", rows->count, columns);
}

int cs_csv_rows_at(const struct cs_csv_rows *rows, int code, struct cs_err *err)
{
    return code ? cs_err_prefix(err, "%s:%u", rows->file, rows->line) : 0;
}
