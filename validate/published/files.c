#include "validate/published/files.h"

#include "algorithms/libraries/host/parameters.h"
#include "sim/base/file.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const row_columns[] = {"id", "bytes", "time_us"};

/* ---- rows ---- */

static int published_row(const struct cs_csv_rows *csv, struct cs_published_row *row,
                         struct cs_err *err)
{
    const char *text = csv->cells[2];
    char *end;
    double time_us = strtod(text, &end);

    if (end == text || *end || !isfinite(time_us) || time_us <= 0)
        return cs_err_set(err, CS_EINPUT, "time_us '%.40s'; expected a number above 0", text);
    row->time_s = time_us / 1e6;
    return cs_units_count(csv->cells[1], 1, UINT64_C(1) << 50, &row->bytes, err);
}

/* Adds a row to its table: the table of the previous row, or one that has no
 * row yet. */
static int published_add_row(const struct cs_csv_rows *csv, struct cs_published_table *table,
                             bool begins, struct cs_published_row *row, struct cs_err *err)
{
    int code = published_row(csv, row, err);

    if (code)
        return code;
    if (begins && table->row_count > 0)
        return cs_err_set(err, CS_EINPUT,
                          "rows of '%.60s' again; the rows of a table must be consecutive",
                          table->id);
    if (begins)
        table->rows = row;
    else if (row[-1].bytes >= row->bytes)
        return cs_err_set(err, CS_EINPUT, "%s bytes after %llu; sizes of a table must ascend",
                          csv->cells[1], (unsigned long long)row[-1].bytes);
    table->row_count++;
    return 0;
}

static int published_read_rows(struct cs_csv_rows *csv, struct cs_published_table *tables,
                               const struct cs_names *names, struct cs_published_row *rows,
                               uint64_t *row_count, struct cs_err *err)
{
    uint32_t previous = CS_NO_NAME;
    int code = cs_csv_rows_header(csv, row_columns, 3, 0, err);

    while (!code) {
        uint32_t index;

        code = cs_csv_rows_next(csv, err);
        if (code || csv->count == 0)
            break;
        code = cs_csv_rows_width(csv, 3, err);
        if (code)
            break;
        index = cs_names_find(names, csv->cells[0]);
        if (index == CS_NO_NAME)
            return cs_err_at(err, CS_EINPUT, csv->file, csv->line,
                             "no table '%.60s'; expected an id of the tables", csv->cells[0]);
        code = cs_csv_rows_at(
            csv, published_add_row(csv, &tables[index], index != previous, &rows[*row_count], err),
            err);
        previous = index;
        (*row_count)++;
    }
    return code;
}

/* ---- texts ---- */

/* A line per table or row at most, so lines bound the memory. */
static uint32_t published_lines(struct cs_doc_text text)
{
    uint32_t lines = 1;

    for (size_t i = 0; i < text.length; i++)
        lines += text.text[i] == '\n';
    return lines;
}

static struct cs_csv_rows published_csv(struct cs_doc_text text, struct cs_arena *arena)
{
    return (struct cs_csv_rows){
        .file = text.file, .at = text.text, .end = text.text + text.length, .arena = arena};
}

int cs_published_read(struct cs_doc_text tables_text, struct cs_doc_text rows_text,
                      struct cs_arena *arena, struct cs_published *published, struct cs_err *err)
{
    struct cs_csv_rows csv = published_csv(tables_text, arena);
    uint32_t lines = published_lines(tables_text);
    uint32_t row_lines = published_lines(rows_text);
    struct cs_published_table *tables;
    struct cs_published_row *rows;
    struct cs_names names;
    int code;

    *published = (struct cs_published){0};
    if (row_lines > CS_PUBLISHED_ROWS_MAX)
        return cs_err_at(err, CS_EINPUT, rows_text.file, 0, "more than %d lines",
                         CS_PUBLISHED_ROWS_MAX);
    if (lines > CS_PUBLISHED_TABLES_MAX)
        lines = CS_PUBLISHED_TABLES_MAX;
    tables = cs_arena_alloc(arena, lines, sizeof(*tables));
    rows = cs_arena_alloc(arena, row_lines, sizeof(*rows));
    cs_names_init(&names, arena, lines);
    code = cs_table_lines_read(&csv, tables, &published->count, &names, err);
    csv = published_csv(rows_text, arena);
    if (!code)
        code = published_read_rows(&csv, tables, &names, rows, &published->row_count, err);
    published->tables = tables;
    return code;
}

int cs_published_open(const char *directory, struct cs_arena *arena, struct cs_published *published,
                      struct cs_err *err)
{
    const char *tables_file = cs_arena_printf(arena, "%s/tables.csv", directory);
    const char *rows_file = cs_arena_printf(arena, "%s/rows.csv", directory);
    struct cs_text tables = {0};
    struct cs_text rows = {0};
    int code = cs_file_read(tables_file, CS_PUBLISHED_BYTES_MAX, &tables, err);

    if (!code)
        code = cs_file_read(rows_file, CS_PUBLISHED_BYTES_MAX, &rows, err);
    if (!code)
        code = cs_published_read(
            (struct cs_doc_text){tables_file, cs_text_str(&tables), tables.length},
            (struct cs_doc_text){rows_file, cs_text_str(&rows), rows.length}, arena, published,
            err);
    cs_text_free(&tables);
    cs_text_free(&rows);
    return code;
}

/* Files of validate/data/published, by the Makefile. */
extern const char cs_published_tables_text[];
extern const char cs_published_rows_text[];

int cs_published_builtin(struct cs_arena *arena, struct cs_published *published, struct cs_err *err)
{
    return cs_published_read(
        (struct cs_doc_text){"validate/data/published/tables.csv", cs_published_tables_text,
                             strlen(cs_published_tables_text)},
        (struct cs_doc_text){"validate/data/published/rows.csv", cs_published_rows_text,
                             strlen(cs_published_rows_text)},
        arena, published, err);
}

/* Files of algorithms/libraries, by the Makefile. */
extern const char cs_nccl_parameters_text[];
extern const char cs_host_parameters_text[];
extern const char cs_nccl_intervals_text[];

/* "PARAMETER(": the macro of a line. */
static const char *definition_skip(const char *line, const char *macro)
{
    size_t length = strlen(macro);

    return strncmp(line, macro, length) == 0 ? line + length : NULL;
}

/* Three digits, as people write them: 0.5 is .5, 152.7 is 153. */
static void definition_number(double value, struct cs_text *text)
{
    char digits[32];
    const char *from = digits;

    if (value >= 1000)
        snprintf(digits, sizeof(digits), "%.0f", value);
    else
        snprintf(digits, sizeof(digits), "%.3g", value);
    if (from[0] == '0' && from[1] == '.')
        from++;
    cs_text_add(text, from);
}

/* The line of a parameter: name, value, rest. */
static bool definition_parameter(const struct cs_parameters *set, const char *at, const char *end,
                                 const double *values, struct cs_text *text)
{
    size_t length = strcspn(at, ",");
    const char *rest = strchr(at + length + 1, ',');
    unsigned k;

    for (k = 0; k < set->count; k++)
        if (strlen(set->items[k].name) == length && strncmp(set->items[k].name, at, length) == 0)
            break;
    if (k == set->count || !rest || rest > end)
        return false;
    cs_text_printf(text, "PARAMETER(%.*s, ", (int)length, at);
    definition_number(values[k], text);
    cs_text_add_n(text, rest, (size_t)(end - rest));
    return true;
}

void cs_definition_parameters(const struct cs_parameters *set, const double *values,
                              struct cs_text *text)
{
    const char *line =
        set == &cs_host_parameter_set ? cs_host_parameters_text : cs_nccl_parameters_text;

    while (*line) {
        const char *newline = strchr(line, '\n');
        const char *end = newline ? newline + 1 : line + strlen(line);
        const char *at = definition_skip(line, "PARAMETER(");

        if (!at || !definition_parameter(set, at, end, values, text))
            cs_text_add_n(text, line, (size_t)(end - line));
        line = end;
    }
}

void cs_definition_intervals(const struct cs_nccl_intervals *intervals, struct cs_text *text)
{
    const char *line = cs_nccl_intervals_text;
    unsigned k = 0; /* lines are in the order of the classes */

    while (*line) {
        const char *newline = strchr(line, '\n');
        const char *end = newline ? newline + 1 : line + strlen(line);
        const char *at = definition_skip(line, "INTERVAL(");

        if (!at || k == CS_NCCL_INTERVAL_CLASSES) {
            cs_text_add_n(text, line, (size_t)(end - line));
            line = end;
            continue;
        }
        cs_text_printf(text, "INTERVAL(%.*s, \"%s\"", (int)strcspn(at, ","), at,
                       cs_nccl_interval_class_name(k));
        for (unsigned size = 0; size < CS_NCCL_INTERVAL_SIZES; size++) {
            double width = intervals->half[k][size];

            cs_text_add(text, ", ");
            definition_number(isnan(width) ? cs_nccl_intervals.half[k][size]
                                           : ceil(width * 100 - 1e-9) / 100,
                              text);
        }
        cs_text_add(text, ")\n");
        k++;
        line = end;
    }
}
