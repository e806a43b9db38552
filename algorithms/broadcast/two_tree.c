/*
 * Two-tree broadcast: half of the vector down each of two trees, in chunks, by
 * a timetable (two_tree.h).
 *
 * Any p >= 1, any root, L = ceil(log2 p).  Even chunks use tree 0, odd chunks
 * tree 1; with 2k chunks k in either.  In one tree a slot receives chunks and
 * sends each to two children, in the other tree the slot only receives: in
 * every step at most one message in and one out.
 *
 *     p = 4, chunks 0 .. 3, as (from, to: chunk); k = 2, 6 steps:
 *
 *     step 0:  0,2: 0                    step 3:  0,1: 3   1,2: 1   2,3: 2
 *     step 1:  0,1: 1   2,3: 0           step 4:  1,3: 3   2,1: 2
 *     step 2:  0,2: 2   1,3: 1   2,1: 0  step 5:  1,2: 3
 *
 * Sends per rank: V by the root and most ranks, at most V by the others; (p-1)
 * V in total.
 *
 *     T <= (2L + 2k - 2) (alpha + V/2k / beta)
 *
 * for 2k dividing V; with equality for some p.  Otherwise ranks drift apart and
 * messages share a port, for a little more.  The best k is
 * sqrt(L V / (2 alpha beta)).
 *
 * With a machine's nodes and rings: trees over the nodes and chains in the nodes,
 * in channels (rooted_trees.h).
 *
 * P. Sanders, J. Speck and J. L. Traeff, Parallel Computing 35(12), 2009.
 */
#include "algorithms/shared/trees/two_tree.h"
#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/trees/rooted_trees.h"

static void broadcast_two_tree_settle(struct cs_call *call)
{
    if (!cs_rooted_trees_settle(call, 0))
        cs_two_tree_settle(call, 0);
}

/* A step of the timetable. */
static void broadcast_two_tree_step(const struct cs_call *call, uint32_t rank, uint64_t k,
                                    struct cs_ops *ops)
{
    uint32_t slot = cs_slot_of(call, rank);
    struct cs_two_tree_transfer transfers[2];
    uint32_t count = cs_two_tree_transfers(call, slot, k, transfers);

    for (uint32_t i = 0; i < count; i++)
        if (transfers[i].to == slot)
            cs_ops_recv(ops, cs_rank_of_slot(call, transfers[i].from), transfers[i].chunk);
        else
            cs_ops_send(ops, cs_rank_of_slot(call, transfers[i].to), transfers[i].chunk);
}

static void broadcast_two_tree_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    if (cs_rooted_trees_are_used(ctx))
        cs_rooted_trees_down(ctx, at.party, at.lane, at.round, ops);
    else
        broadcast_two_tree_step(ctx, at.party, at.round, ops);
}

static enum cs_exactness two_tree_exactness(const struct cs_call *call)
{
    return cs_rooted_trees_are_used(call) || call->elements % call->chunks ? CS_COST_ROUGHLY
                                                                           : CS_COST_AT_MOST;
}

static struct cs_cost broadcast_two_tree_cost(const struct cs_call *call)
{
    struct cs_cost cost =
        cs_rooted_trees_are_used(call) ? cs_rooted_trees_cost(call) : cs_two_tree_cost(call);

    cost.reduced_bytes = 0;
    return cost;
}

const struct cs_algo cs_algo_broadcast_two_tree = {
    .name = "two-tree",
    .collective = &cs_collective_broadcast,
    .about = "half of the vector down each of two trees, in chunks",
    .formula = "at most (2L+2k-2) (alpha + V/2k/beta), 2k chunks, L = ceil(log2 p)",
    .exactness_of = two_tree_exactness,
    .takes_rings = true,
    .rings_of_nodes = true,
    .check = cs_channel_check,
    .settle = broadcast_two_tree_settle,
    .lanes = cs_two_trees_lanes,
    .blocks = cs_two_trees_blocks,
    .rounds = cs_two_trees_rounds,
    .round = broadcast_two_tree_round,
    .cost = broadcast_two_tree_cost,
};
