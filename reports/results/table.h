/*
 * Table: rows of text, written as aligned columns or as CSV.
 *
 *     struct cs_table table = {0};
 *     cs_table_begin(&table, columns, 2);
 *     cs_table_cell(&table, "ring");
 *     cs_table_cellf(&table, "%u", 8);      fills row after row
 *     cs_table_write(&table, CS_STYLE_PLAIN, out);
 *     cs_table_free(&table);
 *
 * Cells are copied; the columns are borrowed and must outlive the table.
 * Control characters never reach the terminal: '?' is written instead.
 * No trailing spaces; every line ends in a newline.
 *
 *     cell    amortised O(length)
 *     write   O(cells)
 */
#pragma once

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stddef.h>
#include <stdint.h>

/* The style of text for people.  Colour is ANSI escapes; the caller decides
 * whether the terminal supports colour. */
enum cs_style {
    CS_STYLE_PLAIN,
    CS_STYLE_COLOUR,
};

enum cs_table_align {
    CS_TABLE_LEFT,
    CS_TABLE_RIGHT,
};

struct cs_table_column {
    const char *title;
    const char *unit; /* a second header line, or NULL */
    enum cs_table_align align;
};

struct cs_table {
    struct cs_arena arena;
    const struct cs_table_column *columns;
    size_t column_count;
    const char **cells; /* row by row */
    size_t cell_count;
    uint32_t capacity;
    uint32_t width; /* of the terminal, which breaks long texts; 0: any */
};

/* Starts a table; `table` is zeroed or freed. */
void cs_table_begin(struct cs_table *table, const struct cs_table_column *columns, size_t count);

/* Add the next cell, left to right; a full row starts the next row.  NULL is an
 * empty cell. */
void cs_table_cell(struct cs_table *table, const char *text);
void cs_table_cellf(struct cs_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Header, units if a column has a unit, a rule, the rows; two spaces between
 * columns.  An unfinished last row is filled with empty cells. */
void cs_table_write(const struct cs_table *table, enum cs_style style, struct cs_text *out);

/* As RFC 4180, but lines end in LF: quotes where needed; the titles are the
 * header (units are left out).  A text with a leading = + - or @, a formula for
 * spreadsheets, gets the prefix '; other texts are written byte for byte. */
void cs_table_csv(const struct cs_table *table, struct cs_text *out);

void cs_table_free(struct cs_table *table);

/* Appends `text` in bold (or dim) if the style has colour, without control
 * characters in either style. */
void cs_style_bold(enum cs_style style, const char *text, struct cs_text *out);
void cs_style_dim(enum cs_style style, const char *text, struct cs_text *out);
