/*
 * Lines of CSV files: cells by a description of the columns.
 *
 *     read    O(bytes); memory of the texts is in the arena of the rows
 */
#pragma once

#include "sim/base/collections/name_index.h"
#include "topo/documents/csv_rows.h"
#include "topo/documents/doc.h"

#include <stddef.h>

enum {
    CS_CSV_LINES_MAX = 1 << 20,
};

enum cs_csv_cell {
    CS_CSV_CELL_NAME,    /* const char *: not empty, new in the file */
    CS_CSV_CELL_TEXT,    /* const char * */
    CS_CSV_CELL_COUNT,   /* uint32_t; an empty cell is 0 */
    CS_CSV_CELL_BYTES,   /* uint64_t, from 1 */
    CS_CSV_CELL_NUMBER,  /* double, above 0, times `unit`; empty: 0 */
    CS_CSV_CELL_SHARE,   /* double, 0 or more; empty: NAN */
    CS_CSV_CELL_WORD,    /* uint32_t, index in `words`; an empty cell is 0 */
    CS_CSV_CELL_CHOICE,  /* as WORD, but not empty */
    CS_CSV_CELL_POINTER, /* pointer to the line of that name in `target` */
    CS_CSV_CELL_SKIP,    /* not stored */
};

/* Lines of a file as structs; also the target of pointers of later files. */
struct cs_csv_lines {
    const char *what; /* "machine", for messages */
    size_t size;      /* of a struct */
    size_t optional;  /* of the last columns, which a file may lack */
    /* Judges line `index` after its cells; NULL: no rule over cells. */
    int (*check)(const struct cs_csv_lines *lines, uint32_t index, struct cs_err *err);
    /* The result. */
    struct cs_names names;
    char *base; /* the first line's struct; zeroed before */
    uint32_t count;
};

struct cs_csv_column {
    const char *name;
    enum cs_csv_cell cell;
    size_t offset; /* in the struct of a line */
    double unit;
    const char *const *words;
    uint32_t word_count;
    const struct cs_csv_lines *target;
};

/* A column of a member: CS_CSV(struct cs_step_row, COUNT, "gpus", gpus), with further
 * members of the column, such as CS_CSV_WORDS. */
#define CS_CSV(type, kind, column, member, ...)                                         \
    {                                                                                   \
        .name = (column), .cell = CS_CSV_CELL_##kind, .offset = offsetof(type, member), \
        __VA_ARGS__                                                                     \
    }
#define CS_CSV_WORDS(list) .words = (list), .word_count = sizeof(list) / sizeof(*(list))

/* Reads all lines of a text into structs in the arena; `lines` names the form. */
int cs_csv_lines_read(struct cs_doc_text text, const struct cs_csv_column *columns, size_t width,
                      struct cs_arena *arena, struct cs_csv_lines *lines, struct cs_err *err);
