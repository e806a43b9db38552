/*
 * Hierarchical broadcast and reduce: pieces of the vector through all ranks of the
 * root's node and along all rails, pipelined in chunks (carriers.h).
 *
 * Any root.  Broadcast: every rank of the root's node but the root carries a piece
 * to the rest of the node and to the next node, or where many ranks share an
 * adapter some of them.  With g adapters in a node, g - 1 are in use at the same
 * time; on a mesh all wires of the root are.  Reduce: carrier t of a node adds
 * piece t of all ranks of the node and the sum from the next level, and sends the
 * sum one level up, at level 0 to the root.
 *
 * The leader form is two_tree.c over nodes, in which one rank of each node
 * receives the vector and a chain in the node passes it on, or adds, pipelined as
 * well.
 *
 * Sends: V by the root of a broadcast, at most g/c V by a carrier; at most V by every
 * rank of a reduce.
 *
 *     T = (k + n) (alpha + g V / (c k) / beta), an estimate
 *
 * with 1 / beta + gamma for 1 / beta in the reduce.
 */
#include "algorithms/shared/carriers.h"
#include "algorithms/mirrors/direction.h"

/* ---- broadcast ---- */

/* Chunk j of the own piece to the other ranks of the node that need the chunk,
 * and to the next level. */
static void broadcast_pass_on(const struct cs_carrier *at, uint32_t j, struct cs_ops *ops)
{
    struct cs_blocks chunk = cs_carrier_chunk(at, at->piece, j);

    if (at->level + 1 < at->nodes)
        cs_ops_send(ops, cs_carrier_rank(at, at->level + 1, at->index), chunk);
    for (uint32_t s = 1; s < at->group; s++) {
        uint32_t to = cs_ahead(at->index, s, at->group);

        if (to > 0 || at->level > 0)
            cs_ops_send(ops, cs_carrier_rank(at, at->level, to), chunk);
    }
}

/* Chunk j of the pieces of the node's other carriers. */
static void broadcast_receive(const struct cs_carrier *at, uint32_t j, struct cs_ops *ops)
{
    for (uint32_t s = 0; s < at->pieces; s++) {
        uint32_t piece = cs_behind(at->piece, s, at->pieces);
        uint32_t from = cs_carrier_index(at, piece);

        if (from != at->index)
            cs_ops_recv(ops, cs_carrier_rank(at, at->level, from), cs_carrier_chunk(at, piece, j));
    }
}

static void broadcast_carry(const struct cs_carrier *at, uint32_t j, struct cs_ops *ops)
{
    if (j > 0 && cs_carrier_passes_on(at)) {
        broadcast_pass_on(at, j - 1, ops);
        broadcast_receive(at, j - 1, ops);
    }
    if (j < at->call->chunks)
        cs_ops_recv(ops, cs_carrier_before(at), cs_carrier_chunk(at, at->piece, j));
}

/* ---- reduce ---- */

/* Chunk j of the own piece from the other ranks of the node, except the root,
 * and from the next level. */
static void reduce_collect(const struct cs_carrier *at, uint32_t j, struct cs_ops *ops)
{
    struct cs_blocks chunk = cs_carrier_chunk(at, at->piece, j);

    for (uint32_t s = 1; s < at->group; s++) {
        uint32_t from = cs_behind(at->index, s, at->group);

        if (from > 0 || at->level > 0)
            cs_ops_recv_reduce(ops, cs_carrier_rank(at, at->level, from), chunk);
    }
    if (at->level + 1 < at->nodes)
        cs_ops_recv_reduce(ops, cs_carrier_rank(at, at->level + 1, at->index), chunk);
}

/* Chunk j of the pieces of the node's other carriers. */
static void reduce_contribute(const struct cs_carrier *at, uint32_t j, struct cs_ops *ops)
{
    for (uint32_t s = 1; s <= at->pieces; s++) {
        uint32_t piece = cs_ahead(at->piece, s % at->pieces, at->pieces);
        uint32_t to = cs_carrier_index(at, piece);

        if (to != at->index)
            cs_ops_send(ops, cs_carrier_rank(at, at->level, to), cs_carrier_chunk(at, piece, j));
    }
}

static void reduce_carry(const struct cs_carrier *at, uint32_t j, struct cs_ops *ops)
{
    uint32_t late = cs_carrier_passes_on(at); /* a round behind the chunk's arrivals */

    if (j >= late)
        cs_ops_send(ops, cs_carrier_before(at), cs_carrier_chunk(at, at->piece, j - late));
    if (late && j < at->call->chunks) {
        reduce_contribute(at, j, ops);
        reduce_collect(at, j, ops);
    }
}

/* ---- both ---- */

static void carrier_mirror_round(const void *ctx, struct cs_at here, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_carrier at = cs_carrier_of(call, here.party);
    bool down = cs_leaves_root(call);
    uint32_t j = (uint32_t)here.round;

    if (cs_carrier_is_root(&at))
        for (uint32_t piece = 0; piece < at.pieces; piece++)
            cs_mirror_message(call, down, cs_carrier_rank(&at, 0, cs_carrier_index(&at, piece)),
                              cs_carrier_chunk(&at, piece, j), ops);
    else if (at.carries)
        (down ? broadcast_carry : reduce_carry)(&at, j, ops);
    else
        (down ? broadcast_receive : reduce_contribute)(&at, j, ops);
}

#define CARRIERS                                                                               \
    .name = "hierarchical", .about = "pieces through all ranks of a node and along all rails", \
    .exactness = CS_COST_ROUGHLY, .takes_carriers = true, .check = cs_carrier_check,           \
    .settle = cs_carrier_settle, .blocks = cs_carrier_blocks, .rounds = cs_carrier_rounds,     \
    .round = carrier_mirror_round, .cost = cs_carrier_cost, .local_cost = cs_carrier_local_cost

const struct cs_algo cs_algo_broadcast_hierarchical = {
    CARRIERS,
    .collective = &cs_collective_broadcast,
    .formula = "(k+n) (alpha + g/c V/k/beta), n nodes of g ranks, c carriers",
};

const struct cs_algo cs_algo_reduce_hierarchical = {
    CARRIERS,
    .collective = &cs_collective_reduce,
    .formula = "(k+n) (alpha + g/c V/k (1/beta + gamma)), n nodes of g ranks, c carriers",
};
