/*
 * Circulant reduce-scatter: halving around a circle (phase.h).
 *
 * Any p >= 1, L = ceil(log2 p).  The time of halving, for any number of ranks.
 *
 *     p = 5, remaining blocks of a rank:
 *
 *     rank 0:  01234   012   01   0      sends 34 to 3, 2 to 2, 1 to 1
 *     rank 1:  12340   123   12   1      sends 40 to 4, 3 to 3, 2 to 2
 *
 * Sends per rank: (p-1)/p V; (p-1) V in total.  In addition to the vector a
 * rank needs room for floor(p/2) blocks.
 *
 *     T = L alpha + (p-1)/p V / beta + (p-1)/p V gamma
 *
 * exactly for p dividing V.  Otherwise the form counts the longest message of
 * each step, which is an estimate: no rank has the longest message in every
 * step, and ranks drift apart, so that messages of two rounds share a port.
 *
 * J. L. Traeff, arXiv:2410.14234, 2024.
 */
#include "algorithms/shared/patterns/phase.h"

static void reducescatter_circulant_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                                          struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    (void)lane;
    cs_circulant_scatter_step(call->ranks, rank, (uint32_t)k, ops);
}

static struct cs_cost reducescatter_circulant_cost(const struct cs_call *call,
                                                   const struct cs_hockney *hockney)
{
    double steps = cs_log2_up(call->ranks);
    double bytes = cs_circulant_bytes(call);

    (void)hockney;
    return (struct cs_cost){steps, bytes, bytes};
}

const struct cs_algo cs_algo_reducescatter_circulant = {
    .name = "circulant",
    .collective = &cs_collective_reducescatter,
    .about = "halving around a circle, any number of ranks",
    .formula = "L alpha + (p-1)/p V (1/beta + gamma), L = ceil(log2 p)",
    .exactness = CS_COST_EVEN,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_log,
    .round = reducescatter_circulant_round,
    .reduce_scatter_rounds = cs_scatter_log,
    .cost = reducescatter_circulant_cost,
};
