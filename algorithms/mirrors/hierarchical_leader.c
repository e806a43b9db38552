/*
 * Hierarchical all-gather and reduce-scatter over leaders: only one rank of each
 * node communicates with other nodes.
 *
 * n nodes of g ranks each, with consecutive numbers; p = n g; the first rank of
 * a node is the leader.  The span of a node is the run of the blocks of the g
 * ranks, and travels in k chunks of V/(n k) bytes.  Three lanes work on
 * different chunks at the same time:
 *
 *     node     the blocks of the own node: with the leader chunk by chunk, among
 *              the other ranks directly
 *     ring     the leaders, around a ring, K = (n-1) k steps; step q has chunk
 *              q mod k of the node q / k further behind
 *     chain    the spans of other nodes, along the ranks of the node
 *
 *     all-gather         node    0 1 ..            to the leader, then the rest
 *                        ring      0 1 2 3 ..      to the next leader
 *                        chain       0 1 2 3 ..    from the leader
 *
 *     reduce-scatter     chain   0 1 2 3 ..        to the leader
 *                        ring      0 1 2 3 ..      to the next leader
 *                        node    the rest   0 1 .. from the leader
 *
 * A node sends (n-1) k messages, g times fewer than along rails (hierarchical.c) with
 * as many chunks; one adapter carries the bytes of g ranks.
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
 * messages are dear, or nodes with one adapter.
 *
 * The form is the sum of the lanes of a leader, an estimate.  With m = V/(n k):
 *
 *     T = K (alpha + m / beta) + (K+g) alpha'
 *         + (K m + (g-2) m + (g-1) V/p) / beta'
 *
 * with gamma for every arrival at a leader.
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/pattern.h"

enum {
    LEADER_CHUNKS_MAX = 256 /* of a span: further chunks cost only latency */
};

/* The lanes of the all-gather; the reduce-scatter has them in reverse. */
enum leader_lane {
    LEADER_NODE,
    LEADER_RING,
    LEADER_CHAIN,
    LEADER_LANES,
};

/* A rank in the node and on the ring of nodes. */
struct leader {
    uint32_t group, nodes, chunks; /* g, n, k */
    uint32_t node, index;          /* index 0: the leader */
    uint32_t first;                /* rank of the node's leader */
    uint32_t next, previous;       /* leaders along the ring */
};

static struct leader leader_of(const struct cs_call *call, uint32_t rank)
{
    uint32_t g = call->group;
    uint32_t nodes = call->ranks / g;
    uint32_t node = rank / g;

    return (struct leader){
        .group = g,
        .nodes = nodes,
        .chunks = call->chunks,
        .node = node,
        .index = rank % g,
        .first = node * g,
        .next = cs_ahead(node, 1, nodes) * g,
        .previous = cs_behind(node, 1, nodes) * g,
    };
}

/* K; 0 for one node. */
static uint64_t leader_steps(const struct leader *leader)
{
    return (uint64_t)(leader->nodes - 1) * leader->chunks;
}

/* Chunk q mod k of the span of the node q / k + `further` behind, q < K,
 * further <= 2: g of the g k blocks. */
static struct cs_blocks leader_chunk(const struct leader *leader, uint64_t q, uint32_t further)
{
    uint32_t distance = (uint32_t)(q / leader->chunks) + further;
    uint32_t node = cs_behind(leader->node, distance, leader->nodes);
    uint32_t j = (uint32_t)(q % leader->chunks);

    return (struct cs_blocks){(node * leader->chunks + j) * leader->group, leader->group};
}

/* The blocks of rank `index` of the node. */
static struct cs_blocks leader_block(const struct leader *leader, uint32_t index)
{
    return (struct cs_blocks){(leader->first + index) * leader->chunks, leader->chunks};
}

/* The share of chunk j < k of the own span in the blocks of rank `index`; count
 * is 0 without a share. */
static struct cs_blocks leader_share(const struct leader *leader, uint32_t index, uint32_t j)
{
    uint32_t begin = j * leader->group;
    uint32_t end = begin + leader->group;
    uint32_t own = index * leader->chunks;
    uint32_t own_end = own + leader->chunks;

    begin = begin > own ? begin : own;
    end = end < own_end ? end : own_end;
    return (struct cs_blocks){leader->first * leader->chunks + begin,
                              begin < end ? end - begin : 0};
}

/* Chunks of the own span with a share of rank `index`: the first, and the
 * number, at least 1. */
static uint32_t leader_first_share(const struct leader *leader, uint32_t index)
{
    return index * leader->chunks / leader->group;
}

static uint32_t leader_shares(const struct leader *leader, uint32_t index)
{
    uint32_t last = ((index + 1) * leader->chunks - 1) / leader->group;

    return last - leader_first_share(leader, index) + 1;
}

/* K, and one more for a rank that receives and sends. */
static uint64_t leader_chain_rounds(const struct leader *leader)
{
    uint64_t steps = leader_steps(leader);
    bool is_inner = leader->index > 0 && leader->index + 1 < leader->group;

    return steps ? steps + is_inner : 0;
}

/* ---- rounds ---- */

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
    struct leader leader;
    uint32_t waits;

    if (call->ranks < 2)
        return 0;
    leader = leader_of(call, at.party);
    waits = leader.index == 0 && lane == last ? 2 : 1;
    if (lane == LEADER_RING)
        return leader.index ? 0 : 2 * leader_steps(&leader);
    if (lane == LEADER_CHAIN)
        return waits == 2 ? 2 * leader_steps(&leader) : leader_chain_rounds(&leader);
    return 1 +
           (leader.index ? leader_shares(&leader, leader.index) : waits * (uint64_t)leader.chunks);
}

/* Chunk j of the own span to the leader, or from it. */
static void leader_own_share(const struct cs_call *call, const struct leader *at, uint32_t j,
                             struct cs_ops *ops)
{
    bool gathers = cs_gathers(call);

    if (at->index)
        cs_mirror_message(call, gathers, at->first,
                          leader_share(at, at->index, j + leader_first_share(at, at->index)), ops);
    for (uint32_t i = 1; i < at->group && at->index == 0; i++) {
        struct cs_blocks share = leader_share(at, i, j);

        if (share.count)
            cs_mirror_message(call, !gathers, at->first + i, share, ops);
    }
}

/* The own block to the other ranks of the node except the leader, or contributions
 * to their blocks; the leader's are part of the sums of leader_own_share. */
static void leader_own_node(const struct cs_call *call, const struct leader *at, struct cs_ops *ops)
{
    bool gathers = cs_gathers(call);

    for (uint32_t s = 1; s < at->group; s++) {
        uint32_t to = cs_ahead(at->index, s, at->group);
        uint32_t from = cs_behind(at->index, s, at->group);

        if (gathers ? to : at->index)
            cs_mirror_message(call, true, at->first + to,
                              leader_block(at, gathers ? at->index : to), ops);
        if (gathers ? at->index : from)
            cs_mirror_message(call, false, at->first + from,
                              leader_block(at, gathers ? from : at->index), ops);
    }
}

/* In the reduce-scatter the last k steps of the ring complete the chunks of the own
 * span. */
static void leader_node(const struct cs_call *call, const struct leader *at, uint64_t k,
                        struct cs_ops *ops)
{
    uint64_t steps = leader_steps(at);
    uint64_t shares = at->index ? leader_shares(at, at->index) : at->chunks;
    bool gathers = cs_gathers(call);
    uint64_t j = gathers ? k : at->index ? k - 1 : (k - 1) / 2;

    if (k == (gathers ? shares : 0))
        leader_own_node(call, at, ops);
    else if (gathers || at->index || k % 2 == 0)
        leader_own_share(call, at, (uint32_t)j, ops);
    else if (steps)
        cs_ops_wait(ops, LEADER_RING, (uint32_t)(2 * (steps - at->chunks + j) + 1));
}

/* The first k steps of the all-gather wait for the blocks of the node, a step of the
 * reduce-scatter for the chain. */
static void leader_ring(const struct cs_call *call, const struct leader *at, uint64_t k,
                        struct cs_ops *ops)
{
    uint64_t q = k / 2;
    uint64_t last = at->chunks - 1;
    uint32_t behind = !cs_gathers(call);

    if (k % 2 == 0) {
        cs_ops_wait(ops, 0, (uint32_t)(behind || q < last ? q : last));
        return;
    }
    cs_mirror_message(call, true, at->next, leader_chunk(at, q, behind), ops);
    cs_mirror_message(call, false, at->previous, leader_chunk(at, q, behind + 1), ops);
}

/* From the leader on, or towards the leader; a leader that sends waits for each
 * step of the ring. */
static void leader_chain(const struct cs_call *call, const struct leader *at, uint64_t k,
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
        cs_ops_send(ops, behind, leader_chunk(at, gathers ? k / 2 : k, 1));
    if (is_first)
        return;
    if (k < leader_steps(at))
        cs_mirror_message(call, false, before, leader_chunk(at, k, 1), ops);
    if (k > 0 && !is_last)
        cs_ops_send(ops, behind, leader_chunk(at, k - 1, 1));
}

static void leader_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    struct leader leader = leader_of(ctx, at.party);
    uint32_t lane = leader_lane(ctx, at.lane);

    if (lane == LEADER_NODE)
        leader_node(ctx, &leader, at.round, ops);
    else if (lane == LEADER_RING)
        leader_ring(ctx, &leader, at.round, ops);
    else
        leader_chain(ctx, &leader, at.round, ops);
}

/* ---- the call ---- */

static uint32_t leader_lane_count(const struct cs_call *call)
{
    return call->ranks < 2 ? 1 : LEADER_LANES;
}

static uint32_t leader_blocks(const struct cs_call *call)
{
    return call->ranks * call->chunks;
}

static uint32_t leader_parts(const struct cs_call *call)
{
    return call->chunks;
}

static double leader_chunk_bytes(const struct cs_call *call)
{
    return call->group * cs_largest_part_bytes(call, call->chunks);
}

static struct cs_cost leader_local_cost(const struct cs_call *call)
{
    struct leader leader = leader_of(call, 0);
    double steps = (double)leader_steps(&leader);
    double hops = steps > 0 ? call->group - 2.0 : 0;
    double bytes = (steps + hops) * leader_chunk_bytes(call) +
                   (call->group - 1.0) * cs_largest_block_bytes(call);

    return cs_cost_with_sums(call, (struct cs_cost){steps + hops + 2, bytes, 0});
}

static struct cs_cost leader_cost(const struct cs_call *call)
{
    struct leader leader = leader_of(call, 0);
    double steps = (double)leader_steps(&leader);
    struct cs_cost cost = leader_local_cost(call);

    cost.rounds += steps;
    cost.bytes += steps * leader_chunk_bytes(call);
    return cs_cost_with_sums(call, cost);
}

static void leader_settle(struct cs_call *call)
{
    static const struct cs_chunk_form form = {leader_cost, leader_local_cost, NULL};
    uint64_t most = call->elements / call->ranks;

    if (call->group < 2 || call->ranks <= call->group || most == 0)
        return;
    if (most > LEADER_CHUNKS_MAX)
        most = LEADER_CHUNKS_MAX;
    cs_settle_chunks(call, most, cs_least_chunks(call, most, &form));
}

#define HIERARCHICAL_LEADER                                                                      \
    .name = "hierarchical-leader", .exactness = CS_COST_ROUGHLY, .check = cs_check_group_chunks, \
    .settle = leader_settle, .lanes = leader_lane_count, .blocks = leader_blocks,                \
    .parts = leader_parts, .rounds = leader_mirror_rounds, .round = leader_mirror_round,         \
    .cost = leader_cost, .local_cost = leader_local_cost

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
