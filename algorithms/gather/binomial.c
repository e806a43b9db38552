/*
 * Binomial gather: the reverse of the binomial scatter (rooted.h).
 *
 * Any p >= 1, any root, L = ceil(log2 p).
 *
 *     p = 6, root 0, pieces of a rank:
 *
 *     rank 0:  0   01   0123   012345
 *     rank 2:  2   23
 *     rank 4:  4   45   45                  1, 3, 5: the own piece
 *
 * Sends per rank: all collected pieces, once; V/2 log2 p in total for a power
 * of two.  Inner ranks need room for forwarded pieces, at most V/2.
 *
 *     T = L alpha + (p-1)/p V / beta
 *
 * exactly for a power of two that divides V.  Otherwise ranks with smaller
 * subtrees or pieces send early, for a little less.
 */
#include "algorithms/shared/patterns/rooted.h"

static void gather_binomial_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    cs_binomial_gather_step(call, at.party, (uint32_t)at.round, ops);
}

static enum cs_exactness gather_binomial_exactness(const struct cs_call *call)
{
    bool full = cs_is_power_of_two(call->ranks);
    bool even = call->elements % call->ranks == 0;

    return full && even ? CS_COST_EXACT : CS_COST_AT_MOST;
}

const struct cs_algo cs_algo_gather_binomial = {
    .name = "binomial",
    .collective = &cs_collective_gather,
    .about = "twice as many pieces in every round",
    .formula = "L alpha + (p-1)/p V/beta, L = ceil(log2 p)",
    .exactness_of = gather_binomial_exactness,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_log,
    .round = gather_binomial_round,
    .cost = cs_binomial_scatter_cost,
};
