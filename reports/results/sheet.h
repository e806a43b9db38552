/*
 * Sheet: rows of values with units, written for people or for programs.
 *
 *     cs_sheet_begin(&sheet, "checks", CS_COLUMNS(columns));
 *     cs_sheet_row(&sheet, &check);      the members that the columns name
 *     cs_sheet_write(&sheet, CS_FORMAT_TEXT, style, &out);
 *     cs_sheet_free(&sheet);
 *
 * A table shows "1 MiB" where CSV and JSON write 1048576, under the column's
 * name; values for programs are in bytes, seconds and bytes per second.  An
 * unknown value is "-", an empty cell, null.  JSON is an object with the rows in
 * an array, {"checks": [...]}, as runs are {"runs": [...]}.  Name and columns are
 * borrowed.
 *
 *     cell    amortised O(length)
 *     write   O(cells)
 */
#pragma once

#include "reports/results/column.h"
#include "reports/results/table.h"

#include <stdint.h>

struct cs_json;

/* The format of the output. */
enum cs_format {
    CS_FORMAT_TEXT,
    CS_FORMAT_JSON,
    CS_FORMAT_CSV,
};

struct cs_sheet {
    struct cs_arena arena;
    const char *name; /* of the array of rows in JSON, such as "checks" */
    const struct cs_sheet_column *columns;
    size_t column_count;
    struct cs_sheet_cell *cells; /* row by row */
    size_t cell_count;
    uint32_t capacity;
    uint32_t width; /* of the terminal, which breaks long texts; 0: any */
};

enum {
    CS_SHEET_SHOWN = 64 /* bytes of a shown number */
};

/* The two arguments of a table of columns. */
#define CS_COLUMNS(columns) (columns), sizeof(columns) / sizeof(*(columns))

/* `sheet` is zeroed or freed. */
void cs_sheet_begin(struct cs_sheet *sheet, const char *name, const struct cs_sheet_column *columns,
                    size_t count);

/* Adds the values of a row; texts are copied. */
void cs_sheet_row(struct cs_sheet *sheet, const void *row);

/* An array of rows, with their columns. */
struct cs_rows {
    const char *name;
    const struct cs_sheet_column *columns;
    size_t column_count;
    const void *rows;
    size_t count, size;
};

#define CS_ROWS(name, columns, rows, count) \
    (&(struct cs_rows){name, CS_COLUMNS(columns), rows, count, sizeof(*(rows))})

/* Begins the sheet of an array. */
void cs_sheet_fill(struct cs_sheet *sheet, const struct cs_rows *rows);

size_t cs_sheet_rows(const struct cs_sheet *sheet);
const struct cs_sheet_cell *cs_sheet_at(const struct cs_sheet *sheet, size_t row, size_t column);

/* The cell as shown to people, "-" if unknown; numbers are written to `text`. */
const char *cs_sheet_show(const struct cs_sheet *sheet, size_t row, size_t column,
                          char text[CS_SHEET_SHOWN]);

/* A known value, rounded and with units, for people; its text or `text`. */
const char *cs_sheet_show_cell(const struct cs_sheet_cell *cell, enum cs_sheet_kind kind,
                               char text[CS_SHEET_SHOWN]);

/* A value for programs: in JSON, or null; and the same as a cell of CSV, a text without
 * quotes, or empty. */
void cs_sheet_json_cell(const struct cs_sheet_cell *cell, enum cs_sheet_kind kind,
                        struct cs_json *json);
void cs_sheet_csv_cell(const struct cs_sheet_cell *cell, enum cs_sheet_kind kind,
                       struct cs_table *table);

/* Aligned columns; {NAME: an array of objects}; or CSV with the columns' names
 * as header. */
void cs_sheet_write(const struct cs_sheet *sheet, enum cs_format format, enum cs_style style,
                    struct cs_text *out);

/* The same with every value as people read it: JSON and CSV of texts, "" for what is
 * unknown, under the titles in lower case with underscores. */
void cs_sheet_write_shown(const struct cs_sheet *sheet, enum cs_format format, enum cs_style style,
                          struct cs_text *out);

/* Writes the name as a key with the rows, within an object: for documents of several
 * sheets. */
void cs_sheet_json(const struct cs_sheet *sheet, struct cs_json *json);

/* Writes the values of a row as keys of the open object. */
void cs_sheet_json_row(const struct cs_sheet_column *columns, size_t count, const void *row,
                       struct cs_json *json);

/* Writes the rows as an array under the name. */
void cs_sheet_json_rows(const struct cs_rows *rows, struct cs_json *json);

void cs_sheet_free(struct cs_sheet *sheet);
