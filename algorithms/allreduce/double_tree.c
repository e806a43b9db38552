/*
 * Double-tree all-reduce: two binary trees, each with half of the vector, in
 * chunks, up and down at once (trees/shape.h, trees/flow.h).
 *
 * Any p >= 1; k chunks in each of c channels.  Lanes 2i and 2i + 1 go up and
 * down the tree of lane i of channels.h; even channels have tree 0, odd ones
 * tree 1.  An inner rank of one tree is a leaf of the other, so that all ports
 * have equal load.  With nodes of several ranks, the trees are NCCL's: binary
 * trees over the nodes and a chain in each node, with channels for all adapters
 * (node_trees.h).
 *
 *     p = 4:   0-.      half 0        .-3   half 1
 *                2                   1
 *               1 3                 2 0
 *
 * Sends: at most 2 V per rank with two channels, V/2 up each tree and V/2 to
 * each child; 2(p-1) V in total.  In addition to the vector a rank needs room
 * for chunks that arrive early.
 *
 * With chunks of m = ceil(V/(c k)) bytes and trees of depth L, ceil(log2 p) over
 * ranks: 2 L steps for the first chunk of all c channels, where the channels of
 * a rank receive and reduce, or send, c chunks in all, and then k - 1 steps with
 * 2 c chunks through a port and c reductions (half as many for p = 2, with one
 * child per rank):
 *
 *     T ~ 2 L (alpha + c m / beta) + L c m gamma
 *         + (k-1) alpha + (V/c - m) c (2 / beta + gamma)
 *
 * An estimate, mostly a little above the simulation, because lanes drift apart
 * and a port seldom has all chunks at once; without alpha lanes can also
 * coincide for a longer time.  With the machine's rings, c is the number of
 * channels through the busiest link.
 *
 * The best number is k = sqrt((2 (L-1) / beta + (L-1) gamma) V / alpha); with nodes a
 * number with equal chunks near that of the least form, whose channels have wires of
 * their own and whose steps between nodes take longer.
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/rings/node_lines.h"
#include "algorithms/shared/trees/flow.h"
#include "algorithms/shared/trees/node_trees.h"

#include <math.h>

enum {
    BLOCKS_BEST = 1 << 11 /* of all channels: keeps the proof short */
};

/* Chunks of a step through the busiest port, in one direction of the trees. */
static double double_tree_fan(const struct cs_call *call)
{
    double lanes = cs_channel_lanes(call);

    if (call->rings_by_node)
        lanes = cs_channel_contention(call);
    return call->ranks > 2 ? lanes : lanes / 2;
}

static uint64_t allreduce_double_tree_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;

    if (call->ranks < 2)
        return 0;
    return at.lane % 2 ? cs_tree_down_rounds(call->chunks) : cs_tree_up_rounds(call->chunks);
}

static void allreduce_double_tree_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t share = at.lane / 2;
    struct cs_tree_flow flow = {
        .first = share * call->chunks,
        .chunks = call->chunks,
        .up_lane = 2 * share,
    };

    cs_node_tree_place(call, share / call->slices, at.party, &flow.place);
    if (at.lane % 2)
        cs_tree_down_round(&flow, at.round, ops);
    else
        cs_tree_up_round(&flow, at.round, ops);
}

static uint32_t allreduce_double_tree_turn(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t each = 2 * call->slices; /* lanes of a channel */

    return cs_node_tree_turn(call, at.lane / each, at.party) * each + at.lane % each;
}

/* The same within a node, whose wires carry fewer channels than its adapters. */
static double double_tree_local_fan(const struct cs_call *call)
{
    double fan = double_tree_fan(call);

    if (!call->rings_by_node || call->group < 2)
        return fan;
    return fmin(fan,
                (double)cs_node_lines_contention(call) * cs_channel_lanes(call) / call->channels);
}

/* The steps of the first chunk, in trees of this depth. */
static struct cs_cost double_tree_fill(const struct cs_call *call, double depth, double fan)
{
    double chunk = cs_longest_run_bytes(call, cs_channel_chunks(call), 1);
    double bytes = fan * depth * chunk;

    return (struct cs_cost){2 * depth, 2 * bytes, bytes};
}

static struct cs_cost allreduce_double_tree_cost(const struct cs_call *call)
{
    uint32_t blocks = cs_channel_chunks(call);
    double share = cs_longest_run_bytes(call, blocks, call->chunks);
    double chunk = cs_longest_run_bytes(call, blocks, 1);
    double rest = double_tree_fan(call) * (share - chunk);
    double chain = call->group - 1.0;
    struct cs_cost cost =
        double_tree_fill(call, cs_node_trees_depth(call) - chain, double_tree_fan(call));
    struct cs_cost local = double_tree_fill(call, chain, double_tree_local_fan(call));

    cost.rounds += local.rounds + (double)call->chunks - 1;
    cost.bytes += local.bytes + 2 * rest;
    cost.reduced_bytes += local.reduced_bytes + rest;
    return cost;
}

/* The chains, and in a single node all of the time. */
static struct cs_cost allreduce_double_tree_local_cost(const struct cs_call *call)
{
    if (call->group == call->ranks)
        return allreduce_double_tree_cost(call);
    return double_tree_fill(call, call->group - 1.0, double_tree_local_fan(call));
}

/* Over ranks alone k = sqrt((2 (L-1) / beta + (L-1) gamma) V / alpha). */
static double double_tree_chunks(const struct cs_call *call, uint64_t most)
{
    static const struct cs_chunk_form form = {allreduce_double_tree_cost,
                                              allreduce_double_tree_local_cost, NULL};
    double work_s = (cs_node_trees_depth(call) - 1) * cs_vector_bytes(call) *
                    (2 / call->hockney.beta_Bps + call->hockney.gamma_s_per_byte);

    return call->rings_by_node ? cs_least_chunks(call, most, &form)
                               : sqrt(work_s / call->hockney.alpha_s);
}

static void tree_settle(struct cs_call *call)
{
    uint64_t most;
    double best;

    cs_node_trees_settle(call);
    most = call->elements / cs_channel_lanes(call);
    if (call->group > 1 && most > BLOCKS_BEST / cs_channel_lanes(call))
        most = BLOCKS_BEST / cs_channel_lanes(call);
    best = double_tree_chunks(call, most);
    if (call->group > 1)
        cs_settle_equal_chunks(call, cs_channel_lanes(call), most, best);
    else
        cs_settle_chunks(call, most, best);
}

const struct cs_algo cs_algo_allreduce_double_tree = {
    .name = "double-tree",
    .collective = &cs_collective_allreduce,
    .about = "two binary trees over ranks or nodes, each up and down, in channels",
    .formula = "(2 L + k-1) alpha + (2 L + 2(k-1)) V/k/beta + (L + k-1) V/k gamma, k chunks, L = "
               "ceil(log2 p) or chain + ceil(log2 n)",
    .exactness = CS_COST_ROUGHLY,
    .takes_rings = true,
    .rings_of_nodes = true,
    .check = cs_node_trees_check,
    .settle = tree_settle,
    .lanes = cs_channel_lanes_twice,
    .blocks = cs_channel_chunks,
    .rounds = allreduce_double_tree_rounds,
    .round = allreduce_double_tree_round,
    .turn = allreduce_double_tree_turn,
    .order = cs_node_trees_order,
    .cost = allreduce_double_tree_cost,
    .local_cost = allreduce_double_tree_local_cost,
};
