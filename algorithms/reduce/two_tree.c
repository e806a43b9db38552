/*
 * Two-tree reduce: the reverse of the two-tree broadcast, with reductions
 * (two_tree.h).
 *
 * Any p >= 1, any root, L = ceil(log2 p).  The timetable runs from the end, so
 * that chunks are in reverse order: in one tree a slot reduces the chunks of
 * two children and sends the sum, in the other tree the slot only sends.
 *
 * Sends per rank: V, except the root; (p-1) V in total.
 *
 *     T = (2L + 2k - 2) (alpha + V/2k / beta + V/2k gamma)
 *
 * at most, with 2k chunks, for ranks that keep to the timetable.  But ranks
 * wait for messages, not for steps: leaves send early and occupy the parent's
 * port, for up to a quarter more time; and a reduction during the arrival of
 * the next chunk saves time.  The best k is sqrt(L V (1/beta + gamma) / (2
 * alpha)).
 *
 * With a machine's nodes and rings: trees over the nodes and chains in the nodes,
 * in channels (rooted_trees.h).
 *
 * P. Sanders, J. Speck and J. L. Traeff, Parallel Computing 35(12), 2009.
 */
#include "algorithms/shared/trees/two_tree.h"
#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/trees/rooted_trees.h"

static void reduce_two_tree_settle(struct cs_call *call)
{
    if (!cs_rooted_trees_settle(call, call->hockney.gamma_s_per_byte))
        cs_two_tree_settle(call, call->hockney.gamma_s_per_byte);
}

/* A step of the timetable. */
static void reduce_two_tree_step(const struct cs_call *call, uint32_t rank, uint64_t k,
                                 struct cs_ops *ops)
{
    uint32_t slot = cs_slot_of(call, rank);
    struct cs_two_tree_transfer transfers[2];
    uint64_t step = cs_two_tree_steps(call) - 1 - k;
    uint32_t count = cs_two_tree_transfers(call, slot, step, transfers);

    for (uint32_t i = 0; i < count; i++)
        if (transfers[i].to == slot)
            cs_ops_send(ops, cs_rank_of_slot(call, transfers[i].from), transfers[i].chunk);
        else
            cs_ops_recv_reduce(ops, cs_rank_of_slot(call, transfers[i].to), transfers[i].chunk);
}

static void reduce_two_tree_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    if (cs_rooted_trees_are_used(ctx))
        cs_rooted_trees_up(ctx, at.party, at.lane, at.round, ops);
    else
        reduce_two_tree_step(ctx, at.party, at.round, ops);
}

static struct cs_cost reduce_two_tree_cost(const struct cs_call *call)
{
    return cs_rooted_trees_are_used(call) ? cs_rooted_trees_cost(call) : cs_two_tree_cost(call);
}

const struct cs_algo cs_algo_reduce_two_tree = {
    .name = "two-tree",
    .collective = &cs_collective_reduce,
    .about = "half of the vector up each of two trees, in chunks",
    .formula = "about (2L+2k-2) (alpha + V/2k/beta + V/2k gamma), 2k chunks",
    .exactness = CS_COST_ROUGHLY,
    .takes_rings = true,
    .rings_of_nodes = true,
    .check = cs_channel_check,
    .settle = reduce_two_tree_settle,
    .lanes = cs_two_trees_lanes,
    .blocks = cs_two_trees_blocks,
    .rounds = cs_two_trees_rounds,
    .round = reduce_two_tree_round,
    .cost = reduce_two_tree_cost,
};
