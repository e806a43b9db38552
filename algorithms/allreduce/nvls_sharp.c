/*
 * NVLS with SHARP: switches reduce and copy both within the nodes and between them.
 *
 * The turns of a chunk in the node are those of node_switch.h.  The heads of a channel, one in
 * each of n nodes, send the sum of their node to an agent in the switch between the nodes,
 * which reduces at the rate of arrival and sends the sum of all nodes back.  Every channel has
 * four lanes, each of which takes chunk after chunk:
 *
 *     n = 2, g = 3, one channel, switches A and B of the nodes, S between them:
 *
 *     sum   0 1 2 -> A -> 0      3 4 5 -> B -> 3
 *     up    0 -> S <- 3
 *     down  0 <- S -> 3
 *     copy  0 -> A -> 1 2        3 -> B -> 4 5
 *
 * Sends per rank: V to the switch of the node, as heads add their own contribution, and with the
 * heads evenly on all ranks V/g to the switch between the nodes for any n: a packing of trees
 * that no schedule without switches that reduce can reach.
 *
 *     T ~ 4 alpha' + V / beta' + 2 alpha + (1 + 2/k) V/g / beta,
 *
 * alpha' and beta' of the links to the node's switch, and for each turn the time of a chunk of
 * all channels; counted as if both kinds of links took turns: an estimate, up to twice the time
 * of a machine where the ports are separate.
 *
 * Every rail (the ranks i of all nodes) needs one switch.
 *
 * NVIDIA/nccl, src/device/all_reduce.h (NVLS over CollNet); R. Graham et al., Scalable
 * Hierarchical Aggregation Protocol (SHArP), COMHPC 2016.
 */
#include "algorithms/shared/node_switch.h"
#include "algorithms/shared/rings/channels.h"
#include "topo/graph/graph.h"

#include <math.h>

enum {
    FILL = 8 /* by trial, as for nvls-ring */
};

/* Lanes of a channel. */
enum nvls_sharp_lane {
    NVLS_SUM,
    NVLS_UP,
    NVLS_DOWN,
    NVLS_COPY,
};

static uint32_t nvls_sharp_nodes(const struct cs_call *call)
{
    return call->ranks / call->group;
}

/* Agents of the nodes, then one for each rank of a node, in the switch of the rank's rail. */
static uint32_t nvls_sharp_agents(const struct cs_call *call)
{
    return call->ranks > 1 ? nvls_sharp_nodes(call) + call->group : 0;
}

static void nvls_sharp_settle(struct cs_call *call)
{
    cs_node_lines_settle(call);
    if (!cs_node_lines_start_equal(call))
        call->rings_by_node = false;
    cs_node_lines_settle_channels(call);
    cs_node_switch_settle(call, FILL, fmax(call->hockney.alpha_s, call->between.alpha_s));
}

/* A party in a channel. */
struct sharp_party {
    struct cs_node_switch at;
    uint32_t rail;    /* the agent between the nodes */
    bool is_rail;     /* is such an agent */
    bool is_channels; /* the channel's */
};

static struct sharp_party sharp_party_of(const struct cs_call *call, struct cs_at at)
{
    uint32_t first = call->ranks + nvls_sharp_nodes(call);
    struct sharp_party of = {
        .at = {.line = cs_node_line_of(call, cs_node_switch_channel(call, at.lane)),
               .units = 1,
               .ahead = CS_NODE_SWITCH_LANES + 1,
               .head_adds = true}};

    of.rail = first + cs_node_line_rank(&of.at.line, 0, 0);
    of.is_rail = at.party >= first;
    of.is_channels = at.party == of.rail;
    if (of.is_rail)
        at.party = 0;
    cs_node_switch_place(call, at, &of.at);
    return of;
}

/* ---- between the nodes ---- */

/* Up: a chunk from every node.  Down: a wait, and the sum to every node. */
static void rail_round(const struct sharp_party *of, enum nvls_sharp_lane lane, uint32_t k,
                       struct cs_ops *ops)
{
    bool sends = lane == NVLS_DOWN;

    if (sends && k % 2 == 0)
        cs_ops_wait(ops, cs_node_switch_lane(&of->at, NVLS_UP), k / 2);
    else
        cs_node_lines_agent(&of->at.line, nvls_sharp_nodes(of->at.call), sends,
                            cs_node_switch_chunk(&of->at, sends ? k / 2 : k), ops);
}

/* The sum of the node has left before that of all nodes arrives. */
static void head_round(const struct sharp_party *of, enum nvls_sharp_lane lane, uint32_t k,
                       struct cs_ops *ops)
{
    struct cs_blocks chunk = cs_node_switch_chunk(&of->at, k / 2);

    if (k % 2 == 0 && lane == NVLS_UP)
        cs_node_switch_wait(&of->at, k / 2, ops);
    else if (k % 2 == 0)
        cs_ops_wait(ops, cs_node_switch_lane(&of->at, NVLS_UP), k + 1);
    else if (lane == NVLS_UP)
        cs_ops_send(ops, of->rail, chunk);
    else
        cs_ops_recv(ops, of->rail, chunk);
}

/* ---- the program ---- */

static uint64_t nvls_sharp_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t lane = at.lane % CS_NODE_SWITCH_LANES;
    bool between = lane == NVLS_UP || lane == NVLS_DOWN;
    struct sharp_party of;

    if (call->ranks < 2)
        return 0;
    of = sharp_party_of(call, at);
    if (of.is_rail)
        return of.is_channels && between ? (uint64_t)lane * call->chunks : 0;
    if (!between)
        return cs_node_switch_rounds(call, at);
    return of.at.is_head ? 2 * (uint64_t)call->chunks : 0;
}

static void nvls_sharp_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    enum nvls_sharp_lane lane = at.lane % CS_NODE_SWITCH_LANES;
    uint32_t k = (uint32_t)at.round;
    struct sharp_party of = sharp_party_of(ctx, at);

    if (of.is_rail)
        rail_round(&of, lane, k, ops);
    else if (lane == NVLS_SUM)
        cs_node_switch_sum(&of.at, k, ops);
    else if (lane == NVLS_COPY)
        cs_node_switch_copy(&of.at, k, NVLS_DOWN, k + 1, ops);
    else
        head_round(&of, lane, k, ops);
}

static struct cs_cost nvls_sharp_local_cost(const struct cs_call *call)
{
    return cs_node_switch_cost(call, 1);
}

static struct cs_cost nvls_sharp_cost(const struct cs_call *call)
{
    struct cs_cost cost = nvls_sharp_local_cost(call);

    cost.rounds += 2;
    cost.bytes +=
        (cs_vector_bytes(call) + 2 * cs_node_switch_step_bytes(call)) / cs_node_lines_count(call);
    return cost;
}

const struct cs_algo cs_algo_allreduce_nvls_sharp = {
    .name = "nvls-sharp",
    .collective = &cs_collective_allreduce,
    .about = "NVSwitches reduce and copy in nodes, other switches between them",
    .formula = "4 alpha' + V/beta' + 2 alpha + (1 + 2/k) V/g/beta, nodes of g ranks, alpha' to "
               "the node's switch",
    .exactness = CS_COST_ROUGHLY,
    .takes_rings = true,
    .rings_of_nodes = true,
    .agent_place = CS_AGENT_NODE_FABRIC,
    .needs = CS_SWITCH_MULTIMEM,
    .check = cs_node_switch_check,
    .settle = nvls_sharp_settle,
    .agents = nvls_sharp_agents,
    .lanes = cs_node_switch_lanes,
    .blocks = cs_channel_chunks,
    .rounds = nvls_sharp_rounds,
    .round = nvls_sharp_round,
    .turn = cs_node_switch_turn,
    .served = cs_node_switch_served,
    .serving = CS_NODE_SWITCH_LANES,
    .cost = nvls_sharp_cost,
    .local_cost = nvls_sharp_local_cost,
};
