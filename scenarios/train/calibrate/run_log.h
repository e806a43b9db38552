/*
 * Logs of training runs: the times of their steps, as frameworks print them.
 *
 * A log is searched for the texts of run_log_shapes.def, wherever they stand in it: among
 * other lines, behind a time stamp, in a progress bar, in colours.  The first shape in the
 * order of the table that has a number says the times of steps; so a step's own time
 * counts before a rate.
 *
 *     read   O(bytes x shapes)
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdint.h>

enum cs_run_quantity {
    CS_RUN_STEP_S,
    CS_RUN_STEPS_PER_S,
    CS_RUN_SAMPLES_PER_S,
    CS_RUN_TOKENS_PER_S,
    CS_RUN_DEVICE_TOKENS_PER_S,
    CS_RUN_TIMES,                /* those above say how long a step takes */
    CS_RUN_BATCH = CS_RUN_TIMES, /* samples of a step on all ranks */
    CS_RUN_QUANTITIES,
};

enum {
    CS_RUN_LOG_BYTES_MAX = 256 << 20,
};

struct cs_run_log {
    const char *framework; /* "torchtitan" */
    const char *key;       /* the text before the numbers */
    enum cs_run_quantity quantity;
    double *values; /* in the order of the log, all above 0 */
    uint32_t count;
    uint32_t line;       /* of the first value */
    double batch;        /* 0: not stated */
    uint32_t batch_line; /* of its first statement */
};

/* Reads a file, or a file of gzip; the values are in the arena.  CS_EINPUT for a text
 * without a shape, with the shapes that are known. */
int cs_run_log_read(const char *path, struct cs_arena *arena, struct cs_run_log *log,
                    struct cs_err *err);

/* The same of a text, which is changed: colours and zero bytes become blanks. */
int cs_run_log_parse(const char *file, char *text, size_t length, struct cs_arena *arena,
                     struct cs_run_log *log, struct cs_err *err);
