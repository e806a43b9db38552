/*
 * Multi-ring broadcast: concurrent chains along the machine's rings, each cut
 * open before the root and with a share of the vector.
 *
 * Any p >= 1, any root, any k >= 1.  The rings are those of channels.h, which
 * all contain the root; a chain carries its share in k chunks (chain.h).  Two
 * channels for each ring share the wires.
 *
 *     p = 4, root 0, 2 channels of strides:
 *
 *     chain 0:  0 1 2 3        chain 1:  0 3 2 1
 *
 * Sends per rank: V, except the last rank of a chain; (p-1) V in total.  With w
 * of c chunks of n = ceil(V/(c k)) bytes through the busiest link (w = c on a
 * switch), at most
 *
 *     T = (p-1) (alpha + w n / beta) + (k-1) max(alpha + n / beta, w n / beta)
 *
 * which is exact for w = 1 and chains over only the narrowest wires; an estimate
 * for rings through switches.
 */
#include "algorithms/shared/chain.h"
#include "algorithms/shared/rings/channels.h"

static void broadcast_multi_ring_settle(struct cs_call *call)
{
    cs_chain_lane_settle(call, false);
}

static void broadcast_multi_ring_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    struct cs_chain chain = cs_chain_of_lane(ctx, at.party, at.lane);

    cs_chain_down_round(&chain, at.round, ops);
}

static struct cs_cost broadcast_multi_ring_cost(const struct cs_call *call)
{
    return cs_chain_lane_cost(call, false);
}

const struct cs_algo cs_algo_broadcast_multi_ring = {
    .name = "multi-ring",
    .collective = &cs_collective_broadcast,
    .about = "chains along rings with different neighbours, in k chunks each",
    .formula = "(p-1) (alpha + w n/beta) + (k-1) max(alpha + n/beta, w n/beta), n = V/ck, c "
               "channels, w of them on a link",
    .exactness_of = cs_channel_exactness,
    .takes_rings = true,
    .check = cs_channel_check,
    .settle = broadcast_multi_ring_settle,
    .lanes = cs_channel_lanes,
    .blocks = cs_channel_chunks,
    .rounds = cs_chain_lane_rounds,
    .round = broadcast_multi_ring_round,
    .cost = broadcast_multi_ring_cost,
};
