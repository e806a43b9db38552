/*
 * Swing all-reduce: halving and doubling with near peers for large messages.
 *
 * p a power of two, ranks on a circle.  log2 p steps of a reduce-scatter with
 * peers at distances 1, 1, 3, 5, 11 ... on alternating sides, then the reverse
 * (butterfly.h).
 *
 *     p = 4:  step 0   0 - 1   2 - 3     exchange V/2
 *             step 1   0 - 3   1 - 2     exchange V/4
 *
 *     sums of rank 0 (1, 2, 3) after each step, blocks 0 .. 3:
 *
 *     rank 0:  01 of ranks 0,1     0 of all     01 of all     all
 *     rank 1:  23 of ranks 0,1     3 of all     23 of all     all
 *     rank 2:  23 of ranks 2,3     2 of all     23 of all     all
 *     rank 3:  01 of ranks 2,3     1 of all     01 of all     all
 *
 * On a torus of n dimensions (or --dims), each with a power of two of ranks, the steps
 * pass the dimensions in turn, and the vector has 2 n chunks, each on a lane that begins
 * in another dimension and direction: the multiport form of the paper.
 *
 * Sends per rank: V - V/p bytes in each half, 2(p-1) V in total: the bytes of
 * a ring in 2 log2 p messages.
 *
 *     T = 2 log2 p alpha + 2(p-1)/p w/c V / beta + (p-1)/p V gamma
 *
 * with c lanes, w of them on a wire at a time: 1 on a torus, where messages over
 * several wires meet others.  A lane has p blocks; step s moves a run of the
 * p / 2^(s+1) largest.
 *
 * Exact for one lane, equal blocks, and for an alpha above the time of an element: else a
 * rank that is ahead can delay a rank that is late.
 *
 * D. De Sensi et al., Swing: short-cutting rings for higher bandwidth
 * allreduce, NSDI 2024 (arXiv 2401.09356).
 */
#include "algorithms/shared/butterfly.h"

static int swing_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    int code = call->dim_count ? cs_grid_check(algo, call, err) : 0;

    return code ? code : cs_check_power_of_two(algo, call, err);
}

static struct cs_cost swing_cost(const struct cs_call *call)
{
    return cs_grid_cost(call, cs_butterfly_lane_cost(call, call->channels));
}

const struct cs_algo cs_algo_allreduce_swing = {
    .name = "swing",
    .collective = &cs_collective_allreduce,
    .about = "halving and doubling with near peers on alternating sides, on circle or torus",
    .formula = "2 log2 p alpha + 2(p-1)/p w/c V/beta + (p-1)/p V gamma",
    .exactness_of = cs_grid_exactness,
    .takes_dims = true,
    .check = swing_check,
    .settle = cs_grid_settle_lanes,
    .lanes = cs_grid_lanes,
    .blocks = cs_grid_blocks,
    .rounds = cs_butterfly_rounds,
    .round = cs_butterfly_grid_round,
    .scatters = true,
    .cost = swing_cost,
};
