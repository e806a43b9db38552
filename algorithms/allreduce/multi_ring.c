/*
 * Multi-ring all-reduce: concurrent rings with different neighbours, each with
 * a share of every block.
 *
 * Any p >= 1.  The rings and their order are those of channels.h.
 *
 *     p = 5, 4 channels of strides:
 *
 *     ring 0:  0 1 2 3 4        ring 2:  0 3 1 4 2
 *     ring 1:  0 2 4 1 3        ring 3:  0 4 3 2 1
 *
 * Sends per rank: 2(p-1) of V/(c p) bytes in each of c rings; 2(p-1) V in
 * total.  In addition to the vector a rank needs room for an arriving part of
 * each ring.
 *
 * Rings do not wait for each other, so that latencies overlap.  With parts of
 * n = ceil(ceil(V/p) / c) bytes, all through one port, at most
 *
 *     T = 2(p-1) (alpha + c n / beta) + (p-1) n gamma        gamma <= 1 / beta
 *     T = 2(p-1) alpha + (p-1) (c+1) n / beta + (p-1) c n gamma     otherwise
 *
 * as if a step started after the arrival of all parts of the previous step.
 * With w < c parts through the busiest link, at most
 *
 *     T = 2(p-1) (alpha + w n / beta) + (p-1) c n gamma
 *
 * which is exact without gamma for w = 1 and a ring over only the narrowest
 * wires.  An estimate for rings through switches, which can wait at several
 * ports.
 */
#include "algorithms/shared/rings/channels.h"

static void allreduce_multi_ring_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    struct cs_circle ring = cs_channel_ring(ctx, at.lane);

    cs_circle_step(&ring, at.party, at.round, ops);
}

static struct cs_cost allreduce_multi_ring_cost(const struct cs_call *call)
{
    double steps = call->ranks - 1;

    return cs_channel_ring_cost(call, 2 * steps, steps);
}

const struct cs_algo cs_algo_allreduce_multi_ring = {
    .name = "multi-ring",
    .collective = &cs_collective_allreduce,
    .about = "rings with different neighbours, each with a share of the vector",
    .formula = "2(p-1) (alpha + w V/cp/beta) + (p-1) V/cp gamma, c channels, w of them on a link",
    .sliced = true,
    .exactness_of = cs_channel_exactness,
    .ring_lanes = true,
    .takes_rings = true,
    .check = cs_channel_check,
    .settle = cs_channel_settle,
    .lanes = cs_channel_lanes,
    .blocks = cs_channel_blocks,
    .parts = cs_channel_lanes,
    .rounds = cs_rounds_per_peer_twice,
    .round = allreduce_multi_ring_round,
    .scatters = true,
    .cost = allreduce_multi_ring_cost,
};
