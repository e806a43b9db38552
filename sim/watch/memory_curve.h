/*
 * Memory curve: buffers of ranks in addition to their vectors, over simulated time.
 *
 * A buffer holds an arriving message from its first byte on until the message is
 * received or reduced: totals of all ranks, and of the peak rank at the time.  A
 * message received into its final place needs no buffer.  Time is cut into at
 * most CS_MEMORY_POINTS intervals of equal length; when time outgrows the
 * intervals, pairs of intervals merge.  An interval keeps its exact maximum.
 *
 * Order of calls: open, the curve's watch given to the executor, close, read.
 *
 *     note    O(log ranks)
 *     memory  O(ranks)
 */
#pragma once

#include "sim/base/mem.h"

#include <stdint.h>

enum {
    CS_MEMORY_POINTS = 256 /* even */
};

struct cs_memory_point {
    uint64_t all_bytes;
    uint64_t peak_bytes; /* of one rank */
};

struct cs_memory_curve {
    uint32_t ranks;
    uint32_t count;       /* of points, when closed */
    uint64_t interval_ps; /* point i covers times i .. i + 1 */
    struct cs_memory_point points[CS_MEMORY_POINTS];
    struct cs_memory_point now;
    uint64_t *most; /* of ranks: a tree; rank r is leaf ranks + r */
};

/* For so many ranks; the tree is in the arena. */
void cs_memory_curve_open(struct cs_memory_curve *curve, uint32_t ranks, struct cs_arena *arena);

/* A struct cs_exec_watch's function; ctx is the curve. */
void cs_memory_curve_held(void *ctx, uint32_t party, uint64_t bytes, uint64_t at_ps);

/* Time ends. */
void cs_memory_curve_close(struct cs_memory_curve *curve, uint64_t time_ps);
