/*
 * Buckets: a ring for each dimension of a grid of ranks.
 *
 * Rank numbers count the first dimension first.  The reduce-scatter goes
 * through the dimensions in order: along dimension i, the d_i ranks with equal
 * other coordinates reduce-scatter the rank's current part of the vector
 * around a ring, and each keeps a d_i-th.  The all-gather is the reverse.
 *
 *     2 x 2, p = 4; blocks 0..3; sums of a rank after each phase:
 *
 *     rank 0 (0,0)   0 1 of ranks 0,1      0 of all      0 1      0 1 2 3
 *     rank 1 (1,0)   2 3 of ranks 0,1      2 of all      2 3      0 1 2 3
 *     rank 2 (0,1)   0 1 of ranks 2,3      1 of all      0 1      0 1 2 3
 *     rank 3 (1,1)   2 3 of ranks 2,3      3 of all      2 3      0 1 2 3
 *
 * Block numbers count the last dimension first, so that a part is one run of
 * blocks and one message: rank (c_1, c_2, ...) ends the reduce-scatter with
 * block ((c_1 d_2) + c_2) d_3 + ...  A dimension of 1 has no steps.
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"

/* A grid; the product of the sides is p. */
struct cs_grid {
    const uint32_t *sides;
    uint32_t count;
};

/* Steps of the reduce-scatter; the all-gather has the same number. */
uint32_t cs_bucket_steps(struct cs_grid grid);

/* Appends step k of the all-reduce, 0 <= k < 2 steps.  O(dimensions). */
void cs_bucket_step(struct cs_grid grid, uint32_t rank, uint64_t k, struct cs_ops *ops);

/* The steps of all rings in sequence, each with the largest part of the ring:
 * some rank sends the largest part in every step. */
struct cs_cost cs_bucket_cost(struct cs_grid grid, const struct cs_call *call);
