/*
 * NVLS tree all-reduce: NVSwitches reduce and copy within the nodes, binary
 * trees connect the nodes.
 *
 * n >= 2 nodes of g >= 2 ranks each, with consecutive numbers.  The switch of a
 * node is an agent that reduces at the rate of arrival.  A channel has a head in
 * each node, the rank next to the channel's adapter, and one of the two trees
 * over the nodes (node_trees.h).  A chunk of a channel takes four turns as in
 * nvls.c, with the trees between the second and the third:
 *
 *     1. all ranks of a node -> switch      the contributions, also the head's
 *     2. switch -> head                     the sum of the node
 *        heads up the tree, and down        the sum of all nodes
 *     3. head -> switch                     the sum of all nodes
 *     4. switch -> other ranks              copies
 *
 * Every channel has four lanes, each of which takes chunk after chunk: turns 1
 * and 2, up, down, turns 3 and 4.
 *
 *     chunk 0:   1  2  up   down  3  4
 *     chunk 1:      1  2    up   down  3  4
 *
 * Sends per rank: V to the switch, and with the heads evenly on all ranks V/g
 * again and 2 V/g to other nodes (V/g for n = 2).
 *
 *     T ~ 4 alpha' + V (g+1)/g / beta' + (2 L + k-1) alpha + 2 V/g / beta,
 *
 * L = ceil(log2 n), alpha' and beta' of the links to the switch, and for each
 * turn and edge of the route the time of a chunk of all channels; counted as if
 * both kinds of links took turns: an estimate, up to twice the time of a machine
 * where the ports are separate.
 *
 * NVIDIA/nccl, src/device/all_reduce.h (NVLS_TREE) and src/transport/nvls.cc.
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/trees/node_trees.h"
#include "topo/graph/graph.h"

#include <math.h>

enum {
    GROUP_MAX = 576,       /* NVIDIA, "NVLink and NVLink Switch" */
    BLOCKS_BEST = 1 << 10, /* of all channels: keeps the proof short */
    TURNS = 4,
    SWITCH_COPY_ROUNDS = 3, /* of a chunk: wait, receive, send */
};

/* Lanes of a channel. */
enum nvls_tree_lane {
    NVLS_SUM,
    NVLS_UP,
    NVLS_DOWN,
    NVLS_COPY,
    NVLS_LANES,
};

/* A party in a channel. */
struct nvls_party {
    const struct cs_call *call;
    uint32_t share; /* channels.h: a lane there */
    struct cs_node_line line;
    uint32_t node, agent, head;
    bool is_agent, is_head;
    struct cs_tree_place place; /* of a head */
};

static uint32_t nvls_tree_agents(const struct cs_call *call)
{
    return call->ranks > 1 ? call->ranks / call->group : 0;
}

static uint32_t nvls_tree_lanes(const struct cs_call *call)
{
    return NVLS_LANES * cs_channel_lanes(call);
}

static int nvls_tree_check(const struct cs_algo *algo, const struct cs_call *call,
                           struct cs_err *err)
{
    int code = cs_check_group(algo, call, err);

    if (!code)
        code = cs_node_trees_check(algo, call, err);
    if (code || call->ranks < 2)
        return code;
    if (call->ranks == call->group)
        return cs_err_set(err, CS_EINPUT,
                          "%s needs several nodes, and all %u ranks are in one; nvls is for one",
                          algo->name, call->ranks);
    if (call->group > GROUP_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "%s needs nodes of one NVSwitch, at most %d ranks, not %u", algo->name,
                          GROUP_MAX, call->group);
    return 0;
}

static double nvls_tree_depth(const struct cs_call *call)
{
    return cs_log2_up(call->ranks / call->group);
}

/* (TURNS + 2 L) steps of a k-th of V / beta, and k of 2 alpha. */
static void nvls_tree_settle(struct cs_call *call)
{
    double steps, volume_s;
    uint64_t most;

    cs_node_trees_settle(call);
    steps = TURNS + 2 * nvls_tree_depth(call);
    volume_s = cs_vector_bytes(call) / call->hockney.beta_Bps;
    most = call->elements / cs_channel_lanes(call);
    if (most > BLOCKS_BEST / cs_channel_lanes(call))
        most = BLOCKS_BEST / cs_channel_lanes(call);
    cs_settle_equal_chunks(call, cs_channel_lanes(call), most,
                           sqrt(steps * volume_s / (2 * call->hockney.alpha_s)));
}

/* Rank `slot` of the node, counted from the head along the channel's line. */
static uint32_t nvls_rank(const struct nvls_party *of, uint32_t slot)
{
    return cs_node_line_rank(&of->line, of->node, slot);
}

/* Written in place, as every round asks; the place of a head for the lanes that
 * read it. */
static void nvls_party_of(const struct cs_call *call, uint32_t party, uint32_t lane,
                          struct nvls_party *of)
{
    uint32_t share = lane / NVLS_LANES;
    uint32_t channel = call->slices > 1 ? share / call->slices : share;

    of->call = call;
    of->share = share;
    of->line = cs_node_tree_line(call, channel);
    of->is_agent = party >= call->ranks;
    of->node = of->is_agent ? party - call->ranks : party / call->group;
    of->agent = call->ranks + of->node;
    of->head = nvls_rank(of, 0);
    of->is_head = of->head == party;
    of->place.parent = CS_TREE_NONE;
    of->place.child_count = 0;
    if (of->is_head && lane % NVLS_LANES != NVLS_SUM)
        (void)cs_node_tree_of_heads(call, channel, party, &of->place);
}

static struct cs_blocks nvls_chunk(const struct nvls_party *of, uint32_t j)
{
    return cs_block(of->share * of->call->chunks + j);
}

static uint32_t nvls_lane(const struct nvls_party *of, enum nvls_tree_lane lane)
{
    return of->share * NVLS_LANES + lane;
}

static bool is_root(const struct nvls_party *of)
{
    return of->place.parent == CS_TREE_NONE;
}

/* ---- turns 1 and 2 ---- */

static void sum_round(const struct nvls_party *of, uint32_t k, struct cs_ops *ops)
{
    struct cs_blocks chunk = nvls_chunk(of, k / 2);

    if (!of->is_agent && k % 2 == 0)
        cs_ops_send(ops, of->agent, chunk);
    else if (of->is_head)
        cs_ops_recv(ops, of->agent, chunk);
    else if (of->is_agent && k % 2)
        cs_ops_send(ops, of->head, chunk);
    for (uint32_t i = 0; of->is_agent && k % 2 == 0 && i < of->call->group; i++)
        cs_ops_recv_reduce(ops, nvls_rank(of, i), chunk);
    cs_ops_in_order(ops);
}

/* ---- the tree ---- */

/* Round 2j waits for the sum of the node; then a leaf sends chunk j, an inner
 * head adds the children's and sends chunk j - 1. */
static void up_round(const struct nvls_party *of, uint32_t k, struct cs_ops *ops)
{
    uint32_t j = k / 2;
    uint32_t delay = of->place.child_count > 0;

    if (k % 2 == 0 && j < of->call->chunks) {
        cs_ops_wait(ops, nvls_lane(of, NVLS_SUM), 2 * j + 1);
        return;
    }
    if (!is_root(of) && j >= delay)
        cs_ops_send(ops, of->place.parent, nvls_chunk(of, j - delay));
    for (uint32_t i = 0; i < of->place.child_count && j < of->call->chunks; i++)
        cs_ops_recv_reduce(ops, of->place.child[i], nvls_chunk(of, j));
}

/* The round of up_round after which the head is done with chunk j. */
static uint32_t up_round_of(const struct nvls_party *of, uint32_t j)
{
    if (is_root(of) || of->place.child_count == 0)
        return 2 * j + 1;
    return j + 1 < of->call->chunks ? 2 * j + 3 : 2 * j + 2;
}

static void send_to_children(const struct nvls_party *of, uint32_t j, struct cs_ops *ops)
{
    for (uint32_t i = 0; i < of->place.child_count; i++)
        cs_ops_send(ops, of->place.child[i], nvls_chunk(of, j));
}

static void down_round(const struct nvls_party *of, uint32_t k, struct cs_ops *ops)
{
    uint32_t j = k / 2;

    if (k % 2 == 0 && j < of->call->chunks) {
        cs_ops_wait(ops, nvls_lane(of, NVLS_UP), up_round_of(of, j));
        return;
    }
    if (is_root(of)) {
        if (j < of->call->chunks)
            send_to_children(of, j, ops);
        return;
    }
    if (j < of->call->chunks)
        cs_ops_recv(ops, of->place.parent, nvls_chunk(of, j));
    if (j > 0)
        send_to_children(of, j - 1, ops);
}

/* ---- turns 3 and 4 ---- */

/* The root has the sum in round 2j + 1 of the lane up, other heads in that of the
 * lane down. */
static void copy_from_head(const struct nvls_party *of, uint32_t k, struct cs_ops *ops)
{
    enum nvls_tree_lane before = is_root(of) ? NVLS_UP : NVLS_DOWN;

    if (k % 2 == 0)
        cs_ops_wait(ops, nvls_lane(of, before), k + 1);
    else
        cs_ops_send(ops, of->agent, nvls_chunk(of, k / 2));
}

/* The contribution has left before the sum arrives. */
static void copy_to_rank(const struct nvls_party *of, uint32_t k, struct cs_ops *ops)
{
    if (k % 2 == 0)
        cs_ops_wait(ops, nvls_lane(of, NVLS_SUM), k);
    else
        cs_ops_recv(ops, of->agent, nvls_chunk(of, k / 2));
}

/* The sum of the node has left before that of all nodes arrives. */
static void copy_in_switch(const struct nvls_party *of, uint32_t k, struct cs_ops *ops)
{
    uint32_t j = k / SWITCH_COPY_ROUNDS;
    uint32_t turn = k % SWITCH_COPY_ROUNDS;

    if (turn == 0) {
        cs_ops_wait(ops, nvls_lane(of, NVLS_SUM), 2 * j + 1);
        return;
    }
    if (turn == 1)
        cs_ops_recv(ops, of->head, nvls_chunk(of, j));
    for (uint32_t i = 1; turn == 2 && i < of->call->group; i++)
        cs_ops_send(ops, nvls_rank(of, i), nvls_chunk(of, j));
    cs_ops_in_order(ops);
}

static void copy_round(const struct nvls_party *of, uint32_t k, struct cs_ops *ops)
{
    if (of->is_agent)
        copy_in_switch(of, k, ops);
    else if (of->is_head)
        copy_from_head(of, k, ops);
    else
        copy_to_rank(of, k, ops);
}

/* ---- the program ---- */

static uint64_t nvls_tree_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint64_t chunks = call->chunks;
    struct nvls_party of;

    if (call->ranks < 2)
        return 0;
    switch (at.lane % NVLS_LANES) {
    case NVLS_SUM:
        return 2 * chunks;
    case NVLS_COPY:
        return (at.party < call->ranks ? 2 : SWITCH_COPY_ROUNDS) * chunks;
    default:
        nvls_party_of(call, at.party, at.lane, &of);
        return of.is_head ? 2 * chunks + (of.place.child_count > 0) : 0;
    }
}

static void nvls_tree_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    struct nvls_party of;

    nvls_party_of(ctx, at.party, at.lane, &of);
    switch (at.lane % NVLS_LANES) {
    case NVLS_SUM:
        sum_round(&of, (uint32_t)at.round, ops);
        break;
    case NVLS_UP:
        up_round(&of, (uint32_t)at.round, ops);
        break;
    case NVLS_DOWN:
        down_round(&of, (uint32_t)at.round, ops);
        break;
    default:
        copy_round(&of, (uint32_t)at.round, ops);
    }
}

/* Agents have the order of channels of the rank that they serve. */
static uint32_t nvls_tree_turn(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t each = NVLS_LANES * call->slices; /* lanes of a channel */

    if (at.party >= call->ranks)
        return at.lane;
    return cs_node_tree_turn(call, at.lane / each, at.party) * each + at.lane % each;
}

/* The channel's own lane. */
static uint32_t nvls_tree_served(const void *ctx, uint32_t lane, const struct cs_op *send)
{
    (void)ctx;
    (void)send;
    return lane;
}

/* ---- cost ---- */

/* A chunk of all channels, in a step. */
static double step_bytes(const struct cs_call *call)
{
    return cs_longest_run_bytes(call, cs_channel_chunks(call), 1) * cs_channel_lanes(call);
}

static struct cs_cost nvls_tree_local_cost(const struct cs_call *call)
{
    double g = call->group;

    return (struct cs_cost){TURNS, cs_vector_bytes(call) * (g + 1) / g + TURNS * step_bytes(call),
                            0};
}

static struct cs_cost nvls_tree_cost(const struct cs_call *call)
{
    struct cs_cost cost = nvls_tree_local_cost(call);
    double levels = 2 * nvls_tree_depth(call);
    double fan = call->ranks > 2 * call->group ? 2 : 1;
    double heads = cs_node_lines_count(call);

    cost.rounds += levels + call->chunks - 1.0;
    cost.bytes += (fan * cs_vector_bytes(call) + levels * step_bytes(call)) / heads;
    return cost;
}

const struct cs_algo cs_algo_allreduce_nvls_tree = {
    .name = "nvls-tree",
    .collective = &cs_collective_allreduce,
    .about = "NVSwitches reduce and copy in nodes, trees connect the nodes",
    .formula = "4 alpha' + (g+1)/g V/beta' + (2 L + k-1) alpha + 2 V/g/beta, L = ceil(log2 n), n "
               "nodes of g ranks, alpha' to the switch",
    .exactness = CS_COST_ROUGHLY,
    .takes_rings = true,
    .rings_of_nodes = true,
    .agent_place = CS_AGENT_SWITCH_NODE,
    .needs = CS_SWITCH_MULTIMEM,
    .check = nvls_tree_check,
    .settle = nvls_tree_settle,
    .agents = nvls_tree_agents,
    .lanes = nvls_tree_lanes,
    .blocks = cs_channel_chunks,
    .rounds = nvls_tree_rounds,
    .round = nvls_tree_round,
    .turn = nvls_tree_turn,
    .order = cs_node_trees_order,
    .served = nvls_tree_served,
    .serving = NVLS_LANES,
    .cost = nvls_tree_cost,
    .local_cost = nvls_tree_local_cost,
};
