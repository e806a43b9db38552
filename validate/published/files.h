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
#ifndef CS_VALIDATE_PUBLISHED_FILES_H
#define CS_VALIDATE_PUBLISHED_FILES_H

#include "validate/published/published.h"

enum {
    CS_PUBLISHED_BYTES_MAX = 16 << 20,
    CS_PUBLISHED_ROWS_MAX = 1 << 20,
};

struct cs_published_text {
    const char *file; /* for messages */
    const char *text;
    size_t length;
};

/* Reads the two texts; memory is in the arena. */
int cs_published_read(struct cs_published_text tables, struct cs_published_text rows,
                      struct cs_arena *arena, struct cs_published *published, struct cs_err *err);

/* Reads tables.csv and rows.csv of a directory. */
int cs_published_open(const char *directory, struct cs_arena *arena, struct cs_published *published,
                      struct cs_err *err);

/* Reads the tables that the program carries. */
int cs_published_builtin(struct cs_arena *arena, struct cs_published *published,
                         struct cs_err *err);

#endif
