/*
 * Ring all-gather: p - 1 steps to the next rank (phase.h).
 *
 * Any p >= 1.  Rank r starts with block r; every step makes one more copy of
 * each block, p (p-1) copies in total, so that the bytes sent, (p-1) V, equal
 * the redundancy of the result.
 *
 *     T = (p-1) (alpha + ceil(V/p) / beta)
 */
#include "algorithms/shared/patterns/phase.h"
#include "algorithms/shared/patterns/slices.h"

static void allgather_ring_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                                 struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    cs_ring_gather_step(call->ranks, rank, (uint32_t)k, ops);
    cs_slice_step(call, lane, ops);
}

static struct cs_cost allgather_ring_cost(const struct cs_call *call,
                                          const struct cs_hockney *hockney)
{
    double steps = call->ranks - 1;

    return cs_sliced_cost(call, hockney, steps, 0);
}

const struct cs_algo cs_algo_allgather_ring = {
    .name = "ring",
    .collective = &cs_collective_allgather,
    .about = "p-1 steps around a ring, each rank forwards blocks",
    .formula = "(p-1) (alpha + V/p/beta)",
    .sliced = true,
    .exactness_of = cs_sliced_exactness,
    .ring_lanes = true,
    .lanes = cs_sliced_lanes,
    .blocks = cs_sliced_blocks,
    .parts = cs_sliced_lanes,
    .rounds = cs_rounds_per_peer,
    .round = allgather_ring_round,
    .cost = allgather_ring_cost,
};
