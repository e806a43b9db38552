/*
 * Ring all-reduce: a ring reduce-scatter, then a ring all-gather (phase.h).
 *
 * Any p >= 1.  The vector has p blocks as in MPI; for p not dividing V the
 * largest block, in some message of every step, sets the pace.
 *
 *     p = 3, after each of the 4 steps (| separates blocks):
 *
 *     rank 0:  0|02|0     012|02|0     012|02|012   012|012|012
 *     rank 1:  1|1|01     1|012|01     012|012|01   012|012|012
 *     rank 2:  12|2|2     12|2|012     12|012|012   012|012|012
 *
 * Sends per rank: 2(p-1) of V/p bytes, all to the next rank.  In addition to
 * the vector a rank needs room for an arriving block.
 *
 *     T = 2(p-1) (alpha + ceil(V/p) / beta) + (p-1) ceil(V/p) gamma
 *
 * --slices cuts the blocks further (slices.h).
 *
 * P. Patarasuk and X. Yuan, Bandwidth optimal all-reduce algorithms for
 * clusters of workstations, JPDC 69(2), 2009.
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/patterns/phase.h"

static void allreduce_ring_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;

    if (at.round < p - 1)
        cs_ring_scatter_step(p, at.party, (uint32_t)at.round, ops);
    else
        cs_ring_gather_step(p, at.party, (uint32_t)at.round - (p - 1), ops);
    cs_slice_step(call, at.lane, ops);
}

static struct cs_cost allreduce_ring_cost(const struct cs_call *call)
{
    double steps = call->ranks - 1;

    return cs_sliced_cost(call, 2 * steps, steps);
}

const struct cs_algo cs_algo_allreduce_ring = {
    .name = "ring",
    .collective = &cs_collective_allreduce,
    .about = "reduce-scatter, then all-gather, around a ring",
    .formula = "2(p-1) (alpha + V/p/beta) + (p-1) V/p gamma",
    .sliced = true,
    .exactness_of = cs_sliced_exactness,
    .ring_lanes = true,
    .lanes = cs_sliced_lanes,
    .blocks = cs_sliced_blocks,
    .parts = cs_sliced_lanes,
    .rounds = cs_rounds_per_peer_twice,
    .round = allreduce_ring_round,
    .scatters = true,
    .cost = allreduce_ring_cost,
};
