/*
 * Hierarchical all-reduce over leaders: only one rank of each node communicates
 * with other nodes.
 *
 * n nodes of g ranks each, with consecutive numbers; p = n g.  The first rank
 * of a node is the leader.  A chain in every node, in k chunks, reduces to the
 * leader; the leaders all-reduce around a ring; a chain in every node
 * broadcasts the result.  The algorithm needs one adapter per node and also
 * uses only one: with g adapters `hierarchical` is g times faster between the
 * nodes.
 *
 *     p = 6, nodes {0 1 2} and {3 4 5}:
 *
 *     reduce      0 <- 1 <- 2       3 <- 4 <- 5      chunk after chunk
 *     ring        0 <-> 3                            halves of the vector
 *     broadcast   0 -> 1 -> 2       3 -> 4 -> 5      chunk after chunk
 *
 * In round j of the reduce a rank reduces chunk j and sends chunk j - 1; in
 * round j of the broadcast a rank receives chunk j and sends chunk j - 1.  The
 * vector has n pieces for the ring, each with k / n chunks (rounded up).
 *
 * Sends per rank: at most V + 2(n-1)/n V, by the leader; 2(p-1) V in total.
 *
 *     m = g - 1 hops; a = alpha + V/k / beta, r = V/k gamma for one chunk
 *
 *     T = (k+m-1) max(a, r) + m min(a, r)                     reduce
 *       + 2(n-1) (alpha + V/n / beta) + (n-1) V/n gamma       ring
 *       + (k+m-1) a                                           broadcast
 *
 * A rank reduces a chunk during the send of the previous chunk and the arrival
 * of the next one; the slower of send and reduction sets the pace.  For chunks
 * that differ by an element, the first is the largest and determines the hops,
 * and the k together are V.  The form is exact for alpha, and the difference
 * of a and r, above the time of an element, and for equal chunks.
 *
 * The part that depends on k is 2 k alpha + V/k (2 (m-1) / beta + m gamma),
 * least for k = sqrt(V (2 (m-1) / beta + m gamma) / (2 alpha)).
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/patterns/phase.h"
#include "sim/base/divisor.h"

#include <math.h>

/* Chunks of each of the ring's pieces, and of the vector. */
static uint32_t leader_parts(const struct cs_call *call)
{
    return (call->chunks - 1) / cs_nodes_of(call) + 1;
}

static uint32_t leader_blocks(const struct cs_call *call)
{
    return cs_nodes_of(call) * leader_parts(call);
}

/* The largest chunk is the first, the smallest the last. */
static double largest_chunk_bytes(const struct cs_call *call)
{
    uint32_t parts = leader_parts(call);
    uint64_t piece = (call->elements + cs_nodes_of(call) - 1) / cs_nodes_of(call);
    uint64_t elements = cs_divide_up(piece, parts);

    return (double)elements * call->element_bytes;
}

static double smallest_chunk_bytes(const struct cs_call *call)
{
    uint64_t piece = call->elements / cs_nodes_of(call);
    uint64_t elements = piece / leader_parts(call);

    return (double)elements * call->element_bytes;
}

static int leader_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    uint64_t blocks;
    int code = cs_check_group(algo, call, err);

    if (code || call->ranks < 2)
        return code;
    blocks = (uint64_t)call->chunks + cs_nodes_of(call);
    if (blocks > UINT32_MAX)
        return cs_err_set(err, CS_EINPUT, "%u chunks are too many for %u nodes", call->chunks,
                          cs_nodes_of(call));
    return 0;
}

static void leader_settle(struct cs_call *call)
{
    double hops = call->group - 1.0;
    double each_s = cs_vector_bytes(call) * (2 * (hops - 1) / call->hockney.beta_Bps +
                                             hops * call->hockney.gamma_s_per_byte);

    /* Without latency every further chunk is a gain: the maximum. */
    if (call->group > 1)
        cs_settle_chunks(call, call->elements,
                         call->hockney.alpha_s > 0 ? sqrt(each_s / (2 * call->hockney.alpha_s))
                                                   : CS_CHUNKS_MAX);
}

/* Rounds of a rank in a chain: inner ranks have one more round, where the first
 * chunk only arrives or the last chunk only leaves. */
static uint64_t leader_chain_rounds(const struct cs_call *call, uint32_t place)
{
    bool middle = place > 0 && place < call->group - 1;

    return (uint64_t)leader_blocks(call) + middle;
}

static uint64_t leader_ring_rounds(const struct cs_call *call, uint32_t place)
{
    return place ? 0 : 2 * (uint64_t)(cs_nodes_of(call) - 1);
}

static uint64_t leader_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t place = at.party % call->group;

    if (call->ranks < 2)
        return 0;
    return 2 * leader_chain_rounds(call, place) + leader_ring_rounds(call, place);
}

/* A round of the chain towards the leader. */
static void reduce_round(const struct cs_call *call, uint32_t rank, uint32_t j, struct cs_ops *ops)
{
    uint32_t place = rank % call->group;
    bool first = place == call->group - 1; /* the start of the chain only sends */

    if (first)
        cs_ops_send(ops, rank - 1, cs_block(j));
    else if (place > 0 && j > 0)
        cs_ops_send(ops, rank - 1, cs_block(j - 1));
    if (!first && j < leader_blocks(call))
        cs_ops_recv_reduce(ops, rank + 1, cs_block(j));
}

static void broadcast_round(const struct cs_call *call, uint32_t rank, uint32_t j,
                            struct cs_ops *ops)
{
    uint32_t place = rank % call->group;

    if (place == 0)
        cs_ops_send(ops, rank + 1, cs_block(j));
    else if (place < call->group - 1 && j > 0)
        cs_ops_send(ops, rank + 1, cs_block(j - 1));
    if (place > 0 && j < leader_blocks(call))
        cs_ops_recv(ops, rank - 1, cs_block(j));
}

/* The leaders' ring: steps of phase.h over nodes and pieces, mapped to the
 * ranks of the leaders and to chunks. */
static void leader_ring_round(const struct cs_call *call, uint32_t rank, uint32_t k,
                              struct cs_ops *ops)
{
    uint32_t first = ops->count;
    uint32_t parts = leader_parts(call);
    uint32_t steps = cs_nodes_of(call) - 1;

    if (k < steps)
        cs_ring_scatter_step(steps + 1, rank / call->group, k, ops);
    else
        cs_ring_gather_step(steps + 1, rank / call->group, k - steps, ops);
    for (uint32_t i = first; i < ops->count; i++) {
        ops->op[i].peer *= call->group;
        ops->op[i].blocks.first *= parts;
        ops->op[i].blocks.count *= parts;
    }
}

static void leader_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t place = at.party % call->group;
    uint64_t chain = leader_chain_rounds(call, place);
    uint64_t ring = leader_ring_rounds(call, place);

    if (at.round < chain)
        reduce_round(call, at.party, (uint32_t)at.round, ops);
    else if (at.round < chain + ring)
        leader_ring_round(call, at.party, (uint32_t)(at.round - chain), ops);
    else
        broadcast_round(call, at.party, (uint32_t)(at.round - chain - ring), ops);
}

/* The chain to the leader: transfers or reductions set the pace. */
static struct cs_cost reduce_cost(const struct cs_call *call)
{
    double hops = call->group - 1.0;
    double volume = cs_vector_bytes(call);
    double largest = largest_chunk_bytes(call);
    double transfer_s = call->hockney.alpha_s + largest / call->hockney.beta_Bps;

    if (largest * call->hockney.gamma_s_per_byte > transfer_s)
        return (struct cs_cost){hops, hops * largest, volume + (hops - 1) * largest};
    return (struct cs_cost){leader_blocks(call) + hops - 1, volume + (hops - 1) * largest,
                            (hops - 1) * largest + smallest_chunk_bytes(call)};
}

/* The chains to the leader and back, all within the node. */
static struct cs_cost leader_local_cost(const struct cs_call *call)
{
    struct cs_cost cost = reduce_cost(call);
    double hops = call->group - 1.0;

    cost.rounds += leader_blocks(call) + hops - 1;
    cost.bytes += cs_vector_bytes(call) + (hops - 1) * largest_chunk_bytes(call);
    return cost;
}

static struct cs_cost leader_cost(const struct cs_call *call)
{
    struct cs_cost cost = leader_local_cost(call);
    double steps = cs_nodes_of(call) - 1.0;
    double piece = cs_longest_run_bytes(call, cs_nodes_of(call), 1);

    cost.rounds += 2 * steps;
    cost.bytes += 2 * steps * piece;
    cost.reduced_bytes += steps * piece;
    return cost;
}

const struct cs_algo cs_algo_allreduce_hierarchical_leader = {
    .name = "hierarchical-leader",
    .collective = &cs_collective_allreduce,
    .about = "a chain to each node's leader, a ring of leaders, and back",
    .formula =
        "2(k+g-2) (alpha + V/k/beta) + 2(n-1) (alpha + V/n/beta) + ((g-1)/k + (n-1)/n) V gamma",
    .exactness = CS_COST_EVEN,
    .check = leader_check,
    .settle = leader_settle,
    .blocks = leader_blocks,
    .parts = leader_parts,
    .rounds = leader_rounds,
    .round = leader_round,
    .cost = leader_cost,
    .local_cost = leader_local_cost,
};
