/*
 * Rooted: the common parts of algorithms with a root.
 *
 * The algorithms are written for root 0.  Slots are ranks counted from the
 * root: rank root + s has slot s, modulo p.  Piece r of a vector belongs to
 * rank r, so that a run of slots is a run of pieces, modulo p.
 *
 * The binomial tree.  At level l, 0 <= l < ceil(log2 p), a slot with lowest
 * set bit l is the child of the slot 2^l before; the subtree are the slots up
 * to the parent's next child, at most 2^l.
 *
 *     p = 6:        0            level 2: 4 and 5 of 0
 *                 / | \          level 1: 2 and 3 of 0
 *                1  2  4         level 0: 1 of 0, 3 of 2, 5 of 4
 *                   |  |
 *                   3  5
 *
 * Downwards the highest level comes first, upwards the lowest, so that as much
 * of the tree as possible is active in every round.
 */
#pragma once

#include "algorithms/shared/patterns/peers.h"

static inline uint32_t cs_slot_of(const struct cs_call *call, uint32_t rank)
{
    return cs_behind(rank, call->root, call->ranks);
}

static inline uint32_t cs_rank_of_slot(const struct cs_call *call, uint32_t slot)
{
    return cs_ahead(slot, call->root, call->ranks);
}

enum cs_tree_role {
    CS_TREE_IDLE,
    CS_TREE_CHILD,
    CS_TREE_PARENT,
};

/* The role of a slot at a level.  Numbers are slots, not ranks. */
struct cs_tree_edge {
    enum cs_tree_role role;
    uint32_t child;
    uint32_t parent;
    uint32_t below; /* slots of the subtree, from the child on */
};

struct cs_tree_edge cs_binomial_edge(uint32_t p, uint32_t slot, uint32_t level);

/* The pieces of the subtree of an edge's child, and a level of the scatter of p pieces: a
 * child receives them. */
struct cs_blocks cs_binomial_pieces(const struct cs_call *call, const struct cs_tree_edge *edge);
void cs_binomial_scatter_step(const struct cs_call *call, uint32_t rank, uint32_t level,
                              struct cs_ops *ops);

/* The slowest path from the root, where a slot waits for the parent's earlier
 * children.  Exact for an uncontended scatter. */
struct cs_cost cs_binomial_scatter_cost(const struct cs_call *call);

/* A flat gather or scatter: the root exchanges pieces with up to call.peers
 * slots in each round, an open number with all.  `rounds`, the slots of round k,
 * and the cost, exact: the root's port is busy in every round. */
uint64_t cs_rooted_flat_rounds(const void *ctx, struct cs_at at);
struct cs_exchanges cs_rooted_flat_slots(const struct cs_call *call, uint64_t k);
struct cs_cost cs_rooted_flat_cost(const struct cs_call *call);

/* `rounds` of a sequence: p - 1 for the root and one for the other ranks. */
uint64_t cs_rooted_sequence_rounds(const void *ctx, struct cs_at at);
