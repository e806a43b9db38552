/*
 * Binomial trees (rooted.h): down from the root in a broadcast and a scatter, up
 * to the root in a reduce and a gather.
 *
 * Any p >= 1, any root, L = ceil(log2 p).  Downwards in round k slots 0, 2^(L-k),
 * ... send to the slot 2^(L-1-k) ahead; upwards the rounds are reversed.
 *
 *     p = 6, slots with the vector:     0    04    0246    012345
 *
 *     p = 6, sums of a reduce:          p = 6, pieces of a scatter; a gather backwards:
 *
 *     slot 0:  0   01   0123   012345   rank 0:  012345   0123   01   0
 *     slot 2:  2   23                   rank 2:  -        -      23   2
 *     slot 4:  4   45                   rank 4:  -        45     45   4
 *
 * Sends: L V by the root of a broadcast, V per rank of a reduce, (p-1) V in total
 * in both.  Pieces: V less the own piece by the root; V/2 log2 p in total for a
 * power of two; forwarded pieces need room, at most V/2 beside the own piece.  In
 * addition to the vector a rank of a reduce needs room for an arriving vector.
 *
 *     T = L (alpha + V / beta)                     broadcast
 *     T = L (alpha + V / beta + V gamma)           reduce
 *     T = L alpha + (p-1)/p V / beta               scatter, gather
 *
 * exactly, for any p, downwards: the root's port is always busy; for p not dividing
 * V another path down can have the longer pieces, and the form counts the longest.
 * Upwards exactly for a power of two (that divides V); otherwise ranks with smaller
 * subtrees or pieces send early, for a little less.
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/rooted.h"

static void binomial_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    bool down = cs_leaves_root(call);
    uint32_t k = (uint32_t)at.round;
    uint32_t level = down ? cs_log2_up(call->ranks) - 1 - k : k;
    struct cs_tree_edge edge = cs_binomial_edge(call->ranks, cs_slot_of(call, at.party), level);
    bool is_parent = edge.role == CS_TREE_PARENT;

    if (edge.role != CS_TREE_IDLE)
        cs_mirror_message(
            call, is_parent == down, cs_rank_of_slot(call, is_parent ? edge.child : edge.parent),
            cs_collective_has_pieces(call->collective) ? cs_binomial_pieces(call, &edge)
                                                       : cs_whole(),
            ops);
}

static enum cs_exactness binomial_mirror_exactness(const struct cs_call *call)
{
    bool is_even = !cs_collective_has_pieces(call->collective) || call->elements % call->ranks == 0;

    return cs_is_power_of_two(call->ranks) && is_even ? CS_COST_EXACT : CS_COST_AT_MOST;
}

static struct cs_cost binomial_mirror_cost(const struct cs_call *call)
{
    double depth = cs_log2_up(call->ranks);
    double bytes = depth * cs_vector_bytes(call);

    return (struct cs_cost){depth, bytes, cs_leaves_root(call) ? 0 : bytes};
}

#define BINOMIAL .name = "binomial", .rounds = cs_rounds_log, .round = binomial_mirror_round

const struct cs_algo cs_algo_broadcast_binomial = {
    BINOMIAL,
    .collective = &cs_collective_broadcast,
    .about = "in every round twice as many ranks have the vector",
    .formula = "L (alpha + V/beta), L = ceil(log2 p)",
    .blocks = cs_blocks_one,
    .cost = binomial_mirror_cost,
};

const struct cs_algo cs_algo_reduce_binomial = {
    BINOMIAL,
    .collective = &cs_collective_reduce,
    .about = "in every round half as many ranks hold a sum",
    .formula = "L (alpha + V/beta + V gamma), L = ceil(log2 p)",
    .exactness_of = binomial_mirror_exactness,
    .blocks = cs_blocks_one,
    .cost = binomial_mirror_cost,
};

const struct cs_algo cs_algo_gather_binomial = {
    BINOMIAL,
    .collective = &cs_collective_gather,
    .about = "twice as many pieces in every round",
    .formula = "L alpha + (p-1)/p V/beta, L = ceil(log2 p)",
    .exactness_of = binomial_mirror_exactness,
    .blocks = cs_blocks_per_rank,
    .cost = cs_binomial_scatter_cost,
};

const struct cs_algo cs_algo_scatter_binomial = {
    BINOMIAL,
    .collective = &cs_collective_scatter,
    .about = "half of the pieces to one rank, and so on down a tree",
    .formula = "L alpha + (p-1)/p V/beta, L = ceil(log2 p)",
    .blocks = cs_blocks_per_rank,
    .cost = cs_binomial_scatter_cost,
};
