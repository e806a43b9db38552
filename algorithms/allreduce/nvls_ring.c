/*
 * NVLS ring all-reduce: NVSwitches reduce and copy within the nodes, rings
 * connect the nodes, if there are several.
 *
 * The turns of a chunk in the node are those of node_switch.h.  The heads of a channel, one in
 * each of n nodes, sum a chunk in n blocks around a ring: reduce-scatter, then
 * all-gather (phase.h).  Every channel has four lanes, each of which takes chunk after chunk:
 *
 *     chunk 0:   1  2  scatter  gather   3  4
 *     chunk 1:      1  2        scatter  gather  3  4
 *
 * Sends per rank: V to the switch, as heads add their own contribution to the sum (each is
 * the owner of a multicast group of the other ranks), and with the heads evenly on all ranks
 * 2 (n-1)/n V/g to other nodes, the least where no switch between the nodes reduces; the trees
 * of nvls-tree send up to 2 V/g.
 *
 *     T ~ 4 alpha' + V / beta' + (2 (n-1) + k-1) alpha + 2 (n-1)/n V/g / beta,
 *
 * alpha' and beta' of the links to the switch, and for each turn the time of a chunk of all
 * channels; counted as if both kinds of links took turns: an estimate, up to twice the
 * time of a machine where the ports are separate.
 */
#include "algorithms/shared/node_switch.h"
#include "algorithms/shared/rings/channels.h"
#include "topo/graph/graph.h"

#include <math.h>

enum {
    FILL = 8 /* by trial: turns 1 and 4 are V, and half of the latencies hide in each other */
};

/* Lanes of a channel. */
enum nvls_ring_lane {
    NVLS_SUM,
    NVLS_SCATTER,
    NVLS_GATHER,
    NVLS_COPY,
};

static uint32_t nvls_ring_nodes(const struct cs_call *call)
{
    return call->ranks / call->group;
}

static uint32_t nvls_ring_blocks(const struct cs_call *call)
{
    return cs_channel_chunks(call) * nvls_ring_nodes(call);
}

/* A chunk takes n - 1 latencies in each of two lanes, and in one node those of the turns. */
static void nvls_ring_settle(struct cs_call *call)
{
    double alpha_s = fmax(call->hockney.alpha_s, call->between.alpha_s);

    cs_node_lines_settle(call);
    cs_node_lines_settle_channels(call);
    cs_node_switch_settle(call, FILL, fmax(nvls_ring_nodes(call) - 1.0, 1) * alpha_s);
}

/* ---- the rings ---- */

/* Step k of chunk j from node to node. */
static void ring_step(const struct cs_node_switch *of, enum nvls_ring_lane lane, uint32_t j,
                      uint32_t k, struct cs_ops *ops)
{
    uint32_t n = of->units;
    uint32_t first = cs_node_switch_chunk(of, j).first;
    uint32_t block = cs_behind(of->node, lane == NVLS_SCATTER ? k + 1 : k, n);
    uint32_t from = cs_node_line_rank(&of->line, cs_behind(of->node, 1, n), 0);
    struct cs_blocks comes = cs_block(first + cs_behind(block, 1, n));

    cs_ops_send(ops, cs_node_line_rank(&of->line, cs_ahead(of->node, 1, n), 0),
                cs_block(first + block));
    if (lane == NVLS_SCATTER)
        cs_ops_recv_reduce(ops, from, comes);
    else
        cs_ops_recv(ops, from, comes);
}

/* For each chunk a wait for the lane before, and n - 1 steps. */
static void ring_round(const struct cs_node_switch *of, enum nvls_ring_lane lane, uint32_t k,
                       struct cs_ops *ops)
{
    uint32_t n = of->units;

    if (k % n)
        ring_step(of, lane, k / n, k % n - 1, ops);
    else if (lane == NVLS_SCATTER)
        cs_node_switch_wait(of, k / n, ops);
    else
        cs_ops_wait(ops, cs_node_switch_lane(of, NVLS_SCATTER), k + n - 1);
}

/* ---- the program ---- */

static void nvls_ring_place(const struct cs_call *call, struct cs_at at, struct cs_node_switch *of)
{
    of->line = cs_node_line_of(call, cs_node_switch_channel(call, at.lane));
    of->units = nvls_ring_nodes(call);
    of->ahead = CS_NODE_SWITCH_LANES + 1; /* a chunk in each lane, and one on its way */
    of->head_adds = true;
    cs_node_switch_place(call, at, of);
}

static uint64_t nvls_ring_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t lane = at.lane % CS_NODE_SWITCH_LANES;
    struct cs_node_switch of;

    if (call->ranks < 2)
        return 0;
    if (lane == NVLS_SUM || lane == NVLS_COPY)
        return cs_node_switch_rounds(call, at);
    nvls_ring_place(call, at, &of);
    return of.is_head ? (uint64_t)of.units * call->chunks : 0;
}

static void nvls_ring_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    enum nvls_ring_lane lane = at.lane % CS_NODE_SWITCH_LANES;
    uint32_t k = (uint32_t)at.round;
    struct cs_node_switch of;

    nvls_ring_place(ctx, at, &of);
    if (lane == NVLS_SUM)
        cs_node_switch_sum(&of, k, ops);
    else if (lane == NVLS_COPY)
        cs_node_switch_copy(&of, k, NVLS_GATHER, (k / 2 + 1) * of.units - 1, ops);
    else
        ring_round(&of, lane, k, ops);
}

static struct cs_cost nvls_ring_local_cost(const struct cs_call *call)
{
    return cs_node_switch_cost(call, 1);
}

static struct cs_cost nvls_ring_cost(const struct cs_call *call)
{
    struct cs_cost cost = nvls_ring_local_cost(call);
    double steps = 2.0 * (nvls_ring_nodes(call) - 1);
    double heads = cs_node_lines_count(call);

    cost.rounds += steps + call->chunks - 1.0;
    cost.bytes += steps / nvls_ring_nodes(call) *
                  (cs_vector_bytes(call) + cs_node_switch_step_bytes(call)) / heads;
    return cost;
}

const struct cs_algo cs_algo_allreduce_nvls_ring = {
    .name = "nvls-ring",
    .collective = &cs_collective_allreduce,
    .about = "NVSwitches reduce and copy in nodes, rings connect the nodes",
    .formula = "4 alpha' + V/beta' + (2(n-1) + k-1) alpha + 2(n-1)/n V/g/beta, n nodes of "
               "g ranks, alpha' to the switch",
    .exactness = CS_COST_ROUGHLY,
    .takes_rings = true,
    .rings_of_nodes = true,
    .agent_place = CS_AGENT_SWITCH_NODE,
    .needs = CS_SWITCH_MULTIMEM,
    .check = cs_node_switch_check_any,
    .settle = nvls_ring_settle,
    .agents = cs_node_switch_agents,
    .lanes = cs_node_switch_lanes,
    .blocks = nvls_ring_blocks,
    .rounds = nvls_ring_rounds,
    .round = nvls_ring_round,
    .turn = cs_node_switch_turn,
    .served = cs_node_switch_served,
    .serving = CS_NODE_SWITCH_LANES,
    .cost = nvls_ring_cost,
    .local_cost = nvls_ring_local_cost,
};
