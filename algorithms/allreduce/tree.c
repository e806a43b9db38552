/*
 * Tree all-reduce: a binomial reduce to rank 0, then a binomial broadcast.
 *
 * Any p >= 1, L = ceil(log2 p).  In round k < L of the reduce, a rank with
 * lowest set bit k sends the sum to rank - 2^k and is done; ranks with bits
 * 0..k clear receive from rank + 2^k, if that rank exists.  The broadcast is
 * the reverse.
 *
 *     p = 6:        0            k = 0: 1 -> 0, 3 -> 2, 5 -> 4
 *                 / | \          k = 1: 2 -> 0
 *                1  2  4         k = 2: 4 -> 0
 *                   |  |
 *                   3  5
 *
 *     after each round of the reduce:
 *
 *     rank 0:  0   01   0123   012345
 *     rank 2:  2   23
 *     rank 4:  4   45
 *
 * Sends per rank: at most L of V bytes (rank 0, in the broadcast); 2(p-1) V in
 * total.  In addition to the vector a rank needs room for an arriving vector.
 *
 *     T = 2 L (alpha + V / beta) + L V gamma
 *
 * For p not a power of two, smaller subtrees are ready early; a rank requests
 * one vector after the other (handshake), so that early vectors wait at the
 * sender.
 */
#include "algorithms/shared/patterns/pattern.h"

static void allreduce_tree_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t depth = cs_log2_up(call->ranks);
    uint32_t level = (uint32_t)(at.round < depth ? at.round : 2 * depth - 1 - at.round);
    uint32_t bit = (uint32_t)1 << level;
    uint32_t below = at.party & (2 * bit - 1);

    if (below == bit && at.round < depth)
        cs_ops_send(ops, at.party - bit, cs_whole());
    else if (below == bit)
        cs_ops_recv(ops, at.party - bit, cs_whole());
    else if (below == 0 && at.party + bit < call->ranks && at.round < depth)
        cs_ops_recv_reduce(ops, at.party + bit, cs_whole());
    else if (below == 0 && at.party + bit < call->ranks)
        cs_ops_send(ops, at.party + bit, cs_whole());
}

static struct cs_cost allreduce_tree_cost(const struct cs_call *call)
{
    double depth = cs_log2_up(call->ranks);
    double bytes = depth * cs_vector_bytes(call);

    return (struct cs_cost){2 * depth, 2 * bytes, bytes};
}

const struct cs_algo cs_algo_allreduce_tree = {
    .name = "tree",
    .collective = &cs_collective_allreduce,
    .about = "binomial reduce to rank 0, then binomial broadcast",
    .formula = "2 L (alpha + V/beta) + L V gamma, L = ceil(log2 p)",
    .handshake = true,
    .blocks = cs_blocks_one,
    .rounds = cs_rounds_log_twice,
    .round = allreduce_tree_round,
    .cost = allreduce_tree_cost,
};
