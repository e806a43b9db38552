/*
 * Binomial reduce: the reverse of the binomial broadcast, with reductions
 * (rooted.h).
 *
 * Any p >= 1, any root, L = ceil(log2 p).
 *
 *     p = 6, root 0, sums after each round:
 *
 *     slot 0:  0   01   0123   012345
 *     slot 2:  2   23
 *     slot 4:  4   45
 *
 * Sends per rank: V, except the root; (p-1) V in total.  In addition to the
 * vector a rank needs room for an arriving vector.
 *
 *     T = L (alpha + V / beta + V gamma)
 *
 * exactly for a power of two.  Otherwise ranks with smaller subtrees send
 * early, for a little less.
 */
#include "algorithms/shared/patterns/rooted.h"

static void reduce_binomial_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_tree_edge edge =
        cs_binomial_edge(call->ranks, cs_slot_of(call, at.party), (uint32_t)at.round);

    if (edge.role == CS_TREE_PARENT)
        cs_ops_recv_reduce(ops, cs_rank_of_slot(call, edge.child), cs_whole());
    else if (edge.role == CS_TREE_CHILD)
        cs_ops_send(ops, cs_rank_of_slot(call, edge.parent), cs_whole());
}

static enum cs_exactness reduce_binomial_exactness(const struct cs_call *call)
{
    return cs_is_power_of_two(call->ranks) ? CS_COST_EXACT : CS_COST_AT_MOST;
}

static struct cs_cost reduce_binomial_cost(const struct cs_call *call)
{
    double depth = cs_log2_up(call->ranks);
    double bytes = depth * cs_vector_bytes(call);

    return (struct cs_cost){depth, bytes, bytes};
}

const struct cs_algo cs_algo_reduce_binomial = {
    .name = "binomial",
    .collective = &cs_collective_reduce,
    .about = "in every round half as many ranks hold a sum",
    .formula = "L (alpha + V/beta + V gamma), L = ceil(log2 p)",
    .exactness_of = reduce_binomial_exactness,
    .blocks = cs_blocks_one,
    .rounds = cs_rounds_log,
    .round = reduce_binomial_round,
    .cost = reduce_binomial_cost,
};
