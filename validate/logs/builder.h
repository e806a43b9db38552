/*
 * A log under construction: formats add tables, rows, facts and notes.
 *
 *     row    O(1) for sizes in order, else O(rows of the table)
 */
#ifndef CS_VALIDATE_LOGS_BUILDER_H
#define CS_VALIDATE_LOGS_BUILDER_H

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "validate/logs/log.h"

/* A row with the figures that imply the number of ranks. */
struct cs_log_line {
    struct cs_log_row row;
    uint64_t count;         /* elements in the column; 0: none */
    uint32_t element_bytes; /* 0: unknown */
    bool reduces;           /* the column has an operation */
    bool has_root;
    /* Bounds of busbw x time / size, by the digits printed; low > high: none. */
    double factor_low, factor_high;
};

struct cs_log_builder {
    struct cs_arena *arena;
    struct cs_log *log;
    uint32_t line;              /* of the text that is read */
    bool is_unended;            /* the line ends the file without a newline */
    struct cs_log_table *table; /* open; NULL: none */
    uint32_t cursor;            /* row after the last added */
    uint64_t rows;              /* of all tables, with repeats */
    uint64_t left_out;          /* rows beyond the limits */
    /* Of the open table: what all rows together imply. */
    double factor_low, factor_high;
    uint32_t count_ranks; /* size / (count x element); 0: not one number */
    bool counts_differ, reduces, has_root;
    const struct cs_collective *next_collective; /* of a command's name */
    struct cs_log_setup next;                    /* of the lines before the table */
    uint32_t listed;                             /* lines of devices of `next` */
    const char **hosts; /* of `next`, its hosts and processes ("host:pid") */
    const char **processes;
};

/* Opens a table at this line, unless the open one has no rows yet. */
void cs_log_begin_table(struct cs_log_builder *builder);

/* Closes the open table: collective and ranks are settled. */
void cs_log_end_table(struct cs_log_builder *builder);

/* Adds to the open table, or opens one. */
void cs_log_add_row(struct cs_log_builder *builder, const struct cs_log_line *line);

/* Counts a row that is not whole. */
void cs_log_add_broken(struct cs_log_builder *builder);

/* Forgets the lines before a table: another run begins. */
void cs_log_begin_run(struct cs_log_builder *builder);

/* Counts a listed device of the run: its host and process, once each. */
void cs_log_add_device(struct cs_log_builder *builder, const char *host, const char *process);

void cs_log_note(struct cs_log_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
