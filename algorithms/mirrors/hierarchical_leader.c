/*
 * Hierarchical all-gather and reduce-scatter over leaders: only one rank of each
 * node communicates with other nodes (leaders.h).
 *
 * All-gather: the leader gathers the blocks of the node, sends them around the ring
 * of leaders chunk by chunk, and passes the chunks of other nodes into a chain of
 * the ranks of the node.  The ranks of a node exchange the own blocks directly.
 *
 *     p = 4, nodes {0 1} and {2 3}, 2 chunks:
 *
 *     node    0 <-> 1: 0 and 1       2 <-> 3: 2 and 3
 *     ring    0 <-> 2: 0 and 2, then 1 and 3
 *     chain   0 -> 1: 2, then 3      2 -> 3: 0, then 1
 *
 * Reduce-scatter: a chain of the ranks of the node adds the blocks for other nodes
 * towards the leader, the leaders add the chunks around a ring, and the leader
 * passes the sums of all other nodes to the ranks of the node, which exchange their
 * own contributions directly.
 *
 *     chain   1 -> 0: 2, then 3      3 -> 2: 0, then 1
 *     ring    0 <-> 2: 01 of 2, 23 of 0, then 01 of 3, 23 of 1
 *     node    0 <-> 1: 023 of 1, 1 of 0      2 <-> 3: 012 of 3, 3 of 2
 *
 * Sends of a leader: (n-1)/n V to the next leader, and within the node (g-1) V/p, in
 * the all-gather (n-1)/n V more.  A node sends (n-1) k messages: for networks where
 * messages are dear, or nodes with one adapter.  The form of leaders.h, with gamma
 * for every arrival at a leader.
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/leaders.h"

/* The lanes of the all-gather; the reduce-scatter has them in reverse. */
enum leader_lane {
    LEADER_NODE,
    LEADER_RING,
    LEADER_CHAIN,
    LEADER_LANES,
};

static uint32_t leader_lane(const struct cs_call *call, uint32_t lane)
{
    return cs_gathers(call) ? lane : LEADER_LANES - 1 - lane;
}

/* A leader waits in front of each step of the ring, and of each chunk of the last
 * lane: two rounds. */
static uint64_t leader_mirror_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t last = cs_gathers(call) ? LEADER_CHAIN : LEADER_NODE;
    uint32_t lane = leader_lane(call, at.lane);
    struct cs_leader leader;
    uint32_t waits;

    if (call->ranks < 2)
        return 0;
    leader = cs_leader_of(call, at.party);
    waits = leader.index == 0 && lane == last ? 2 : 1;
    if (lane == LEADER_RING)
        return leader.index ? 0 : 2 * cs_leader_steps(&leader);
    if (lane == LEADER_CHAIN)
        return waits == 2 ? 2 * cs_leader_steps(&leader) : cs_leader_chain_rounds(&leader);
    return 1 + (leader.index ? cs_leader_shares(&leader, leader.index)
                             : waits * (uint64_t)leader.chunks);
}

/* Chunk j of the own span to the leader, or from it. */
static void leader_share(const struct cs_call *call, const struct cs_leader *at, uint32_t j,
                         struct cs_ops *ops)
{
    bool gathers = cs_gathers(call);

    if (at->index)
        cs_mirror_message(call, gathers, at->first,
                          cs_leader_share(at, at->index, j + cs_leader_first_share(at, at->index)),
                          ops);
    for (uint32_t i = 1; i < at->group && at->index == 0; i++) {
        struct cs_blocks share = cs_leader_share(at, i, j);

        if (share.count)
            cs_mirror_message(call, !gathers, at->first + i, share, ops);
    }
}

/* The own block to the other ranks of the node except the leader, or contributions
 * to their blocks; the leader's are part of the sums of leader_share. */
static void leader_own_node(const struct cs_call *call, const struct cs_leader *at,
                            struct cs_ops *ops)
{
    bool gathers = cs_gathers(call);

    for (uint32_t s = 1; s < at->group; s++) {
        uint32_t to = cs_ahead(at->index, s, at->group);
        uint32_t from = cs_behind(at->index, s, at->group);

        if (gathers ? to : at->index)
            cs_mirror_message(call, true, at->first + to,
                              cs_leader_block(at, gathers ? at->index : to), ops);
        if (gathers ? at->index : from)
            cs_mirror_message(call, false, at->first + from,
                              cs_leader_block(at, gathers ? from : at->index), ops);
    }
}

/* In the reduce-scatter the last k steps of the ring complete the chunks of the own
 * span. */
static void leader_node(const struct cs_call *call, const struct cs_leader *at, uint64_t k,
                        struct cs_ops *ops)
{
    uint64_t steps = cs_leader_steps(at);
    uint64_t shares = at->index ? cs_leader_shares(at, at->index) : at->chunks;
    bool gathers = cs_gathers(call);
    uint64_t j = gathers ? k : at->index ? k - 1 : (k - 1) / 2;

    if (k == (gathers ? shares : 0))
        leader_own_node(call, at, ops);
    else if (gathers || at->index || k % 2 == 0)
        leader_share(call, at, (uint32_t)j, ops);
    else if (steps)
        cs_ops_wait(ops, LEADER_RING, (uint32_t)(2 * (steps - at->chunks + j) + 1));
}

/* The first k steps of the all-gather wait for the blocks of the node, a step of the
 * reduce-scatter for the chain. */
static void leader_ring(const struct cs_call *call, const struct cs_leader *at, uint64_t k,
                        struct cs_ops *ops)
{
    uint64_t q = k / 2;
    uint64_t last = at->chunks - 1;
    uint32_t behind = !cs_gathers(call);

    if (k % 2 == 0) {
        cs_ops_wait(ops, 0, (uint32_t)(behind || q < last ? q : last));
        return;
    }
    cs_mirror_message(call, true, at->next, cs_leader_chunk(at, q, behind), ops);
    cs_mirror_message(call, false, at->previous, cs_leader_chunk(at, q, behind + 1), ops);
}

/* From the leader on, or towards the leader; a leader that sends waits for each
 * step of the ring. */
static void leader_chain(const struct cs_call *call, const struct cs_leader *at, uint64_t k,
                         struct cs_ops *ops)
{
    uint32_t rank = at->first + at->index;
    bool gathers = cs_gathers(call);
    bool is_first = at->index == (gathers ? 0 : at->group - 1);
    bool is_last = at->index == (gathers ? at->group - 1 : 0);
    uint32_t before = gathers ? rank - 1 : rank + 1;
    uint32_t behind = gathers ? rank + 1 : rank - 1;

    if (is_first && gathers && k % 2 == 0)
        cs_ops_wait(ops, LEADER_RING, (uint32_t)k + 1);
    else if (is_first)
        cs_ops_send(ops, behind, cs_leader_chunk(at, gathers ? k / 2 : k, 1));
    if (is_first)
        return;
    if (k < cs_leader_steps(at))
        cs_mirror_message(call, false, before, cs_leader_chunk(at, k, 1), ops);
    if (k > 0 && !is_last)
        cs_ops_send(ops, behind, cs_leader_chunk(at, k - 1, 1));
}

static void leader_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    struct cs_leader leader = cs_leader_of(ctx, at.party);
    uint32_t lane = leader_lane(ctx, at.lane);

    if (lane == LEADER_NODE)
        leader_node(ctx, &leader, at.round, ops);
    else if (lane == LEADER_RING)
        leader_ring(ctx, &leader, at.round, ops);
    else
        leader_chain(ctx, &leader, at.round, ops);
}

#define HIERARCHICAL_LEADER                                                                      \
    .name = "hierarchical-leader", .exactness = CS_COST_ROUGHLY, .check = cs_check_group_chunks, \
    .settle = cs_leader_settle, .lanes = cs_leader_lanes, .blocks = cs_leader_blocks,            \
    .parts = cs_leader_parts, .rounds = leader_mirror_rounds, .round = leader_mirror_round,      \
    .cost = cs_leader_cost, .local_cost = cs_leader_local_cost

const struct cs_algo cs_algo_allgather_hierarchical_leader = {
    HIERARCHICAL_LEADER,
    .collective = &cs_collective_allgather,
    .about = "a gather at each node's leader, a ring of leaders, chains",
    .formula = "K (alpha + m/beta) + (K+g) alpha' + ((K+g-2) m + (g-1) V/p)/beta', m = V/(n k), K "
               "= (n-1) k",
};

const struct cs_algo cs_algo_reducescatter_hierarchical_leader = {
    HIERARCHICAL_LEADER,
    .collective = &cs_collective_reducescatter,
    .about = "chains to each node's leader, a ring of leaders, a scatter",
    .formula = "K (alpha + m/beta) + (K+g) alpha' + ((K+g-2) m + (g-1) V/p)/beta' + ((2K+g-2) m + "
               "(g-1) V/p) gamma, m = V/(n k), K = (n-1) k",
};
