/*
 * Direct reduce-scatter: every block straight to the owner (phase.h).
 *
 * Any p >= 1.  The cost of the ring; but a contribution travels once instead
 * of up to p - 1 times inside of sums, and the owner reduces all
 * contributions.
 *
 *     p = 3, sums of rank r's own block after each round:
 *
 *     rank 0:  0   02   012         rank 1:  1   01   012
 *
 * Sends per rank: p - 1 blocks; (p-1) V in total.
 *
 *     T = (p-1) (alpha + V/p / beta + V/p gamma)
 *
 * exactly for p dividing V.  Otherwise the form counts the longest message of
 * each step, which is an estimate: no rank has the longest message in every
 * step, and ranks drift apart, so that messages of two rounds share a port.
 */
#include "algorithms/shared/phase.h"

static void reducescatter_direct_round(const void *ctx, uint32_t rank,
                                       uint32_t lane, uint64_t k,
                                       struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    (void)lane;
    cs_direct_scatter_step(call->ranks, rank, (uint32_t)k, ops);
}

static struct cs_cost reducescatter_direct_cost(
    const struct cs_call *call, const struct cs_hockney *hockney)
{
    double steps = call->ranks - 1;
    double bytes = steps * cs_largest_block_bytes(call);

    (void)hockney;
    return (struct cs_cost){steps, bytes, bytes};
}

const struct cs_algo cs_algo_reducescatter_direct = {
    .name = "direct",
    .collective = &cs_collective_reducescatter,
    .about = "every block straight to its owner",
    .formula = "(p-1) (alpha + V/p/beta + V/p gamma)",
    .exactness = CS_COST_EVEN,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_per_peer,
    .round = reducescatter_direct_round,
    .reduce_scatter_rounds = cs_scatter_per_peer,
    .cost = reducescatter_direct_cost,
};
