/*
 * PAT: a binomial tree for every block (pat.h of shared).
 *
 * All-gather: every block down a tree from the owner, far steps first.
 * Reduce-scatter: sums of every block up a tree to the owner, near steps first.
 *
 * Sends per rank: p - 1 blocks; (p-1) V in total.  A step of m blocks of n
 * bytes takes alpha + m n / beta, and in the reduce-scatter the reduction of the
 * last block; with L = ceil(log2 p)
 *
 *     T = L alpha + (p-1)/p V / beta                     all-gather
 *     T = L alpha + (p-1)/p V / beta + L V/p gamma       reduce-scatter
 *
 * for reductions at least as fast as messages (gamma <= 1/beta); otherwise all
 * blocks of a step but the first wait for reductions.  Exact for p dividing V;
 * otherwise an estimate with blocks of the largest size.
 */
#include "algorithms/shared/pat.h"
#include "algorithms/mirrors/direction.h"

static void pat_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    if (cs_gathers(call))
        cs_pat_gather_step(call->ranks, at.party, (uint32_t)at.round, ops);
    else
        cs_pat_scatter_step(call->ranks, at.party, (uint32_t)at.round, ops);
}

static struct cs_cost pat_mirror_cost(const struct cs_call *call)
{
    double steps = cs_log2_up(call->ranks);
    double bytes = cs_largest_block_bytes(call);
    double all = (double)(call->ranks - 1) * bytes;

    if (cs_gathers(call))
        return (struct cs_cost){steps, all, 0};
    return cs_adds_in_passing(&call->hockney) ? (struct cs_cost){steps, all, steps * bytes}
                                              : (struct cs_cost){steps, steps * bytes, all};
}

#define PAT                                                                 \
    .name = "pat", .exactness = CS_COST_EVEN, .blocks = cs_blocks_per_rank, \
    .rounds = cs_rounds_log, .round = pat_mirror_round, .cost = pat_mirror_cost

const struct cs_algo cs_algo_allgather_pat = {
    PAT,
    .collective = &cs_collective_allgather,
    .about = "a tree for every block, far steps first, like NCCL's PAT",
    .formula = "ceil(log2 p) alpha + (p-1)/p V/beta",
};

const struct cs_algo cs_algo_reducescatter_pat = {
    PAT,
    .collective = &cs_collective_reducescatter,
    .about = "a tree of sums for every block, near steps first, like NCCL's PAT",
    .formula = "ceil(log2 p) (alpha + V/p gamma) + (p-1)/p V/beta",
    .reduce_scatter_rounds = cs_scatter_log,
};
