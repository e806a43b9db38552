/*
 * CollNet chain all-reduce: a chain in each node, and a switch between the nodes
 * that reduces (SHARP).
 *
 * n >= 2 nodes of g >= 2 ranks each, with consecutive numbers.  A channel is a
 * line of node_lines.h in every node, whose first rank is next to the channel's
 * adapter.  The chain reduces to the first rank, the first ranks of all nodes
 * send to an agent in the switch between the nodes, which reduces at the rate of
 * arrival and sends the sum to the first ranks, and the chain passes the sum
 * on; chunk after chunk.
 *
 *     n = 2, g = 3, one channel, switch S:
 *
 *     up     2 -> 1 -> 0 -> S <- 3 <- 4 <- 5
 *     down   2 <- 1 <- 0 <- S -> 3 -> 4 -> 5
 *
 * Sends per rank: with as many channels as ranks in a node V (g-1)/g up the
 * chains, the same down, and V/g to the switch for any n; a ring over all nodes
 * sends up to 2 V/g through each adapter.
 *
 *     T ~ (2(g-1) + k-1) alpha' + 2(g-1) V/k / beta' + 2 V (g-1)/g / beta'
 *         + 2 (alpha + V/(g k) / beta) + V/g / beta
 *
 * with alpha' and beta' of the links within the nodes, as if both kinds of links
 * took turns: an estimate, up to twice the time of a machine where the ports are
 * separate.
 *
 * Every rail (the ranks i of all nodes) needs one switch.
 *
 * NVIDIA/nccl, src/device/all_reduce.h (COLLNET_CHAIN); R. Graham et al.,
 * Scalable Hierarchical Aggregation Protocol (SHArP), COMHPC 2016.
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/rings/node_lines.h"
#include "algorithms/shared/trees/flow.h"
#include "topo/graph/graph.h"

#include <math.h>

enum {
    BLOCKS_BEST = 1 << 11 /* of all channels: keeps the proof short */
};

/* An agent for each rank of a node, in the switch of the rank's rail. */
static uint32_t collnet_agents(const struct cs_call *call)
{
    return call->ranks > 1 ? call->group : 0;
}

static int collnet_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    int code = cs_check_group(algo, call, err);

    if (!code)
        code = cs_channel_check(algo, call, err);
    if (!code && call->ranks > 1 && call->ranks == call->group)
        return cs_err_set(err, CS_EINPUT,
                          "%s needs several nodes, and all %u ranks are in one; sharp is for one",
                          algo->name, call->ranks);
    return code;
}

static void collnet_settle(struct cs_call *call)
{
    double volume_s = cs_vector_bytes(call) / call->hockney.beta_Bps;
    uint64_t most;

    cs_node_lines_settle(call);
    if (!cs_node_lines_start_equal(call))
        call->rings_by_node = false;
    cs_node_lines_settle_channels(call);
    most = call->elements / cs_channel_lanes(call);
    if (most > BLOCKS_BEST / cs_channel_lanes(call))
        most = BLOCKS_BEST / cs_channel_lanes(call);
    cs_settle_chunks(call, most, sqrt(2.0 * call->group * volume_s / call->hockney.alpha_s));
}

/* ---- ranks ---- */

static struct cs_node_line collnet_line(const struct cs_call *call, uint32_t share)
{
    return cs_node_line_of(call, share / call->slices);
}

static uint32_t collnet_agent(const struct cs_call *call, const struct cs_node_line *line)
{
    return call->ranks + cs_node_line_rank(line, 0, 0);
}

static struct cs_tree_flow collnet_flow(const struct cs_call *call, uint32_t rank, uint32_t share)
{
    struct cs_node_line line = collnet_line(call, share);
    uint32_t node = rank / call->group;
    uint32_t slot = cs_node_line_slot(&line, rank);
    struct cs_tree_flow flow = {
        .first = share * call->chunks, .chunks = call->chunks, .up_lane = 2 * share};

    flow.place.parent =
        slot ? cs_node_line_rank(&line, node, slot - 1) : collnet_agent(call, &line);
    if (slot + 1 < call->group)
        flow.place.child[flow.place.child_count++] = cs_node_line_rank(&line, node, slot + 1);
    return flow;
}

/* ---- agents ---- */

/* Up: a chunk from every node.  Down: a wait, and the sum to every node. */
static void agent_round(const struct cs_call *call, uint32_t lane, uint32_t k, struct cs_ops *ops)
{
    uint32_t share = lane / 2;
    struct cs_node_line line = collnet_line(call, share);
    uint32_t j = lane % 2 ? k / 2 : k;

    if (lane % 2 && k % 2 == 0)
        cs_ops_wait(ops, lane - 1, j);
    else
        cs_node_lines_agent(&line, call->ranks / call->group, lane % 2,
                            cs_block(share * call->chunks + j), ops);
}

/* ---- the program ---- */

static uint64_t collnet_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    struct cs_node_line line;

    if (call->ranks < 2)
        return 0;
    if (at.party < call->ranks)
        return at.lane % 2 ? cs_tree_down_rounds(call->chunks) : cs_tree_up_rounds(call->chunks);
    line = collnet_line(call, at.lane / 2);
    if (at.party != collnet_agent(call, &line))
        return 0;
    return (at.lane % 2 ? 2 : 1) * (uint64_t)call->chunks;
}

static void collnet_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_tree_flow flow;

    if (at.party >= call->ranks) {
        agent_round(call, at.lane, (uint32_t)at.round, ops);
        return;
    }
    flow = collnet_flow(call, at.party, at.lane / 2);
    if (at.lane % 2)
        cs_tree_down_round(&flow, at.round, ops);
    else
        cs_tree_up_round(&flow, at.round, ops);
}

/* ---- cost ---- */

/* A chunk of all channels, in a step. */
static double collnet_step_bytes(const struct cs_call *call)
{
    return cs_longest_run_bytes(call, cs_channel_chunks(call), 1) * cs_channel_lanes(call);
}

static struct cs_cost collnet_local_cost(const struct cs_call *call)
{
    double hops = call->group - 1.0;
    double share = (double)cs_node_lines_contention(call) / cs_channel_lanes(call);
    double bytes =
        2 * hops * cs_vector_bytes(call) / call->group + 2 * hops * collnet_step_bytes(call);

    return (struct cs_cost){2 * hops + call->chunks - 1.0, bytes * fmin(share, 1),
                            hops / call->group * cs_vector_bytes(call)};
}

static struct cs_cost collnet_cost(const struct cs_call *call)
{
    struct cs_cost cost = collnet_local_cost(call);
    double bytes = cs_vector_bytes(call) + 2 * collnet_step_bytes(call);

    cost.rounds += 2;
    cost.bytes += bytes / cs_node_lines_count(call);
    return cost;
}

const struct cs_algo cs_algo_allreduce_collnet_chain = {
    .name = "collnet-chain",
    .collective = &cs_collective_allreduce,
    .about = "chains in nodes, and switches between nodes reduce",
    .formula = "(2(g-1) + k-1) alpha' + 2(g-1) V (1/k + 1/g)/beta' + 2 alpha + "
               "(1 + 2/k) V/g/beta, n nodes of g ranks",
    .exactness = CS_COST_ROUGHLY,
    .takes_rings = true,
    .rings_of_nodes = true,
    .agent_place = CS_AGENT_FABRIC,
    .needs = CS_SWITCH_REDUCES,
    .check = collnet_check,
    .settle = collnet_settle,
    .agents = collnet_agents,
    .lanes = cs_channel_lanes_twice,
    .blocks = cs_channel_chunks,
    .rounds = collnet_rounds,
    .round = collnet_round,
    .cost = collnet_cost,
    .local_cost = collnet_local_cost,
};
