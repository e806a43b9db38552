/*
 * Two-tree: half of the vector down, or up, each of two trees, in chunks, by a
 * timetable (two_tree.h).
 *
 * Any p >= 1, any root, L = ceil(log2 p).  Even chunks use tree 0, odd chunks
 * tree 1; with 2k chunks k in either.  Broadcast: in one tree a slot receives
 * chunks and sends each to two children, in the other tree the slot only receives:
 * in every step at most one message in and one out.
 *
 *     p = 4, chunks 0 .. 3, as (from, to: chunk); k = 2, 6 steps:
 *
 *     step 0:  0,2: 0                    step 3:  0,1: 3   1,2: 1   2,3: 2
 *     step 1:  0,1: 1   2,3: 0           step 4:  1,3: 3   2,1: 2
 *     step 2:  0,2: 2   1,3: 1   2,1: 0  step 5:  1,2: 3
 *
 * Reduce: the timetable runs from the end, so that chunks are in reverse order: in
 * one tree a slot reduces the chunks of two children and sends the sum, in the
 * other tree the slot only sends.
 *
 * Sends per rank: at most V; (p-1) V in total.
 *
 *     T <= (2L + 2k - 2) (alpha + V/2k / beta)                  broadcast
 *     T = (2L + 2k - 2) (alpha + V/2k / beta + V/2k gamma)      reduce, at most
 *
 * for 2k dividing V; with equality for some p.  Otherwise ranks drift apart and
 * messages share a port, for a little more.  In the reduce for ranks that keep to
 * the timetable: but ranks wait for messages, not for steps: leaves send early and
 * occupy the parent's port, for up to a quarter more time; and a reduction during
 * the arrival of the next chunk saves time.  The best k is
 * sqrt((L-1) V (1/beta + gamma) / (2 alpha)).
 *
 * With a machine's nodes and rings: trees over the nodes and chains in the nodes,
 * in channels (rooted_trees.h).
 *
 * P. Sanders, J. Speck and J. L. Traeff, Parallel Computing 35(12), 2009.
 */
#include "algorithms/shared/trees/two_tree.h"
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/trees/rooted_trees.h"

static void two_tree_mirror_settle(struct cs_call *call)
{
    double gamma = cs_leaves_root(call) ? 0 : call->hockney.gamma_s_per_byte;

    if (!cs_rooted_trees_settle(call, gamma))
        cs_two_tree_settle(call, gamma);
}

/* A step of the timetable. */
static void two_tree_step(const struct cs_call *call, uint32_t rank, uint64_t k, struct cs_ops *ops)
{
    bool down = cs_leaves_root(call);
    uint32_t slot = cs_slot_of(call, rank);
    struct cs_two_tree_transfer transfers[2];
    uint32_t count =
        cs_two_tree_transfers(call, slot, down ? k : cs_two_tree_steps(call) - 1 - k, transfers);

    for (uint32_t i = 0; i < count; i++) {
        bool arrives = transfers[i].to == slot;

        cs_mirror_message(call, arrives != down,
                          cs_rank_of_slot(call, arrives ? transfers[i].from : transfers[i].to),
                          transfers[i].chunk, ops);
    }
}

static void two_tree_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    if (cs_rooted_trees_are_used(ctx))
        cs_rooted_trees_round(ctx, cs_leaves_root(ctx), at, ops);
    else
        two_tree_step(ctx, at.party, at.round, ops);
}

static enum cs_exactness two_tree_exactness(const struct cs_call *call)
{
    return cs_rooted_trees_are_used(call) || call->elements % call->chunks ? CS_COST_ROUGHLY
                                                                           : CS_COST_AT_MOST;
}

static struct cs_cost two_tree_mirror_cost(const struct cs_call *call)
{
    struct cs_cost cost =
        cs_rooted_trees_are_used(call) ? cs_rooted_trees_cost(call) : cs_two_tree_cost(call);

    if (cs_leaves_root(call))
        cost.reduced_bytes = 0;
    return cost;
}

#define TWO_TREE                                                                                  \
    .name = "two-tree", .takes_rings = true, .rings_of_nodes = true, .check = cs_channel_check,   \
    .settle = two_tree_mirror_settle, .lanes = cs_two_trees_lanes, .blocks = cs_two_trees_blocks, \
    .rounds = cs_two_trees_rounds, .round = two_tree_mirror_round, .cost = two_tree_mirror_cost

const struct cs_algo cs_algo_broadcast_two_tree = {
    TWO_TREE,
    .collective = &cs_collective_broadcast,
    .about = "half of the vector down each of two trees, in chunks",
    .formula = "at most (2L+2k-2) (alpha + V/2k/beta), 2k chunks, L = ceil(log2 p)",
    .exactness_of = two_tree_exactness,
};

const struct cs_algo cs_algo_reduce_two_tree = {
    TWO_TREE,
    .collective = &cs_collective_reduce,
    .about = "half of the vector up each of two trees, in chunks",
    .formula = "about (2L+2k-2) (alpha + V/2k/beta + V/2k gamma), 2k chunks",
    .exactness = CS_COST_ROUGHLY,
};
