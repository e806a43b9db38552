/*
 * Carriers: a broadcast or a reduce through all ranks of the root's node and
 * along all their rails at the same time.
 *
 * n nodes of g ranks each, with consecutive numbers; nodes have levels, 0 for
 * the root's, and the ranks with the root's position in the node have index 0.
 * The vector has c pieces of k chunks, each carried by one rank of every node.
 * Downwards, carrier t of level 0 receives chunk j from the root, passes it to
 * all other ranks of the node and to carrier t of the next level, which does the
 * same; upwards every step is reversed and adds.
 *
 *     n = 2, g = 3, c = 2, downwards, rank 0 the root:
 *
 *     piece 0    0 -> 1    1 -> 2, 4    4 -> 3, 5
 *     piece 1    0 -> 2    2 -> 1, 5    5 -> 3, 4
 *
 * Chunk j is passed on during the arrival of chunk j + 1.  In a single node
 * every wire of a mesh carries one piece, and the root sends the vector once.
 *
 * Carriers are all ranks of a node but that with the root's position, c = g - 1,
 * each with an adapter of its own.  Where many ranks share an adapter, further
 * carriers send nothing faster, and a chunk makes (g-1) c messages in a node:
 * there c is what fills the adapters (adapters.h), with even
 * distances, since neighbours share caches, sockets and adapters.
 *
 * Level L has chunk j after j + L + 2 steps, so that about k + n steps of a
 * chunk make the time.  On one port a carrier has up to g chunks of m bytes in
 * a step:
 *
 *     T = (k + n) (alpha + g m / beta),    m = V / (c k)
 *
 * of which one chunk goes between nodes; an estimate.
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"

/* The position of a rank. */
struct cs_carrier {
    const struct cs_call *call;
    uint32_t group, nodes; /* g, n */
    uint32_t pieces;       /* c */
    uint32_t level, index;
    bool carries;
    uint32_t piece; /* of the rank, or of the carrier before it */
};

struct cs_carrier cs_carrier_of(const struct cs_call *call, uint32_t rank);

/* The rank at a level with an index. */
uint32_t cs_carrier_rank(const struct cs_carrier *carrier, uint32_t level, uint32_t index);

/* The index of the carrier of a piece. */
uint32_t cs_carrier_index(const struct cs_carrier *carrier, uint32_t piece);

/* Chunk j of a piece. */
struct cs_blocks cs_carrier_chunk(const struct cs_carrier *carrier, uint32_t piece, uint32_t j);

static inline bool cs_carrier_is_root(const struct cs_carrier *carrier)
{
    return carrier->level == 0 && carrier->index == 0;
}

/* The rank of the level before that has the piece, or the root. */
static inline uint32_t cs_carrier_before(const struct cs_carrier *carrier)
{
    return carrier->level ? cs_carrier_rank(carrier, carrier->level - 1, carrier->index)
                          : carrier->call->root;
}

/* Whether a carrier passes chunks on, to the node or to the next level. */
bool cs_carrier_passes_on(const struct cs_carrier *carrier);

/* `rounds`: k, and one more for a carrier that passes chunks on. */
uint64_t cs_carrier_rounds(const void *ctx, struct cs_at at);

/* `check`: full nodes of at least 2 ranks.  `settle`: the chunks with the least
 * time.  `blocks`; T, and the part within nodes. */
int cs_carrier_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err);
void cs_carrier_settle(struct cs_call *call);
uint32_t cs_carrier_blocks(const struct cs_call *call);
struct cs_cost cs_carrier_cost(const struct cs_call *call);
struct cs_cost cs_carrier_local_cost(const struct cs_call *call);
