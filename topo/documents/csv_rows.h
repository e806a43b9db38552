/*
 * CSV rows: records of cells, read line by line.
 *
 * RFC 4180 with lines that end in LF or CR LF: a cell in double quotes may hold
 * commas and doubled quotes, and no line break.  A line with a leading # and an
 * empty line are skipped.  An error is CS_EINPUT, "file:line: ...".
 *
 *     next    O(bytes of the line), cells are copies in the arena
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stddef.h>

enum {
    CS_CSV_CELLS_MAX = 96,
};

struct cs_csv_rows {
    const char *file;     /* for messages; borrowed */
    const char *at, *end; /* the rest of the text; borrowed */
    struct cs_arena *arena;
    unsigned line;
    const char *cells[CS_CSV_CELLS_MAX]; /* of the current row */
    size_t count;                        /* 0: behind the last row */
};

/* Reads the next row. */
int cs_csv_rows_next(struct cs_csv_rows *rows, struct cs_err *err);

/* Cuts a line without its end, which is not of `at`. */
int cs_csv_rows_cut(struct cs_csv_rows *rows, const char *line, size_t length, struct cs_err *err);

/* Reads the header, which must name the given columns in their order; up to
 * `optional` of the last may be missing.  The number of columns is rows->count. */
int cs_csv_rows_header(struct cs_csv_rows *rows, const char *const *columns, size_t count,
                       size_t optional, struct cs_err *err);

/* 0, or an error for a row with another number of cells. */
int cs_csv_rows_width(const struct cs_csv_rows *rows, size_t columns, struct cs_err *err);

/* Prefixes the error `code` of a cell with file and line; 0 stays 0. */
int cs_csv_rows_at(const struct cs_csv_rows *rows, int code, struct cs_err *err);
