#include "validate/lines/csv.h"

#include "sim/base/hint.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS_MAX = CS_CSV_CELLS_MAX,
    COUNT_MAX = 1 << 30,
};

static int csv_cell_count(const char *cell, uint32_t *count, struct cs_err *err)
{
    uint64_t value = 0;
    int code = cell[0] ? cs_units_count(cell, 0, COUNT_MAX, &value, err) : 0;

    *count = (uint32_t)value;
    return code;
}

static int csv_cell_bytes(const char *cell, uint64_t *bytes, struct cs_err *err)
{
    return cs_units_count(cell, 1, UINT64_C(1) << 50, bytes, err);
}

static int csv_cell_number(const char *cell, const struct cs_csv_column *column, double *number,
                           struct cs_err *err)
{
    bool is_share = column->cell == CS_CSV_CELL_SHARE;
    char *end;

    *number = is_share ? (double)NAN : 0;
    if (!cell[0])
        return 0;
    *number = strtod(cell, &end) * (is_share ? 1 : column->unit);
    if (*end || !isfinite(*number) || *number < 0 || (*number == 0 && !is_share))
        return cs_err_set(err, CS_EINPUT, "'%.40s'; expected a number %s 0", cell,
                          is_share ? "from" : "above");
    return 0;
}

static int csv_cell_word(const char *cell, const struct cs_csv_column *column, uint32_t *index,
                         struct cs_err *err)
{
    *index = 0;
    if (!cell[0] && column->cell == CS_CSV_CELL_WORD)
        return 0;
    for (; *index < column->word_count; (*index)++)
        if (cs_same(cell, column->words[*index]))
            return 0;
    return cs_err_set(err, CS_EINPUT, "no value '%.40s'%s", cell,
                      cs_hint_all(cell, column->words, column->word_count).text);
}

static int csv_cell_pointer(const char *cell, const struct cs_csv_lines *target,
                            const char **pointer, struct cs_err *err)
{
    uint32_t index = cs_names_find(&target->names, cell);

    if (index == CS_NO_NAME)
        return cs_err_set(err, CS_EINPUT, "no %s '%.60s'; expected one of the file of such lines",
                          target->what, cell);
    *pointer = target->base + (size_t)index * target->size;
    return 0;
}

static int csv_cell_name(const char *cell, struct cs_csv_lines *lines, uint32_t line,
                         struct cs_err *err)
{
    if (!cell[0])
        return cs_err_set(err, CS_EINPUT, "missing; expected a name");
    if (cs_names_add(&lines->names, cell, line) != CS_NO_NAME)
        return cs_err_set(err, CS_EINPUT, "a second %s '%.60s'", lines->what, cell);
    return 0;
}

/* Fields have different types, so each is stored as bytes at its offset. */
static int csv_cell_read(const char *cell, const struct cs_csv_column *column,
                         struct cs_csv_lines *lines, uint32_t line, struct cs_err *err)
{
    char *field = lines->base + line * lines->size + column->offset;
    const char *text = cell;
    uint64_t bytes = 0;
    uint32_t count = 0;
    double number = 0;
    int code = 0;

    switch (column->cell) {
    case CS_CSV_CELL_NUMBER:
    case CS_CSV_CELL_SHARE:
        code = csv_cell_number(cell, column, &number, err);
        memcpy(field, &number, sizeof(number));
        return code;
    case CS_CSV_CELL_COUNT:
        code = csv_cell_count(cell, &count, err);
        memcpy(field, &count, sizeof(count));
        return code;
    case CS_CSV_CELL_BYTES:
        code = csv_cell_bytes(cell, &bytes, err);
        memcpy(field, &bytes, sizeof(bytes));
        return code;
    case CS_CSV_CELL_WORD:
    case CS_CSV_CELL_CHOICE:
        code = csv_cell_word(cell, column, &count, err);
        memcpy(field, &count, sizeof(count));
        return code;
    case CS_CSV_CELL_POINTER:
        code = csv_cell_pointer(cell, column->target, &text, err);
        break;
    case CS_CSV_CELL_NAME:
        code = csv_cell_name(cell, lines, line, err);
        break;
    case CS_CSV_CELL_TEXT:
        break;
    case CS_CSV_CELL_SKIP:
        return 0;
    }
    memcpy(field, &text, sizeof(text));
    return code;
}

static int csv_line_read(struct cs_csv_rows *csv, const struct cs_csv_column *columns, size_t width,
                         struct cs_csv_lines *lines, struct cs_err *err)
{
    uint32_t line = lines->count++;
    int code = cs_csv_rows_width(csv, width, err);

    for (size_t i = 0; i < width && !code; i++) {
        code = csv_cell_read(csv->cells[i], &columns[i], lines, line, err);
        if (code)
            code = cs_csv_rows_at(csv, cs_err_prefix(err, "%s", columns[i].name), err);
    }
    if (!code && lines->check)
        code = cs_csv_rows_at(csv, lines->check(lines, line, err), err);
    return code;
}

/* Room for as many structs as the text has lines at most. */
static int csv_lines_allot(struct cs_doc_text text, struct cs_arena *arena,
                           struct cs_csv_lines *lines, struct cs_err *err)
{
    uint32_t count = 1;

    for (size_t i = 0; i < text.length; i++)
        count += text.text[i] == '\n';
    if (count > CS_CSV_LINES_MAX)
        return cs_err_at(err, CS_EINPUT, text.file, 0, "more than %d lines", CS_CSV_LINES_MAX);
    lines->base = cs_arena_alloc(arena, count, lines->size);
    lines->count = 0;
    cs_names_init(&lines->names, arena, count);
    return 0;
}

int cs_csv_lines_read(struct cs_doc_text text, const struct cs_csv_column *columns, size_t width,
                      struct cs_arena *arena, struct cs_csv_lines *lines, struct cs_err *err)
{
    struct cs_csv_rows csv = {
        .file = text.file, .at = text.text, .end = text.text + text.length, .arena = arena};
    const char *names[COLUMNS_MAX];
    int code = csv_lines_allot(text, arena, lines, err);

    for (size_t i = 0; i < width; i++)
        names[i] = columns[i].name;
    if (!code)
        code = cs_csv_rows_header(&csv, names, width, lines->optional, err);
    width = csv.count;
    while (!code) {
        code = cs_csv_rows_next(&csv, err);
        if (code || csv.count == 0)
            break;
        code = csv_line_read(&csv, columns, width, lines, err);
    }
    return code;
}
