/*
 * A log under construction: formats add tables, rows, facts and notes.
 *
 *     row    O(1) for sizes in order, else O(rows of the table)
 */
#pragma once

#include "algorithms/collective.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "validate/logs/log.h"
#include "validate/logs/words.h"

#include <stdint.h>

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
    const char **places;  /* "host:bus" */
    const char **callers; /* hosts by messages of communicators */
    uint32_t caller_count;
    const char *commanded; /* settings of the last command; NULL: none */
    bool is_command_whole; /* its program was read */
};

/* Sets time and bus bandwidth of a line with a size, of figures in units of `unit_s` and
 * GB/s; NULL: no bandwidth. */
void cs_log_set_times(struct cs_log_line *line, const struct cs_log_number *time, double unit_s,
                      const struct cs_log_number *busbw);

/* Opens a table at this line, unless the open one has no rows yet. */
void cs_log_begin_table(struct cs_log_builder *builder);

/* The open table, if any, is whole. */
void cs_log_close_table(struct cs_log_builder *builder);

/* Ends the open table: collective and ranks are settled. */
void cs_log_end_table(struct cs_log_builder *builder);

/* Adds to the open table, or opens one. */
void cs_log_add_row(struct cs_log_builder *builder, const struct cs_log_line *line);

/* Counts a row that is not whole. */
void cs_log_add_broken(struct cs_log_builder *builder);

/* Forgets the lines before a table: another run begins. */
void cs_log_begin_run(struct cs_log_builder *builder);

/* Counts a listed device of the run: its host, process and place, once each. */
void cs_log_add_device(struct cs_log_builder *builder, const char *host, const char *process,
                       const char *place);

/* Counts a host of the communicator, once. */
void cs_log_add_caller(struct cs_log_builder *builder, const char *host);

void cs_log_note(struct cs_log_builder *builder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The number of ranks that the figures of a table imply.
 *
 * nccl-tests prints busbw = factor(collective, ranks) x algbw, and counts
 * elements per rank where size is the total; both name the ranks where the list
 * of devices is missing or shortened.
 *
 *     all-reduce            factor = 2 (n - 1) / n
 *     all-gather, reduce-scatter, all-to-all, gather, scatter
 *                           factor = (n - 1) / n
 *     others                1: says nothing
 *
 * Pure functions, O(1).
 */

/* Least and most ranks with the factor in [low, high]; 0 and 0: nothing fits or
 * the factor is constant.  A bound of UINT32_MAX is no bound. */
void cs_log_ranks_of_factor(const struct cs_collective *collective, double low, double high,
                            uint32_t *least, uint32_t *most);

/*
 * A format of logs: a file with a const struct, and a line in formats.def.
 */

struct cs_log_format {
    const char *name;
    /* Whether the first bytes of a file (NUL-ended) are of the format. */
    bool (*claims)(const char *head);
    /* State of the format, in the builder's arena; NULL: none. */
    void *(*open)(struct cs_log_builder *builder);
    /* A line without its end.  A line longer than the buffer comes in pieces,
     * each but the first with `continues`. */
    void (*line)(struct cs_log_builder *builder, void *state, char *line, bool continues);
    void (*close)(struct cs_log_builder *builder, void *state); /* or NULL */
};

#define FORMAT(name) extern const struct cs_log_format cs_log_format_##name;
#include "validate/logs/formats.def"
#undef FORMAT

/*
 * Lines of NCCL_DEBUG=INFO and of banners: version, ranks, channels, network,
 * paths, and the choice per call.
 *
 * Subsystems (NCCL_DEBUG_SUBSYS): INIT has the version, the communicator and
 * the channels, GRAPH the graphs, TUNING the choice per call, NET the adapters.
 * Formats differ by version; what a line does not have stays unset.
 */

/* Reads a line, and cuts a message of NCCL off behind the text that it
 * interrupts.  Returns whether the line has a message. */
bool cs_nccl_debug_line(struct cs_log_builder *builder, char *line);

/* Reads the program and the variables of a command, "NCCL_ALGO=Ring ./all_reduce_perf",
 * "mpirun -x NCCL_IB_DISABLE=1 \\"; variables of the last one before the first row count. */
void cs_nccl_command_line(struct cs_log_builder *builder, const char *line);

/* The variables of the command are the log's. */
void cs_nccl_command_take(struct cs_log_builder *builder);
