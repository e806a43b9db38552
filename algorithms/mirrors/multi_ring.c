/*
 * Multi-rings: concurrent rings with different neighbours, each with a share of
 * every block.
 *
 * Any p >= 1.  The rings and their order are those of channels.h.  All-gather: in
 * step k rank r forwards its part of the block from k ranks behind in each ring.
 * Reduce-scatter: the parts of block r end, summed, on rank r; in addition to the
 * vector a rank needs room for an arriving part of each ring.
 *
 * Sends per rank: p - 1 of V/(c p) bytes in each of c rings, (p-1) V/p in total;
 * (p-1) V by all ranks, the minimum.
 *
 * With parts of n = ceil(ceil(V/p) / c) bytes, w of them through the busiest
 * link (w = c on a switch), at most
 *
 *     T = (p-1) (alpha + w n / beta)                 all-gather
 *     T = (p-1) (alpha + c n / beta + n gamma)       reduce-scatter, w = c, gamma <= 1 / beta
 *     T = (p-1) (alpha + n / beta + c n gamma)       w = c, otherwise
 *     T = (p-1) (alpha + w n / beta + c n gamma)     w < c
 *
 * which is exact in the all-gather for w = 1 and a ring over only the narrowest
 * wires; an estimate for rings through switches.
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/rings/channels.h"

static void multi_ring_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    struct cs_circle ring = cs_channel_ring(ctx, at.lane);

    if (cs_gathers(ctx))
        cs_circle_gather_step(&ring, at.party, at.round, ops);
    else
        cs_circle_scatter_step(&ring, at.party, at.round, ops);
}

static struct cs_cost multi_ring_mirror_cost(const struct cs_call *call)
{
    double steps = call->ranks - 1;

    return cs_channel_ring_cost(call, steps, cs_gathers(call) ? 0 : steps);
}

#define MULTI_RING                                                                               \
    .name = "multi-ring",                                                                        \
    .about = "rings with different neighbours, each with a share of the blocks", .sliced = true, \
    .exactness_of = cs_channel_exactness, .ring_lanes = true, .takes_rings = true,               \
    .check = cs_channel_check, .settle = cs_channel_settle, .lanes = cs_channel_lanes,           \
    .blocks = cs_channel_blocks, .parts = cs_channel_lanes, .rounds = cs_rounds_per_peer,        \
    .round = multi_ring_mirror_round, .cost = multi_ring_mirror_cost

const struct cs_algo cs_algo_allgather_multi_ring = {
    MULTI_RING,
    .collective = &cs_collective_allgather,
    .formula = "(p-1) (alpha + w V/cp/beta), c channels, w of them on a link",
};

const struct cs_algo cs_algo_reducescatter_multi_ring = {
    MULTI_RING,
    .collective = &cs_collective_reducescatter,
    .formula = "(p-1) (alpha + w V/cp/beta + V/cp gamma), c channels, w of them on a link",
    .scatters = true,
};
