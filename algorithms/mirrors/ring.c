/*
 * Rings of p - 1 steps to the next rank (phase.h).  Any p >= 1.
 *
 * All-gather: rank r starts with block r; every step makes one more copy of each
 * block, p (p-1) copies in total, so that the bytes sent, (p-1) V, equal the
 * redundancy of the result.
 *
 *     T = (p-1) (alpha + ceil(V/p) / beta)
 *
 * Reduce-scatter: rank r ends with block r of the sum; the other blocks of the
 * vector are partial sums without further use, (p-1)/p V.
 *
 *     T = (p-1) (alpha + ceil(V/p) / beta + ceil(V/p) gamma)
 *
 * Sends per rank: p - 1 blocks, V - V/p bytes; (p-1) V in total, the minimum: p - 1
 * copies of each block, or p - 1 of the p contributions to each element, have to
 * move.
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/patterns/phase.h"

static void ring_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    if (cs_gathers(call))
        cs_ring_gather_step(call->ranks, at.party, (uint32_t)at.round, ops);
    else
        cs_ring_scatter_step(call->ranks, at.party, (uint32_t)at.round, ops);
    cs_slice_step(call, at.lane, ops);
}

static struct cs_cost ring_mirror_cost(const struct cs_call *call)
{
    double steps = call->ranks - 1;

    return cs_sliced_cost(call, steps, cs_gathers(call) ? 0 : steps);
}

#define RING                                                                                 \
    .name = "ring", .sliced = true, .exactness_of = cs_sliced_exactness, .ring_lanes = true, \
    .lanes = cs_sliced_lanes, .blocks = cs_sliced_blocks, .parts = cs_sliced_lanes,          \
    .rounds = cs_rounds_per_peer, .round = ring_mirror_round, .cost = ring_mirror_cost

const struct cs_algo cs_algo_allgather_ring = {
    RING,
    .collective = &cs_collective_allgather,
    .about = "p-1 steps around a ring, each rank forwards blocks",
    .formula = "(p-1) (alpha + V/p/beta)",
};

const struct cs_algo cs_algo_reducescatter_ring = {
    RING,
    .collective = &cs_collective_reducescatter,
    .about = "p-1 steps around a ring, each rank adds its block",
    .formula = "(p-1) (alpha + V/p/beta + V/p gamma)",
    .scatters = true,
};
