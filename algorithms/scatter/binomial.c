/*
 * Binomial scatter: the root sends half of the pieces to one rank, which goes
 * on in the same way (rooted.h).
 *
 * Any p >= 1, any root, L = ceil(log2 p).
 *
 *     p = 6, root 0, pieces that a rank is answerable for:
 *
 *     rank 0:  012345   0123   01   0
 *     rank 2:  -        -      23   2
 *     rank 4:  -        45     45   4        1, 3, 5: in the last round
 *
 * Sends: V less its own piece by the root; V/2 log2 p in all for a power of
 * two.  Beside its own piece a rank needs room for those it passes on, half of
 * all at most.
 *
 *     T = L alpha + (p-1)/p V / beta
 *
 * exactly, for any p: the root's port is never idle.  Where p does not divide V
 * another way down can have the longer pieces; the longest one counts.
 */
#include "algorithms/shared/rooted.h"

static void scatter_binomial_round(const void *ctx, uint32_t rank,
                                   uint32_t lane, uint64_t k,
                                   struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    (void)lane;
    cs_binomial_scatter_step(call, rank,
                             cs_log2_up(call->ranks) - 1 - (uint32_t)k, ops);
}

const struct cs_algo cs_algo_scatter_binomial = {
    .name = "binomial",
    .collective = &cs_collective_scatter,
    .about = "half of the pieces to one rank, which does the same",
    .formula = "L alpha + (p-1)/p V/beta, L = ceil(log2 p)",
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_log,
    .round = scatter_binomial_round,
    .cost = cs_binomial_scatter_cost,
};
