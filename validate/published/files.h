/*
 * Files of published measurements.
 *
 * A directory holds two files:
 *
 *     tables.csv  a line per table: machine, library, collective, source
 *     rows.csv    id, bytes, time in us: rows of a table are consecutive, sizes
 *                 ascend
 *
 * `bytes` is nccl-tests' column `size` (algorithms/collective.h).  The program
 * carries the tables of validate/data/published (cs_published_builtin).
 * Limits are checked before allocation; an error is CS_EINPUT, with file and
 * line.
 *
 *     read    O(bytes)
 */
#pragma once

#include "algorithms/libraries/nccl/interval.h"
#include "algorithms/libraries/parameters.h"
#include "sim/base/text.h"
#include "topo/documents/doc.h"
#include "validate/lines/csv.h"
#include "validate/published/published.h"

enum {
    CS_PUBLISHED_BYTES_MAX = 16 << 20,
};

/* Reads the two texts; memory is in the arena. */
int cs_published_read(struct cs_doc_text tables, struct cs_doc_text rows, struct cs_arena *arena,
                      struct cs_published *published, struct cs_err *err);

/* Reads tables.csv and rows.csv of a directory; NULL: those that the program carries. */
int cs_published_open(const char *directory, struct cs_arena *arena, struct cs_published *published,
                      struct cs_err *err);

/* Reads the tables that the program carries. */
int cs_published_builtin(struct cs_arena *arena, struct cs_published *published,
                         struct cs_err *err);

/*
 * Definition files of estimates: parameters and intervals of
 * algorithms/libraries (nccl/parameters.def, nccl/intervals.def) with new numbers,
 * all other text as in the program's own files.
 *
 *     write   O(bytes of the file)
 */

/* Appends the definition file of the set with the values, rounded to three
 * digits. */
void cs_definition_parameters(const struct cs_parameters *set, const double *values,
                              struct cs_text *text);

/* Appends nccl/intervals.def, rounded up to hundredths; a width that is not a
 * number leaves that of the program. */
void cs_definition_intervals(const struct cs_nccl_intervals *intervals, struct cs_text *text);

/*
 * Lines of tables.csv, one published table each, and of rows.csv.
 */

/* Reads the tables into `lines`, structs cs_published_table. */
int cs_published_tables_read(struct cs_doc_text text, struct cs_arena *arena,
                             struct cs_csv_lines *lines, struct cs_err *err);

/* Reads the rows, structs cs_published_row, and gives the tables theirs. */
int cs_published_rows_read(struct cs_doc_text text, const struct cs_csv_lines *tables,
                           struct cs_arena *arena, struct cs_csv_lines *lines, struct cs_err *err);
