#include "validate/published/files.h"

#include "algorithms/libraries/host/parameters.h"
#include "sim/base/file.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cs_published_read(struct cs_doc_text tables_text, struct cs_doc_text rows_text,
                      struct cs_arena *arena, struct cs_published *published, struct cs_err *err)
{
    struct cs_csv_lines tables;
    struct cs_csv_lines rows;
    int code = cs_published_tables_read(tables_text, arena, &tables, err);

    if (!code)
        code = cs_published_rows_read(rows_text, &tables, arena, &rows, err);
    *published = code ? (struct cs_published){0}
                      : (struct cs_published){.tables = (const void *)tables.base,
                                              .count = tables.count,
                                              .row_count = rows.count};
    return code;
}

/* Files of validate/data/published, by the Makefile. */
extern const unsigned char cs_published_tables_packed[];
extern const unsigned char cs_published_rows_packed[];

int cs_published_open(const char *directory, struct cs_arena *arena, struct cs_published *published,
                      struct cs_err *err)
{
    const char *of = directory ? directory : "validate/data/published";
    const char *tables_file = cs_arena_printf(arena, "%s/tables.csv", of);
    const char *rows_file = cs_arena_printf(arena, "%s/rows.csv", of);
    CS_AT_END(cs_text_free) struct cs_text tables = {0};
    CS_AT_END(cs_text_free) struct cs_text rows = {0};
    int code = directory ? cs_file_read(tables_file, CS_PUBLISHED_BYTES_MAX, &tables, err)
                         : cs_file_unpack(cs_published_tables_packed, tables_file, &tables, err);

    if (!code)
        code = directory ? cs_file_read(rows_file, CS_PUBLISHED_BYTES_MAX, &rows, err)
                         : cs_file_unpack(cs_published_rows_packed, rows_file, &rows, err);
    if (!code)
        code = cs_published_read(
            (struct cs_doc_text){tables_file, cs_text_str(&tables), tables.length},
            (struct cs_doc_text){rows_file, cs_text_str(&rows), rows.length}, arena, published,
            err);
    return code;
}

int cs_published_builtin(struct cs_arena *arena, struct cs_published *published, struct cs_err *err)
{
    return cs_published_open(NULL, arena, published, err);
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
