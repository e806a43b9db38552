/*
 * Rooted: what algorithms with a root share.
 *
 * They are written for root 0.  Seats are ranks counted from the root on: rank
 * root + s sits on seat s, and seats wrap as ranks do.  Piece r of a vector
 * belongs to rank r, so that a run of seats is a run of pieces, which wraps.
 *
 * The binomial tree.  At level l, 0 <= l < ceil(log2 p), a seat whose lowest
 * set bit is l is the child of the seat 2^l before it; with it come the seats
 * up to its parent's next child, 2^l of them or as many as there are.
 *
 *     p = 6:        0            level 2: 4 and 5 of 0
 *                 / | \          level 1: 2 and 3 of 0
 *                1  2  4         level 0: 1 of 0, 3 of 2, 5 of 4
 *                   |  |
 *                   3  5
 *
 * Downwards the highest level comes first, upwards the lowest, so that on the
 * way there is always the most of the tree at work.
 */
#ifndef CS_ALGORITHMS_SHARED_ROOTED_H
#define CS_ALGORITHMS_SHARED_ROOTED_H

#include "algorithms/shared/pattern.h"

static inline uint32_t cs_slot_of(const struct cs_call *call, uint32_t rank)
{
    return cs_behind(rank, call->root, call->ranks);
}

static inline uint32_t cs_seated(const struct cs_call *call, uint32_t slot)
{
    return cs_ahead(slot, call->root, call->ranks);
}

enum cs_tree_role {
    CS_TREE_IDLE,
    CS_TREE_CHILD,
    CS_TREE_PARENT,
};

/* What a seat has to do at a level.  Seats, not ranks. */
struct cs_tree_edge {
    enum cs_tree_role role;
    uint32_t child;
    uint32_t parent;
    uint32_t below; /* seats from the child on that come with it */
};

struct cs_tree_edge cs_binomial_edge(uint32_t p, uint32_t slot, uint32_t level);

/* A level of the scatter of a root's p pieces (of their gathering by a root):
 * a child gets (gives) its own piece and those of the seats below it. */
void cs_binomial_scatter_step(const struct cs_call *call, uint32_t rank,
                              uint32_t level, struct cs_ops *ops);
void cs_binomial_gather_step(const struct cs_call *call, uint32_t rank,
                             uint32_t level, struct cs_ops *ops);

/* The costliest way down from the root: each seat waits for its parent's
 * earlier children.  Exactly what the scatter takes, if alone. */
struct cs_cost cs_binomial_scatter_cost(const struct cs_call *call,
                                        const struct cs_hockney *hockney);

/* Bytes of the pieces of `count` ranks from `first` on. */
double cs_pieces_bytes(const struct cs_call *call, uint32_t first,
                       uint32_t count);

/* `rounds` of the root, which has one for each other rank while they have one;
 * and of a chain, in which inner seats pass chunks on while they take the next
 * one. */
uint64_t cs_rooted_flat_rounds(const void *ctx, uint32_t rank, uint32_t lane);
uint64_t cs_rooted_chain_rounds(const void *ctx, uint32_t rank, uint32_t lane);

#endif
