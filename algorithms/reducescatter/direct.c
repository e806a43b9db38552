/*
 * Direct reduce-scatter: every block goes straight to its owner (phase.h).
 *
 * Any p >= 1.  As the ring in cost; but a block travels once instead of p - 1
 * times, and each rank adds up all contributions to its block itself.
 *
 *     p = 3, sums of rank r's own block after each round:
 *
 *     rank 0:  0   02   012         rank 1:  1   01   012
 *
 * Sends per rank: p - 1 blocks; (p-1) V in all.
 *
 *     T = (p-1) (alpha + V/p / beta + V/p gamma)
 *
 * exactly where p divides V.  Else the longest message of each step counts here:
 * no rank has them all, which saves a little, and ranks get out of step, so that
 * messages of two rounds meet in one port, which costs a little.
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
