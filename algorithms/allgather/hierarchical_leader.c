/*
 * Hierarchical all-gather over leaders: only one rank of each node communicates
 * with other nodes (leaders.h).
 *
 * The leader gathers the blocks of the node, sends them around the ring of
 * leaders chunk by chunk, and passes the chunks of other nodes into a chain of
 * the ranks of the node.  The ranks of a node exchange the own blocks directly.
 *
 *     p = 4, nodes {0 1} and {2 3}, 2 chunks:
 *
 *     node    0 <-> 1: 0 and 1       2 <-> 3: 2 and 3
 *     ring    0 <-> 2: 0 and 2, then 1 and 3
 *     chain   0 -> 1: 2, then 3      2 -> 3: 0, then 1
 *
 * Sends of a leader: (n-1)/n V to the next leader, (n-1)/n V + (g-1) V/p within
 * the node.  A node sends (n-1) k messages: for networks where messages are
 * dear, or nodes with one adapter.
 */
#include "algorithms/shared/leaders.h"

enum allgather_leader_lane {
    ALLGATHER_LEADER_NODE,
    ALLGATHER_LEADER_RING,
    ALLGATHER_LEADER_CHAIN
};

/* Lanes of a leader with a wait in front of each step: two rounds. */
static uint64_t allgather_leader_rounds(const void *ctx, struct cs_at here)
{
    const struct cs_call *call = ctx;
    struct cs_leader at;

    if (call->ranks < 2)
        return 0;
    at = cs_leader_of(call, here.party);
    if (here.lane == ALLGATHER_LEADER_NODE)
        return 1 + (at.index ? cs_leader_shares(&at, at.index) : at.chunks);
    if (at.index == 0)
        return 2 * cs_leader_steps(&at);
    return here.lane == ALLGATHER_LEADER_CHAIN ? cs_leader_chain_rounds(&at) : 0;
}

/* Chunk j of the own span to the leader. */
static void allgather_to_leader(const struct cs_leader *at, uint32_t j, struct cs_ops *ops)
{
    struct cs_blocks share;

    if (at->index) {
        j += cs_leader_first_share(at, at->index);
        cs_ops_send(ops, at->first, cs_leader_share(at, at->index, j));
        return;
    }
    for (uint32_t i = 1; i < at->group; i++) {
        share = cs_leader_share(at, i, j);
        if (share.count)
            cs_ops_recv(ops, at->first + i, share);
    }
}

/* The own block to the other ranks of the node except the leader. */
static void allgather_own_node(const struct cs_leader *at, struct cs_ops *ops)
{
    for (uint32_t s = 1; s < at->group; s++) {
        uint32_t to = cs_ahead(at->index, s, at->group);
        uint32_t from = cs_behind(at->index, s, at->group);

        if (to)
            cs_ops_send(ops, at->first + to, cs_leader_block(at, at->index));
        if (at->index)
            cs_ops_recv(ops, at->first + from, cs_leader_block(at, from));
    }
}

static void allgather_leader_node(const struct cs_leader *at, uint64_t k, struct cs_ops *ops)
{
    uint32_t shares = at->index ? cs_leader_shares(at, at->index) : at->chunks;

    if (k < shares)
        allgather_to_leader(at, (uint32_t)k, ops);
    else
        allgather_own_node(at, ops);
}

/* The first k steps wait for the blocks of the node. */
static void allgather_leader_ring(const struct cs_leader *at, uint64_t k, struct cs_ops *ops)
{
    uint64_t q = k / 2;
    uint64_t last = at->chunks - 1;

    if (k % 2 == 0) {
        cs_ops_wait(ops, ALLGATHER_LEADER_NODE, (uint32_t)(q < last ? q : last));
        return;
    }
    cs_ops_send(ops, at->next, cs_leader_chunk(at, q, 0));
    cs_ops_recv(ops, at->previous, cs_leader_chunk(at, q, 1));
}

static void allgather_leader_chain(const struct cs_leader *at, uint64_t k, struct cs_ops *ops)
{
    uint32_t rank = at->first + at->index;

    if (at->index == 0) {
        if (k % 2 == 0)
            cs_ops_wait(ops, ALLGATHER_LEADER_RING, (uint32_t)k + 1);
        else
            cs_ops_send(ops, rank + 1, cs_leader_chunk(at, k / 2, 1));
        return;
    }
    if (k < cs_leader_steps(at))
        cs_ops_recv(ops, rank - 1, cs_leader_chunk(at, k, 1));
    if (k > 0 && at->index + 1 < at->group)
        cs_ops_send(ops, rank + 1, cs_leader_chunk(at, k - 1, 1));
}

static void allgather_leader_round(const void *ctx, struct cs_at here, struct cs_ops *ops)
{
    struct cs_leader at = cs_leader_of(ctx, here.party);

    if (here.lane == ALLGATHER_LEADER_NODE)
        allgather_leader_node(&at, here.round, ops);
    else if (here.lane == ALLGATHER_LEADER_RING)
        allgather_leader_ring(&at, here.round, ops);
    else
        allgather_leader_chain(&at, here.round, ops);
}

const struct cs_algo cs_algo_allgather_hierarchical_leader = {
    .name = "hierarchical-leader",
    .collective = &cs_collective_allgather,
    .about = "a gather at each node's leader, a ring of leaders, chains",
    .formula = "K (alpha + m/beta) + (K+g) alpha' + ((K+g-2) m + (g-1) V/p)/beta', m = V/(n k), K "
               "= (n-1) k",
    .exactness = CS_COST_ROUGHLY,
    .check = cs_check_group_chunks,
    .settle = cs_leader_settle,
    .lanes = cs_leader_lanes,
    .blocks = cs_leader_blocks,
    .parts = cs_leader_parts,
    .rounds = allgather_leader_rounds,
    .round = allgather_leader_round,
    .cost = cs_leader_cost,
    .local_cost = cs_leader_local_cost,
};
