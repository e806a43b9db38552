/*
 * PAT all-gather: every block down a binomial tree from the owner, far steps
 * first (pat.h).
 *
 * Sends per rank: p - 1 blocks; (p-1) V in total.
 *
 *     T = L alpha + (p-1)/p V / beta, L = ceil(log2 p)
 *
 * exactly for p dividing V; otherwise an estimate with blocks of the largest
 * size.
 */
#include "algorithms/shared/pat.h"

static void allgather_pat_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                                struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    (void)lane;
    cs_pat_gather_step(call->ranks, rank, (uint32_t)k, ops);
}

static struct cs_cost allgather_pat_cost(const struct cs_call *call,
                                         const struct cs_hockney *hockney)
{
    (void)hockney;
    return (struct cs_cost){cs_log2_up(call->ranks),
                            (double)(call->ranks - 1) * cs_largest_block_bytes(call), 0};
}

const struct cs_algo cs_algo_allgather_pat = {
    .name = "pat",
    .collective = &cs_collective_allgather,
    .about = "a tree for every block, far steps first, like NCCL's PAT",
    .formula = "ceil(log2 p) alpha + (p-1)/p V/beta",
    .exactness = CS_COST_EVEN,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_log,
    .round = allgather_pat_round,
    .cost = allgather_pat_cost,
};
