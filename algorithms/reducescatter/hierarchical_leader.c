/*
 * Hierarchical reduce-scatter over leaders: only one rank of each node
 * communicates with other nodes (leaders.h).
 *
 * A chain of the ranks of the node adds the blocks for other nodes towards the
 * leader, the leaders add the chunks around a ring, and the leader passes the
 * sums of all other nodes to the ranks of the node, which exchange their own
 * contributions directly.
 *
 *     p = 4, nodes {0 1} and {2 3}, 2 chunks:
 *
 *     chain   1 -> 0: 2, then 3      3 -> 2: 0, then 1
 *     ring    0 <-> 2: 01 of 2, 23 of 0, then 01 of 3, 23 of 1
 *     node    0 <-> 1: 023 of 1, 1 of 0      2 <-> 3: 012 of 3, 3 of 2
 *
 * Sends of a leader: (n-1)/n V to the next leader, (g-1) V/p within the node.
 * A node sends (n-1) k messages: for networks where messages are dear, or nodes
 * with one adapter.  The form of leaders.h, with gamma for every arrival at a
 * leader.
 */
#include "algorithms/shared/leaders.h"

enum reducescatter_leader_lane {
    REDUCESCATTER_LEADER_CHAIN,
    REDUCESCATTER_LEADER_RING,
    REDUCESCATTER_LEADER_NODE
};

/* A leader waits in front of each step of the ring and of each chunk of the own
 * span: two rounds. */
static uint64_t reducescatter_leader_rounds(const void *ctx, struct cs_at here)
{
    const struct cs_call *call = ctx;
    struct cs_leader at;

    if (call->ranks < 2)
        return 0;
    at = cs_leader_of(call, here.party);
    if (here.lane == REDUCESCATTER_LEADER_CHAIN)
        return cs_leader_chain_rounds(&at);
    if (here.lane == REDUCESCATTER_LEADER_RING)
        return at.index ? 0 : 2 * cs_leader_steps(&at);
    return 1 + (at.index ? cs_leader_shares(&at, at.index) : 2 * (uint64_t)at.chunks);
}

static void reducescatter_leader_chain(const struct cs_leader *at, uint64_t k, struct cs_ops *ops)
{
    uint32_t rank = at->first + at->index;

    if (at->index + 1 == at->group) {
        cs_ops_send(ops, rank - 1, cs_leader_chunk(at, k, 1));
        return;
    }
    if (k < cs_leader_steps(at))
        cs_ops_recv_reduce(ops, rank + 1, cs_leader_chunk(at, k, 1));
    if (k > 0 && at->index > 0)
        cs_ops_send(ops, rank - 1, cs_leader_chunk(at, k - 1, 1));
}

static void reducescatter_leader_ring(const struct cs_leader *at, uint64_t k, struct cs_ops *ops)
{
    if (k % 2 == 0) {
        cs_ops_wait(ops, REDUCESCATTER_LEADER_CHAIN, (uint32_t)(k / 2));
        return;
    }
    cs_ops_send(ops, at->next, cs_leader_chunk(at, k / 2, 1));
    cs_ops_recv_reduce(ops, at->previous, cs_leader_chunk(at, k / 2, 2));
}

/* Contributions to the blocks of the other ranks of the node; the leader's are
 * part of the sums of reducescatter_from_leader. */
static void reducescatter_own_node(const struct cs_leader *at, struct cs_ops *ops)
{
    for (uint32_t s = 1; s < at->group; s++) {
        uint32_t to = cs_ahead(at->index, s, at->group);
        uint32_t from = cs_behind(at->index, s, at->group);

        if (at->index)
            cs_ops_send(ops, at->first + to, cs_leader_block(at, to));
        if (from)
            cs_ops_recv_reduce(ops, at->first + from, cs_leader_block(at, at->index));
    }
}

/* Chunk j of the own span from the leader. */
static void reducescatter_from_leader(const struct cs_leader *at, uint32_t j, struct cs_ops *ops)
{
    struct cs_blocks share;

    if (at->index) {
        j += cs_leader_first_share(at, at->index);
        cs_ops_recv_reduce(ops, at->first, cs_leader_share(at, at->index, j));
        return;
    }
    for (uint32_t i = 1; i < at->group; i++) {
        share = cs_leader_share(at, i, j);
        if (share.count)
            cs_ops_send(ops, at->first + i, share);
    }
}

/* The last k steps of the ring complete the chunks of the own span. */
static void reducescatter_leader_node(const struct cs_leader *at, uint64_t k, struct cs_ops *ops)
{
    uint64_t steps = cs_leader_steps(at);
    uint64_t j = at->index ? k - 1 : (k - 1) / 2;

    if (k == 0)
        reducescatter_own_node(at, ops);
    else if (at->index || k % 2 == 0)
        reducescatter_from_leader(at, (uint32_t)j, ops);
    else if (steps)
        cs_ops_wait(ops, REDUCESCATTER_LEADER_RING, (uint32_t)(2 * (steps - at->chunks + j) + 1));
}

static void reducescatter_leader_round(const void *ctx, struct cs_at here, struct cs_ops *ops)
{
    struct cs_leader at = cs_leader_of(ctx, here.party);

    if (here.lane == REDUCESCATTER_LEADER_CHAIN)
        reducescatter_leader_chain(&at, here.round, ops);
    else if (here.lane == REDUCESCATTER_LEADER_RING)
        reducescatter_leader_ring(&at, here.round, ops);
    else
        reducescatter_leader_node(&at, here.round, ops);
}

static struct cs_cost reducescatter_leader_cost(const struct cs_call *call)
{
    struct cs_cost cost = cs_leader_cost(call);

    cost.reduced_bytes = cost.bytes;
    return cost;
}

static struct cs_cost reducescatter_leader_local_cost(const struct cs_call *call)
{
    struct cs_cost cost = cs_leader_local_cost(call);

    cost.reduced_bytes = cost.bytes;
    return cost;
}

const struct cs_algo cs_algo_reducescatter_hierarchical_leader = {
    .name = "hierarchical-leader",
    .collective = &cs_collective_reducescatter,
    .about = "chains to each node's leader, a ring of leaders, a scatter",
    .formula = "K (alpha + m/beta) + (K+g) alpha' + ((K+g-2) m + (g-1) V/p)/beta' + ((2K+g-2) m + "
               "(g-1) V/p) gamma, m = V/(n k), K = (n-1) k",
    .exactness = CS_COST_ROUGHLY,
    .check = cs_check_group_chunks,
    .settle = cs_leader_settle,
    .lanes = cs_leader_lanes,
    .blocks = cs_leader_blocks,
    .parts = cs_leader_parts,
    .rounds = reducescatter_leader_rounds,
    .round = reducescatter_leader_round,
    .cost = reducescatter_leader_cost,
    .local_cost = reducescatter_leader_local_cost,
};
