/*
 * Multi-ring reduce: the reverse of the multi-ring broadcast, with reductions:
 * concurrent chains along the machine's rings towards the root, each with a
 * share of the vector.
 *
 * Any p >= 1, any root, any k >= 1.  The chains are those of the broadcast.
 *
 * Sends per rank: V, except the root; (p-1) V in total.  With w of c chunks of
 * n = ceil(V/(c k)) bytes through the busiest link, at most
 *
 *     T = (p-1) (alpha + w n / beta + c n gamma)
 *         + (k-1) max(alpha + n / beta, w n / beta, c n gamma)
 *
 * An estimate for rings through switches.
 */
#include "algorithms/shared/chain.h"
#include "algorithms/shared/rings/channels.h"

static void reduce_multi_ring_settle(struct cs_call *call)
{
    cs_chain_lane_settle(call, true);
}

static void reduce_multi_ring_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    struct cs_chain chain = cs_chain_of_lane(ctx, at.party, at.lane);

    cs_chain_up_round(&chain, at.round, ops);
}

static struct cs_cost reduce_multi_ring_cost(const struct cs_call *call)
{
    return cs_chain_lane_cost(call, true);
}

const struct cs_algo cs_algo_reduce_multi_ring = {
    .name = "multi-ring",
    .collective = &cs_collective_reduce,
    .about = "chains along rings with different neighbours, in k chunks each",
    .formula = "(p-1) (alpha + w n/beta + cn gamma) + (k-1) max(alpha + n/beta, w n/beta, cn "
               "gamma), n = V/ck",
    .exactness_of = cs_channel_exactness,
    .takes_rings = true,
    .check = cs_channel_check,
    .settle = reduce_multi_ring_settle,
    .lanes = cs_channel_lanes,
    .blocks = cs_channel_chunks,
    .rounds = cs_chain_lane_rounds,
    .round = reduce_multi_ring_round,
    .cost = reduce_multi_ring_cost,
};
