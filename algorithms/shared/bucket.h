/*
 * Buckets: rings inside of rings, one for each dimension of a grid of ranks.
 *
 * Ranks are numbered along the first dimension first.  The reduce-scatter goes
 * through the dimensions in order: along dimension i the d_i ranks that differ
 * in nothing else pass the part of the vector that they still care for around
 * their ring, and are left with a d_i-th of it.  The all-gather goes back.
 *
 *     2 x 2, p = 4; blocks 0..3; who has the sum of what after each phase:
 *
 *     rank 0 (0,0)   0 1 of ranks 0,1      0 of all      0 1      0 1 2 3
 *     rank 1 (1,0)   2 3 of ranks 0,1      2 of all      2 3      0 1 2 3
 *     rank 2 (0,1)   0 1 of ranks 2,3      1 of all      0 1      0 1 2 3
 *     rank 3 (1,1)   2 3 of ranks 2,3      3 of all      2 3      0 1 2 3
 *
 * So that a part is one run of blocks, block numbers count the last dimension
 * first: rank (c_1, c_2, ...) ends its reduce-scatter with block
 * ((c_1 d_2) + c_2) d_3 + ...  Dimensions of 1 do nothing.
 */
#ifndef CS_ALGORITHMS_SHARED_BUCKET_H
#define CS_ALGORITHMS_SHARED_BUCKET_H

#include "algorithms/shared/pattern.h"

/* A grid; the product of the sides is p. */
struct cs_grid {
    const uint32_t *sides;
    uint32_t count;
};

/* Steps of the reduce-scatter, and as many of the all-gather. */
uint32_t cs_bucket_steps(struct cs_grid grid);

/* Appends step k of the all-reduce, 0 <= k < 2 steps.  O(dimensions). */
void cs_bucket_step(struct cs_grid grid, uint32_t rank, uint64_t k,
                    struct cs_ops *ops);

/* Steps in a row of every dimension's ring, each as long as that of its
 * largest part; the largest part is on its way all the time. */
struct cs_cost cs_bucket_cost(struct cs_grid grid, const struct cs_call *call);

#endif
