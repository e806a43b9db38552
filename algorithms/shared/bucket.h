/*
 * Buckets: a ring for each dimension of a grid of ranks.
 *
 * The reduce-scatter goes through the dimensions of the lane in order (grid.h): along
 * a dimension of side d, the d ranks with equal other coordinates reduce-scatter the
 * rank's current part of the lane's blocks around a ring, and each keeps a d-th.  The
 * all-gather is the reverse.
 *
 *     2 x 2, p = 4; blocks 0..3; sums of a rank after each phase:
 *
 *     rank 0 (0,0)   0 1 of ranks 0,1      0 of all      0 1      0 1 2 3
 *     rank 1 (1,0)   2 3 of ranks 0,1      2 of all      2 3      0 1 2 3
 *     rank 2 (0,1)   0 1 of ranks 2,3      1 of all      0 1      0 1 2 3
 *     rank 3 (1,1)   2 3 of ranks 2,3      3 of all      2 3      0 1 2 3
 *
 * Block numbers count the lane's last dimension first, so that a part is one run of
 * blocks and one message: rank (c_1, c_2, ...) ends the reduce-scatter with block
 * ((c_1 d_2) + c_2) d_3 + ..., in the dimensions and places of the lane.
 */
#pragma once

#include "algorithms/shared/grid.h"

/* A lane's part of a buffer: p blocks from `base` on. */
struct cs_bucket {
    struct cs_grid grid;
    enum cs_buffer buffer;
    uint32_t base;
};

/* Steps of the reduce-scatter; the all-gather has the same number. */
uint32_t cs_bucket_steps(const struct cs_grid *grid);

/* The block of a rank after the reduce-scatter, from the base on.  O(dimensions). */
uint32_t cs_bucket_block(const struct cs_grid *grid, uint32_t rank);

/* Appends step k, 0 <= k < steps.  O(dimensions). */
void cs_bucket_scatter_step(const struct cs_bucket *bucket, uint32_t rank, uint32_t k,
                            struct cs_ops *ops);
void cs_bucket_gather_step(const struct cs_bucket *bucket, uint32_t rank, uint32_t k,
                           struct cs_ops *ops);

/* An all-reduce on one of `lanes` lanes: the steps of all rings in sequence, each with
 * the largest part of the ring, which some rank sends in every step. */
struct cs_cost cs_bucket_cost(const struct cs_grid *grid, uint32_t lanes,
                              const struct cs_call *call);
