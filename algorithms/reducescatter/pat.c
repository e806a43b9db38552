/*
 * PAT reduce-scatter: sums of every block up a binomial tree to the owner, near
 * steps first (pat.h).
 *
 * Sends per rank: p - 1 blocks; (p-1) V in total.  A step of m blocks of n
 * bytes takes alpha + m n / beta and the reduction of the last block:
 *
 *     T = L alpha + (p-1)/p V / beta + L V/p gamma, L = ceil(log2 p)
 *
 * for reductions at least as fast as messages (gamma <= 1/beta); otherwise all
 * blocks of a step but the first wait for reductions.  Exact for p dividing V;
 * otherwise an estimate with blocks of the largest size.
 */
#include "algorithms/shared/pat.h"

static void reducescatter_pat_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                                    struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    (void)lane;
    cs_pat_scatter_step(call->ranks, rank, (uint32_t)k, ops);
}

static struct cs_cost reducescatter_pat_cost(const struct cs_call *call,
                                             const struct cs_hockney *hockney)
{
    double steps = cs_log2_up(call->ranks);
    double all = call->ranks - 1;
    double bytes = cs_largest_block_bytes(call);

    if (cs_adds_in_passing(hockney))
        return (struct cs_cost){steps, all * bytes, steps * bytes};
    return (struct cs_cost){steps, steps * bytes, all * bytes};
}

const struct cs_algo cs_algo_reducescatter_pat = {
    .name = "pat",
    .collective = &cs_collective_reducescatter,
    .about = "a tree of sums for every block, near steps first, like NCCL's PAT",
    .formula = "ceil(log2 p) (alpha + V/p gamma) + (p-1)/p V/beta",
    .exactness = CS_COST_EVEN,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_log,
    .round = reducescatter_pat_round,
    .reduce_scatter_rounds = cs_scatter_log,
    .cost = reducescatter_pat_cost,
};
