/*
 * Direct exchanges: every block straight from or to the owner, up to `peers` of
 * them in each round (peers.h), by default all, at most 32.
 *
 * Any p >= 1.  All-gather: every rank sends the own block to every other rank; no
 * block is forwarded: on a full mesh every wire carries one block, and with all
 * peers at once all wires are in use.  Reduce-scatter: a contribution travels once
 * instead of up to p - 1 times inside of sums, and the owner reduces all
 * contributions; in addition to the vector a rank needs room for `peers`
 * simultaneous arrivals.
 *
 *     p = 3, blocks of a rank, or sums of its own block, after each round, 1 peer
 *     and 2 peers:
 *
 *     rank 0:  0   02   012         rank 0:  0   012
 *     rank 1:  1   01   012         rank 1:  1   012
 *
 * Sends per rank: p - 1 blocks; (p-1) V in total.
 *
 *     T = R alpha + (p-1) V/p / beta                     all-gather
 *     T = R alpha + (p-1) V/p / beta + R V/p gamma       reduce-scatter, gamma <= 1 / beta
 *     T = R (alpha + V/p / beta) + (p-1) V/p gamma       otherwise
 *
 * with R = (p-1) / peers, rounded up; exactly for p dividing V.  Otherwise the
 * form counts the longest message of each step, which is an estimate: no rank
 * has the longest message in every step, and ranks drift apart, so that messages
 * of two rounds share a port.
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/peers.h"

static void direct_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_exchanges exchanges = cs_peers_of_round(call, at.round);
    struct cs_peers peers = cs_peers_at(call, at.party, exchanges.first);

    for (uint32_t s = exchanges.first; s <= exchanges.last; s++, cs_peers_next(&peers)) {
        uint32_t to = cs_peers_to(&peers);
        uint32_t from = cs_peers_from(&peers);

        if (cs_gathers(call)) {
            cs_ops_send(ops, to, cs_block(at.party));
            cs_ops_recv(ops, from, cs_block(from));
        } else {
            cs_ops_send(ops, to, cs_block(to));
            cs_ops_recv_reduce(ops, from, cs_block(at.party));
        }
    }
}

static struct cs_cost direct_mirror_cost(const struct cs_call *call)
{
    return cs_gathers(call) ? cs_peers_cost(call) : cs_peers_reduce_cost(call);
}

#define DIRECT                                                                             \
    .name = "direct", .exactness = CS_COST_EVEN, .settle = cs_peers_settle,                \
    .blocks = cs_blocks_per_rank, .rounds = cs_peers_rounds, .round = direct_mirror_round, \
    .cost = direct_mirror_cost

const struct cs_algo cs_algo_allgather_direct = {
    DIRECT,
    .collective = &cs_collective_allgather,
    .about = "every rank sends its block to every other rank",
    .formula = "ceil((p-1)/peers) alpha + (p-1)/p V/beta",
};

const struct cs_algo cs_algo_reducescatter_direct = {
    DIRECT,
    .collective = &cs_collective_reducescatter,
    .about = "every block straight to its owner",
    .formula = "ceil((p-1)/peers) (alpha + V/p gamma) + (p-1)/p V/beta",
    .scatters = true,
};
