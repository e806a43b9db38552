/*
 * Direct all-to-all: every block straight to the destination, several at once.
 *
 * Any p >= 1 that divides V.  The exchange of grouped sends and receives in
 * NCCL and of the scattered all-to-all in MPICH: in each of R rounds a rank
 * exchanges blocks with up to `peers` ranks at once (peers.h), by default with
 * all, at most 32.  On a mesh all wires are in use; on nodes the messages
 * within a node travel beside the messages between nodes.  `pairwise` is the
 * form with one peer in each round.
 *
 *     p = 3, 2 peers, blocks as (from, for), before and after the one round:
 *
 *     rank 0:  00|01|02     00|10|20
 *     rank 1:  10|11|12     01|11|21
 *     rank 2:  20|21|22     02|12|22
 *
 * Sends per rank: p - 1 blocks of the input, (p-1)/p V; the minimum.
 *
 *     T = R alpha + (p-1) V/p / beta,    R = (p-1) / peers, rounded up
 */
#include "algorithms/shared/patterns/peers.h"

static void alltoall_direct_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_exchanges exchanges = cs_peers_of_round(call, at.round);
    struct cs_peers peers = cs_peers_at(call, at.party, exchanges.first);

    for (uint32_t s = exchanges.first; s <= exchanges.last; s++, cs_peers_next(&peers)) {
        uint32_t to = cs_peers_to(&peers);
        uint32_t from = cs_peers_from(&peers);

        cs_ops_send_input(ops, to, cs_block(to));
        cs_ops_recv(ops, from, cs_block(from));
    }
}

const struct cs_algo cs_algo_alltoall_direct = {
    .name = "direct",
    .collective = &cs_collective_alltoall,
    .about = "every block straight to its destination, many peers at once",
    .formula = "ceil((p-1)/peers) alpha + (p-1)/p V/beta",
    .moves_blocks = true,
    .settle = cs_peers_settle,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_peers_rounds,
    .round = alltoall_direct_round,
    .cost = cs_peers_cost,
};
