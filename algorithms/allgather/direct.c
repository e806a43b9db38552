/*
 * Direct all-gather: every rank sends the own block to every other rank, up to
 * `peers` of them in each round (peers.h), by default all, at most 32.
 *
 * Any p >= 1.  No block is forwarded: on a full mesh every wire carries one
 * block, and with all peers at once all wires are in use.
 *
 *     p = 3, blocks of a rank after each round, 1 peer and 2 peers:
 *
 *     rank 0:  0   02   012         rank 0:  0   012
 *     rank 1:  1   01   012         rank 1:  1   012
 *
 * Sends per rank: the own block, p - 1 times; (p-1) V in total.
 *
 *     T = R alpha + (p-1) V/p / beta,    R = (p-1) / peers, rounded up
 *
 * exactly for p dividing V.  Otherwise the form counts the longest message of
 * each step, which is an estimate: no rank has the longest message in every
 * step, and ranks drift apart, so that messages of two rounds share a port.
 */
#include "algorithms/shared/patterns/peers.h"

static void allgather_direct_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                                   struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_exchanges exchanges = cs_peers_of_round(call, k);
    uint32_t s;

    (void)lane;
    for (s = exchanges.first; s <= exchanges.last; s++) {
        uint32_t from = cs_peer_from(call, rank, s);

        cs_ops_send(ops, cs_peer_to(call, rank, s), cs_block(rank));
        cs_ops_recv(ops, from, cs_block(from));
    }
}

static struct cs_cost allgather_direct_cost(const struct cs_call *call,
                                            const struct cs_hockney *hockney)
{
    (void)hockney;
    return cs_peers_cost(call);
}

const struct cs_algo cs_algo_allgather_direct = {
    .name = "direct",
    .collective = &cs_collective_allgather,
    .about = "every rank sends its block to every other rank",
    .formula = "ceil((p-1)/peers) alpha + (p-1)/p V/beta",
    .exactness = CS_COST_EVEN,
    .settle = cs_peers_settle,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_peers_rounds,
    .round = allgather_direct_round,
    .cost = allgather_direct_cost,
};
