/*
 * Multi-ring all-gather: concurrent rings with different neighbours, each with
 * a share of every block.
 *
 * Any p >= 1.  The rings and their order are those of channels.h; in step k
 * rank r forwards its part of the block from k ranks behind in each ring.
 *
 * Sends per rank: p - 1 of V/(c p) bytes in each of c rings, (p-1) V/p in total;
 * (p-1) V by all ranks, the minimum.
 *
 * With parts of n = ceil(ceil(V/p) / c) bytes, w of them through the busiest
 * link (w = c on a switch), at most
 *
 *     T = (p-1) (alpha + w n / beta)
 *
 * which is exact for w = 1 and a ring over only the narrowest wires; an estimate
 * for rings through switches.
 */
#include "algorithms/shared/rings/channels.h"

static void allgather_multi_ring_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                                       struct cs_ops *ops)
{
    struct cs_circle ring = cs_channel_ring(ctx, lane);

    cs_circle_gather_step(&ring, rank, k, ops);
}

static struct cs_cost allgather_multi_ring_cost(const struct cs_call *call,
                                                const struct cs_hockney *hockney)
{
    return cs_channel_ring_cost(call, hockney, call->ranks - 1.0, 0);
}

const struct cs_algo cs_algo_allgather_multi_ring = {
    .name = "multi-ring",
    .collective = &cs_collective_allgather,
    .about = "rings with different neighbours, each with a share of the blocks",
    .formula = "(p-1) (alpha + w V/cp/beta), c channels, w of them on a link",
    .sliced = true,
    .exactness_of = cs_channel_exactness,
    .ring_lanes = true,
    .takes_rings = true,
    .check = cs_channel_check,
    .settle = cs_channel_settle,
    .lanes = cs_channel_lanes,
    .blocks = cs_channel_blocks,
    .parts = cs_channel_lanes,
    .rounds = cs_rounds_per_peer,
    .round = allgather_multi_ring_round,
    .cost = allgather_multi_ring_cost,
};
