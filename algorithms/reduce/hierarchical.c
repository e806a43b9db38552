/*
 * Hierarchical reduce: pieces of the vector through all ranks of the root's
 * node and along all rails, pipelined in chunks (carriers.h, upwards).
 *
 * Any root.  Carrier t of a node adds piece t of all ranks of the node and the
 * sum from the next level, and sends the sum one level up, at level 0 to the
 * root.
 *
 * The leader form is two_tree.c over nodes, in which one rank of each node
 * sends the sum of a chain in the node, pipelined as well.
 *
 * Sends: at most V by every rank.
 *
 *     T = (k + n) (alpha + g V / (c k) (1 / beta + gamma)), an estimate
 */
#include "algorithms/shared/carriers.h"

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

static void reduce_send_up(const struct cs_carrier *at, uint32_t j, struct cs_ops *ops)
{
    cs_ops_send(ops, at->level ? cs_carrier_rank(at, at->level - 1, at->index) : at->call->root,
                cs_carrier_chunk(at, at->piece, j));
}

static void reduce_carry(const struct cs_carrier *at, uint32_t j, struct cs_ops *ops)
{
    if (!cs_carrier_passes_on(at)) {
        reduce_send_up(at, j, ops);
        return;
    }
    if (j > 0)
        reduce_send_up(at, j - 1, ops);
    if (j < at->call->chunks) {
        reduce_contribute(at, j, ops);
        reduce_collect(at, j, ops);
    }
}

static void reduce_hierarchical_round(const void *ctx, struct cs_at here, struct cs_ops *ops)
{
    struct cs_carrier at = cs_carrier_of(ctx, here.party);
    uint32_t j = (uint32_t)here.round;

    if (cs_carrier_has_piece(&at))
        reduce_carry(&at, j, ops);
    else if (!cs_carrier_is_root(&at))
        reduce_contribute(&at, j, ops);
    else
        for (uint32_t piece = 0; piece < at.pieces; piece++)
            cs_ops_recv_reduce(ops, cs_carrier_rank(&at, 0, cs_carrier_index(&at, piece)),
                               cs_carrier_chunk(&at, piece, j));
}

static struct cs_cost reduce_hierarchical_cost(const struct cs_call *call)
{
    struct cs_cost cost = cs_carrier_cost(call);

    cost.reduced_bytes = cost.bytes;
    return cost;
}

static struct cs_cost reduce_hierarchical_local_cost(const struct cs_call *call)
{
    struct cs_cost cost = cs_carrier_local_cost(call);

    cost.reduced_bytes = cost.bytes;
    return cost;
}

const struct cs_algo cs_algo_reduce_hierarchical = {
    .name = "hierarchical",
    .collective = &cs_collective_reduce,
    .about = "pieces through all ranks of a node and along all rails",
    .formula = "(k+n) (alpha + g/c V/k (1/beta + gamma)), n nodes of g ranks, c carriers",
    .exactness = CS_COST_ROUGHLY,
    .takes_carriers = true,
    .check = cs_carrier_check,
    .settle = cs_carrier_settle,
    .blocks = cs_carrier_blocks,
    .rounds = cs_carrier_rounds,
    .round = reduce_hierarchical_round,
    .cost = reduce_hierarchical_cost,
    .local_cost = reduce_hierarchical_local_cost,
};
