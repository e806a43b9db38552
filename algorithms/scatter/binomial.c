/*
 * Binomial scatter: the root sends half of the pieces to one rank, and both
 * continue in the same manner (rooted.h).
 *
 * Any p >= 1, any root, L = ceil(log2 p).
 *
 *     p = 6, root 0, pieces of the subtree of a rank:
 *
 *     rank 0:  012345   0123   01   0
 *     rank 2:  -        -      23   2
 *     rank 4:  -        45     45   4        1, 3, 5: in the last round
 *
 * Sends: V less the own piece by the root; V/2 log2 p in total for a power of
 * two.  In addition to the own piece a rank needs room for forwarded pieces, at
 * most V/2.
 *
 *     T = L alpha + (p-1)/p V / beta
 *
 * exactly, for any p: the root's port is always busy.  For p not dividing V
 * another path down can have the longer pieces; the form counts the longest.
 */
#include "algorithms/shared/patterns/rooted.h"

static void scatter_binomial_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    cs_binomial_scatter_step(call, at.party, cs_log2_up(call->ranks) - 1 - (uint32_t)at.round, ops);
}

const struct cs_algo cs_algo_scatter_binomial = {
    .name = "binomial",
    .collective = &cs_collective_scatter,
    .about = "half of the pieces to one rank, and so on down a tree",
    .formula = "L alpha + (p-1)/p V/beta, L = ceil(log2 p)",
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_log,
    .round = scatter_binomial_round,
    .cost = cs_binomial_scatter_cost,
};
