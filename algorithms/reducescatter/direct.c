/*
 * Direct reduce-scatter: every block straight to the owner, up to `peers` in
 * each round (peers.h), by default all, at most 32.
 *
 * Any p >= 1.  A contribution travels once instead of up to p - 1 times inside
 * of sums, and the owner reduces all contributions.
 *
 *     p = 3, sums of rank r's own block after each round, 1 peer and 2 peers:
 *
 *     rank 0:  0   02   012         rank 0:  0   012
 *     rank 1:  1   01   012         rank 1:  1   012
 *
 * Sends per rank: p - 1 blocks; (p-1) V in total.  In addition to the vector a
 * rank needs room for `peers` simultaneous arrivals.
 *
 *     T = R alpha + (p-1) V/p / beta + R V/p gamma       gamma <= 1 / beta
 *     T = R (alpha + V/p / beta) + (p-1) V/p gamma       otherwise
 *
 * with R = (p-1) / peers, rounded up; exactly for p dividing V.  Otherwise the
 * form counts the longest message of each step, which is an estimate: no rank
 * has the longest message in every step, and ranks drift apart, so that messages
 * of two rounds share a port.
 */
#include "algorithms/shared/patterns/peers.h"

static void reducescatter_direct_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                                       struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_exchanges exchanges = cs_peers_of_round(call, k);
    uint32_t s;

    (void)lane;
    for (s = exchanges.first; s <= exchanges.last; s++) {
        uint32_t owner = cs_peer_to(call, rank, s);

        cs_ops_send(ops, owner, cs_block(owner));
        cs_ops_recv_reduce(ops, cs_peer_from(call, rank, s), cs_block(rank));
    }
}

const struct cs_algo cs_algo_reducescatter_direct = {
    .name = "direct",
    .collective = &cs_collective_reducescatter,
    .about = "every block straight to its owner",
    .formula = "ceil((p-1)/peers) (alpha + V/p gamma) + (p-1)/p V/beta",
    .exactness = CS_COST_EVEN,
    .settle = cs_peers_settle,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_peers_rounds,
    .round = reducescatter_direct_round,
    .reduce_scatter_rounds = cs_peers_scatter_rounds,
    .cost = cs_peers_reduce_cost,
};
