/*
 * NVLS tree all-reduce: NVSwitches reduce and copy within the nodes, binary
 * trees connect the nodes.
 *
 * The turns of a chunk in the node are those of node_switch.h.  A channel has a head in
 * each node and one of the two trees over the nodes (node_trees.h): heads send the sums of their
 * nodes up the tree, and the sum of all nodes down.
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
#include "algorithms/shared/node_switch.h"
#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/trees/node_trees.h"
#include "topo/graph/graph.h"

/* Lanes of a channel. */
enum nvls_tree_lane {
    NVLS_SUM,
    NVLS_UP,
    NVLS_DOWN,
    NVLS_COPY,
};

/* A party in a channel. */
struct nvls_party {
    struct cs_node_switch at;
    struct cs_tree_place place; /* of a head */
};

static double nvls_tree_depth(const struct cs_call *call)
{
    return cs_log2_up(call->ranks / call->group);
}

static void nvls_tree_settle(struct cs_call *call)
{
    cs_node_trees_settle(call);
    cs_node_switch_settle(call, CS_NODE_SWITCH_TURNS + 2 * nvls_tree_depth(call),
                          2 * call->hockney.alpha_s);
}

/* The place of a head for the lanes that read it. */
static void nvls_party_of(const struct cs_call *call, struct cs_at at, struct nvls_party *of)
{
    uint32_t channel = cs_node_switch_channel(call, at.lane);

    of->at.line = cs_node_tree_line(call, channel);
    of->at.units = 1;
    of->at.head_adds = false;
    of->at.ahead = CS_NODE_SWITCH_LANES + 2 * (cs_log2_up(call->ranks / call->group) - 1);
    cs_node_switch_place(call, at, &of->at);
    of->place.parent = CS_TREE_NONE;
    of->place.child_count = 0;
    if (of->at.is_head && at.lane % CS_NODE_SWITCH_LANES != NVLS_SUM)
        (void)cs_node_tree_of_heads(call, channel, at.party, &of->place);
}

static bool is_root(const struct nvls_party *of)
{
    return of->place.parent == CS_TREE_NONE;
}

/* ---- the tree ---- */

/* Round 2j waits for the sum of the node; then a leaf sends chunk j, an inner
 * head adds the children's and sends chunk j - 1. */
static void up_round(const struct nvls_party *of, uint32_t k, struct cs_ops *ops)
{
    uint32_t j = k / 2;
    uint32_t delay = of->place.child_count > 0;

    if (k % 2 == 0 && j < of->at.call->chunks) {
        cs_node_switch_wait(&of->at, j, ops);
        return;
    }
    if (!is_root(of) && j >= delay)
        cs_ops_send(ops, of->place.parent, cs_node_switch_chunk(&of->at, j - delay));
    for (uint32_t i = 0; i < of->place.child_count && j < of->at.call->chunks; i++)
        cs_ops_recv_reduce(ops, of->place.child[i], cs_node_switch_chunk(&of->at, j));
}

/* The round of up_round after which the head is done with chunk j. */
static uint32_t up_round_of(const struct nvls_party *of, uint32_t j)
{
    if (is_root(of) || of->place.child_count == 0)
        return 2 * j + 1;
    return j + 1 < of->at.call->chunks ? 2 * j + 3 : 2 * j + 2;
}

static void send_to_children(const struct nvls_party *of, uint32_t j, struct cs_ops *ops)
{
    for (uint32_t i = 0; i < of->place.child_count; i++)
        cs_ops_send(ops, of->place.child[i], cs_node_switch_chunk(&of->at, j));
}

static void down_round(const struct nvls_party *of, uint32_t k, struct cs_ops *ops)
{
    uint32_t j = k / 2;

    if (k % 2 == 0 && j < of->at.call->chunks) {
        cs_ops_wait(ops, cs_node_switch_lane(&of->at, NVLS_UP), up_round_of(of, j));
        return;
    }
    if (is_root(of)) {
        if (j < of->at.call->chunks)
            send_to_children(of, j, ops);
        return;
    }
    if (j < of->at.call->chunks)
        cs_ops_recv(ops, of->place.parent, cs_node_switch_chunk(&of->at, j));
    if (j > 0)
        send_to_children(of, j - 1, ops);
}

/* ---- the program ---- */

static uint64_t nvls_tree_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t lane = at.lane % CS_NODE_SWITCH_LANES;
    struct nvls_party of;

    if (call->ranks < 2)
        return 0;
    if (lane == NVLS_SUM || lane == NVLS_COPY)
        return cs_node_switch_rounds(call, at);
    nvls_party_of(call, at, &of);
    return of.at.is_head ? 2 * (uint64_t)call->chunks + (of.place.child_count > 0) : 0;
}

/* The root has the sum in round 2j + 1 of the lane up, other heads in that of the
 * lane down. */
static void nvls_tree_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    uint32_t k = (uint32_t)at.round;
    struct nvls_party of;

    nvls_party_of(ctx, at, &of);
    switch (at.lane % CS_NODE_SWITCH_LANES) {
    case NVLS_SUM:
        cs_node_switch_sum(&of.at, k, ops);
        break;
    case NVLS_UP:
        up_round(&of, k, ops);
        break;
    case NVLS_DOWN:
        down_round(&of, k, ops);
        break;
    default:
        cs_node_switch_copy(&of.at, k, is_root(&of) ? NVLS_UP : NVLS_DOWN, k + 1, ops);
    }
}

/* Agents have the order of channels of the rank that they serve. */
static uint32_t nvls_tree_turn(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t each = CS_NODE_SWITCH_LANES * call->slices; /* lanes of a channel */

    if (at.party >= call->ranks)
        return at.lane;
    return cs_node_tree_turn(call, at.lane / each, at.party) * each + at.lane % each;
}

static struct cs_cost nvls_tree_local_cost(const struct cs_call *call)
{
    return cs_node_switch_cost(call, (call->group + 1.0) / call->group);
}

static struct cs_cost nvls_tree_cost(const struct cs_call *call)
{
    struct cs_cost cost = nvls_tree_local_cost(call);
    double levels = 2 * nvls_tree_depth(call);
    double fan = call->ranks > 2 * call->group ? 2 : 1;
    double heads = cs_node_lines_count(call);

    cost.rounds += levels + call->chunks - 1.0;
    cost.bytes += (fan * cs_vector_bytes(call) + levels * cs_node_switch_step_bytes(call)) / heads;
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
    .check = cs_node_switch_check,
    .settle = nvls_tree_settle,
    .agents = cs_node_switch_agents,
    .lanes = cs_node_switch_lanes,
    .blocks = cs_channel_chunks,
    .rounds = nvls_tree_rounds,
    .round = nvls_tree_round,
    .turn = nvls_tree_turn,
    .order = cs_node_trees_order,
    .served = cs_node_switch_served,
    .serving = CS_NODE_SWITCH_LANES,
    .cost = nvls_tree_cost,
    .local_cost = nvls_tree_local_cost,
};
