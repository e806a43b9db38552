/*
 * Hierarchical broadcast: pieces of the vector through all ranks of the root's
 * node and along all rails, pipelined in chunks (carriers.h).
 *
 * Any root.  Every rank of the root's node but the root carries a piece to the
 * rest of the node and to the next node, or where many ranks share an adapter
 * some of them.  With g adapters in a node, g - 1 are in use at the same time; on
 * a mesh all wires of the root are.
 *
 * The leader form is two_tree.c over nodes, in which one rank of each node
 * receives the vector and a chain in the node passes it on, pipelined as well.
 *
 * Sends: V by the root, at most g/c V by a carrier.
 *
 *     T = (k + n) (alpha + g V / (c k) / beta), an estimate
 */
#include "algorithms/shared/carriers.h"

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

static void broadcast_hierarchical_round(const void *ctx, struct cs_at here, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_carrier at = cs_carrier_of(call, here.party);
    uint32_t j = (uint32_t)here.round;

    if (cs_carrier_is_root(&at)) {
        for (uint32_t piece = 0; piece < at.pieces; piece++)
            cs_ops_send(ops, cs_carrier_rank(&at, 0, cs_carrier_index(&at, piece)),
                        cs_carrier_chunk(&at, piece, j));
        return;
    }
    if (!cs_carrier_has_piece(&at)) {
        broadcast_receive(&at, j, ops);
        return;
    }
    if (j > 0 && cs_carrier_passes_on(&at)) {
        broadcast_pass_on(&at, j - 1, ops);
        broadcast_receive(&at, j - 1, ops);
    }
    if (j < call->chunks)
        cs_ops_recv(ops, at.level ? cs_carrier_rank(&at, at.level - 1, at.index) : call->root,
                    cs_carrier_chunk(&at, at.piece, j));
}

const struct cs_algo cs_algo_broadcast_hierarchical = {
    .name = "hierarchical",
    .collective = &cs_collective_broadcast,
    .about = "pieces through all ranks of a node and along all rails",
    .formula = "(k+n) (alpha + g/c V/k/beta), n nodes of g ranks, c carriers",
    .exactness = CS_COST_ROUGHLY,
    .takes_carriers = true,
    .check = cs_carrier_check,
    .settle = cs_carrier_settle,
    .blocks = cs_carrier_blocks,
    .rounds = cs_carrier_rounds,
    .round = broadcast_hierarchical_round,
    .cost = cs_carrier_cost,
    .local_cost = cs_carrier_local_cost,
};
