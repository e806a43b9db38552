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
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/pattern.h"

/*
 * PAT, parallel aggregated trees: a binomial tree from the owner of every
 * block, all trees at once, the farthest step first.
 *
 * Any p >= 1.  With L = ceil(log2 p) and d = 2^(L-1-k), in step k a rank sends
 * to the rank d ahead the blocks of the owners at multiples of 2d behind,
 * except for blocks that already went around.  The reverse, with reductions,
 * is a reduce-scatter.
 *
 *     p = 5, blocks of rank r in the all-gather (d = 4, 2, 1):
 *
 *     rank 0:  0   01   013   01234        rank 3:  3   34   134   01234
 *     rank 1:  1   12   124   01234        rank 4:  4   40   024   01234
 *     rank 2:  2   23   023   01234
 *
 * As in Bruck's algorithm, a rank has L steps and sends each block once, but
 * far steps carry few blocks and near steps many; blocks keep the positions,
 * so that no rotation follows.  The blocks of a step are not contiguous: each
 * is a message here, and the messages of a step leave in sequence.
 *
 * NCCL has PAT since 2.23.  NCCL's transport holds a limited number of blocks
 * and goes through parts of the trees in sequence for steps with more blocks;
 * the model here has no such limit.
 *
 * S. Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter operations
 * at scale, arXiv:2506.20252, 2025.
 */

static uint32_t pat_distance(uint32_t p, uint32_t k)
{
    return (uint32_t)1 << (cs_log2_up(p) - 1 - k);
}

/* Step k of the all-gather, and of the reduce-scatter, 0 <= k < L. */
static void pat_gather_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops)
{
    uint32_t d = pat_distance(p, k);
    uint32_t from = cs_behind(rank, d, p);

    for (uint32_t offset = 0; offset + d < p; offset += 2 * d) {
        cs_ops_send(ops, cs_ahead(rank, d, p), cs_block(cs_behind(rank, offset, p)));
        cs_ops_recv(ops, from, cs_block(cs_behind(from, offset, p)));
    }
}

/* The steps of the all-gather in reverse: a sum goes to the source of the
 * block. */
static void pat_scatter_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops)
{
    uint32_t d = pat_distance(p, cs_log2_up(p) - 1 - k);
    uint32_t to = cs_behind(rank, d, p);

    for (uint32_t offset = 0; offset + d < p; offset += 2 * d) {
        cs_ops_send(ops, to, cs_block(cs_behind(to, offset, p)));
        cs_ops_recv_reduce(ops, cs_ahead(rank, d, p), cs_block(cs_behind(rank, offset, p)));
    }
}

static void pat_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    if (cs_gathers(call))
        pat_gather_step(call->ranks, at.party, (uint32_t)at.round, ops);
    else
        pat_scatter_step(call->ranks, at.party, (uint32_t)at.round, ops);
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
    .scatters = true,
};
