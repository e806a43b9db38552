/*
 * Curves: the rate of thread blocks by their number and by the vectors' size.
 *
 * Between measured numbers of blocks the rate is a power of the number; below
 * the smallest number the rate is proportional, above the largest constant.
 * The time of a byte moves from small to large vectors as measured with the
 * number of blocks that has most sizes: the transition is a property of L2, not
 * of the blocks.
 *
 *     add    O(points)
 *     rate   O(points)
 */
#ifndef CS_VALIDATE_GPU_CURVE_H
#define CS_VALIDATE_GPU_CURVE_H

#include "sim/base/mem.h"

#include <stddef.h>

struct cs_gpu_point {
    double blocks, vector_bytes;
    double rate_Bps;
};

struct cs_gpu_curve {
    struct cs_gpu_point *points; /* by blocks, then bytes */
    size_t count;
};

/* Adds a point to a curve of at most `most` points.  Of several measurements at
 * equal blocks and bytes (to several peers) the slowest counts. */
void cs_gpu_curve_add(struct cs_gpu_curve *curve, struct cs_gpu_point point, size_t most,
                      struct cs_arena *arena);

/* Sorts the points; required after the last add. */
void cs_gpu_curve_sort(struct cs_gpu_curve *curve);

/* Bytes per second; 0 for an empty curve. */
double cs_gpu_curve_rate(const struct cs_gpu_curve *curve, double blocks, double vector_bytes);

#endif
