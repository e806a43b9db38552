/*
 * Bucket all-reduce (BlueConnect): a ring for each dimension of a grid.
 *
 * Any grid d_1 x d_2 x ... of p ranks (grid.h).  The reduce-scatter goes through the
 * dimensions in order, on an ever smaller part of the vector; the all-gather is the
 * reverse (bucket.h).  Most bytes move in the first dimension, the right one for the
 * fastest links.  On a torus of n dimensions the vector has 2 n chunks, each on a lane
 * that begins in another dimension and direction, so that all wires are in use.
 *
 *     4 x 2, p = 8, one lane, remaining part of the vector:
 *
 *     1    -- 4 ranks -->  1/4  -- 2 ranks -->  1/8  -->  1/4  -->  1
 *
 * Sends per rank: V - V/p bytes in each half, 2(p-1) V in total.
 *
 *     T = sum over i of 2(d_i - 1) (alpha + w V/c/(d_1 .. d_i) / beta)
 *                      + (d_i - 1) V/c/(d_1 .. d_i) gamma
 *
 * with c lanes, w of them on a wire at a time: 1 on a torus.  The vector has c p
 * blocks; V/c/(d_1 .. d_i) is a run of the largest.
 *
 * Exact for one lane, equal blocks, and for an alpha above the time of an element: else
 * a rank that is ahead can delay a rank that is late.
 *
 * M. Cho et al., BlueConnect, SysML 2019; M. Barnett et al., Global combine on
 * mesh architectures with wormhole routing, IPPS 1993.
 */
#include "algorithms/shared/bucket.h"

static uint64_t allreduce_bucket_rounds(const void *ctx, struct cs_at at)
{
    struct cs_grid grid = cs_grid_of_lane(ctx, at.lane);

    return 2 * (uint64_t)cs_bucket_steps(&grid);
}

static void allreduce_bucket_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_bucket bucket = {cs_grid_of_lane(call, at.lane), CS_OUTPUT, at.lane * call->ranks};
    uint32_t steps = cs_bucket_steps(&bucket.grid);

    if (at.round < steps)
        cs_bucket_scatter_step(&bucket, at.party, (uint32_t)at.round, ops);
    else
        cs_bucket_gather_step(&bucket, at.party, (uint32_t)at.round - steps, ops);
}

static struct cs_cost allreduce_bucket_cost(const struct cs_call *call)
{
    struct cs_grid grid = cs_grid_of_lane(call, 0);

    return cs_grid_cost(call, cs_bucket_cost(&grid, call->channels, call));
}

const struct cs_algo cs_algo_allreduce_bucket = {
    .name = "bucket",
    .collective = &cs_collective_allreduce,
    .about = "a ring for each dimension of a grid or torus: BlueConnect",
    .formula = "2 sum(d_i - 1) alpha + 2(p-1)/p w/c V/beta + (p-1)/p V gamma",
    .exactness_of = cs_grid_exactness,
    .takes_dims = true,
    .check = cs_grid_check,
    .settle = cs_grid_settle,
    .lanes = cs_grid_lanes,
    .blocks = cs_grid_blocks,
    .rounds = allreduce_bucket_rounds,
    .round = allreduce_bucket_round,
    .scatters = true,
    .cost = allreduce_bucket_cost,
};
