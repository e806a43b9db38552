/*
 * Binomial broadcast: in every round each slot with the vector sends the vector
 * to a slot without (rooted.h).
 *
 * Any p >= 1, any root, L = ceil(log2 p).  In round k slots 0, 2^(L-k), ...
 * send to the slot 2^(L-1-k) ahead.
 *
 *     p = 6, slots with the vector:  0    04    0246    012345
 *
 * Sends: L V by the root, (p-1) V in total.
 *
 *     T = L (alpha + V / beta)
 */
#include "algorithms/shared/patterns/rooted.h"

static void broadcast_binomial_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t level = cs_log2_up(call->ranks) - 1 - (uint32_t)at.round;
    struct cs_tree_edge edge = cs_binomial_edge(call->ranks, cs_slot_of(call, at.party), level);

    if (edge.role == CS_TREE_PARENT)
        cs_ops_send(ops, cs_rank_of_slot(call, edge.child), cs_whole());
    else if (edge.role == CS_TREE_CHILD)
        cs_ops_recv(ops, cs_rank_of_slot(call, edge.parent), cs_whole());
}

static struct cs_cost broadcast_binomial_cost(const struct cs_call *call)
{
    double depth = cs_log2_up(call->ranks);

    return (struct cs_cost){depth, depth * cs_vector_bytes(call), 0};
}

const struct cs_algo cs_algo_broadcast_binomial = {
    .name = "binomial",
    .collective = &cs_collective_broadcast,
    .about = "in every round twice as many ranks have the vector",
    .formula = "L (alpha + V/beta), L = ceil(log2 p)",
    .blocks = cs_blocks_one,
    .rounds = cs_rounds_log,
    .round = broadcast_binomial_round,
    .cost = broadcast_binomial_cost,
};
