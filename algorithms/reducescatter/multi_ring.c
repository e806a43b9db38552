/*
 * Multi-ring reduce-scatter: concurrent rings with different neighbours, each with
 * a share of every block.
 *
 * Any p >= 1.  The rings and their order are those of channels.h; the parts of
 * block r end, summed, on rank r.
 *
 * Sends per rank: p - 1 of V/(c p) bytes in each of c rings, (p-1) V/p in total;
 * (p-1) V by all ranks, the minimum.  In addition to the vector a rank needs
 * room for an arriving part of each ring.
 *
 * With parts of n = ceil(ceil(V/p) / c) bytes, all through one port, at most
 *
 *     T = (p-1) (alpha + c n / beta + n gamma)       gamma <= 1 / beta
 *     T = (p-1) (alpha + n / beta + c n gamma)       otherwise
 *
 * and with w < c parts through the busiest link at most
 *
 *     T = (p-1) (alpha + w n / beta + c n gamma)
 *
 * An estimate for rings through switches.
 */
#include "algorithms/shared/rings/channels.h"

static void reducescatter_multi_ring_round(const void *ctx, uint32_t rank, uint32_t lane,
                                           uint64_t k, struct cs_ops *ops)
{
    struct cs_circle ring = cs_channel_ring(ctx, lane);

    cs_circle_scatter_step(&ring, rank, k, ops);
}

static struct cs_cost reducescatter_multi_ring_cost(const struct cs_call *call,
                                                    const struct cs_hockney *hockney)
{
    double steps = call->ranks - 1;

    return cs_channel_ring_cost(call, hockney, steps, steps);
}

const struct cs_algo cs_algo_reducescatter_multi_ring = {
    .name = "multi-ring",
    .collective = &cs_collective_reducescatter,
    .about = "rings with different neighbours, each with a share of the blocks",
    .formula = "(p-1) (alpha + w V/cp/beta + V/cp gamma), c channels, w of them on a link",
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
    .round = reducescatter_multi_ring_round,
    .reduce_scatter_rounds = cs_scatter_per_peer,
    .cost = reducescatter_multi_ring_cost,
};
