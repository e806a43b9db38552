/*
 * Leaders: an all-gather or a reduce-scatter in which only one rank of each node
 * communicates with other nodes.
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
 * A node sends (n-1) k messages, g times fewer than along rails (rails.h) with
 * as many chunks; one adapter carries the bytes of g ranks.
 *
 * The form is the sum of the lanes of a leader, an estimate.  With m = V/(n k):
 *
 *     T = K (alpha + m / beta) + (K+g) alpha'
 *         + (K m + (g-2) m + (g-1) V/p) / beta'
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"

/* A rank in the node and on the ring of nodes. */
struct cs_leader {
    uint32_t group, nodes, chunks; /* g, n, k */
    uint32_t node, index;          /* index 0: the leader */
    uint32_t first;                /* rank of the node's leader */
    uint32_t next, previous;       /* leaders along the ring */
};

struct cs_leader cs_leader_of(const struct cs_call *call, uint32_t rank);

/* K; 0 for one node. */
uint64_t cs_leader_steps(const struct cs_leader *leader);

/* Chunk q mod k of the span of the node q / k + `further` behind, q < K,
 * further <= 2. */
struct cs_blocks cs_leader_chunk(const struct cs_leader *leader, uint64_t q, uint32_t further);

/* The blocks of rank `index` of the node. */
struct cs_blocks cs_leader_block(const struct cs_leader *leader, uint32_t index);

/* The share of chunk j < k of the own span in the blocks of rank `index`; count
 * is 0 without a share. */
struct cs_blocks cs_leader_share(const struct cs_leader *leader, uint32_t index, uint32_t j);

/* Chunks of the own span with a share of rank `index`: the first, and the
 * number, at least 1. */
uint32_t cs_leader_first_share(const struct cs_leader *leader, uint32_t index);
uint32_t cs_leader_shares(const struct cs_leader *leader, uint32_t index);

/* `rounds` of the chain: K, and one more for a rank that receives and sends. */
uint64_t cs_leader_chain_rounds(const struct cs_leader *leader);

/* `settle`: the chunks with the least T.
 * `lanes`, `blocks` and `parts`. */
void cs_leader_settle(struct cs_call *call);
uint32_t cs_leader_lanes(const struct cs_call *call);
uint32_t cs_leader_blocks(const struct cs_call *call);
uint32_t cs_leader_parts(const struct cs_call *call);

/* T, and the part within nodes. */
struct cs_cost cs_leader_cost(const struct cs_call *call);
struct cs_cost cs_leader_local_cost(const struct cs_call *call);
