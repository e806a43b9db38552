/*
 * Scatter-all-gather broadcast: a scatter of the vector down a binomial tree
 * (rooted.h), then an all-gather around a ring (phase.h).
 *
 * Any p >= 1, any root, L = ceil(log2 p).  For long vectors about twice the
 * minimum time, for any number of ranks.
 *
 *     p = 4, root 0, pieces of a rank:
 *
 *     rank 0:  0123   0123   0123   0123   0123   0123
 *     rank 1:  -      -      1      01     013    0123
 *     rank 2:  -      23     23     123    0123   0123
 *     rank 3:  -      -      3      23     123    0123
 *
 * Sends: 2 (p-1) V/p by the root; in total (p-1) V in the ring and, for a power
 * of two, V/2 log2 p in the scatter.
 *
 *     T = (L + p-1) alpha + 2 (p-1) V/p / beta
 *
 * exactly for p dividing V.  Otherwise an estimate with ring messages of
 * ceil(V/p) bytes.
 *
 * M. Barnett, L. Shuler, S. Gupta, D. G. Payne, R. van de Geijn and J. Watts,
 * Building a high-performance collective communication library, SC 1994.
 */
#include "algorithms/shared/patterns/phase.h"
#include "algorithms/shared/patterns/rooted.h"

static uint64_t scatter_allgather_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct cs_call *call = ctx;

    return cs_log2_up(call->ranks) + (uint64_t)call->ranks - 1;
}

static void scatter_allgather_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t depth = cs_log2_up(call->ranks);

    if (at.round < depth)
        cs_binomial_scatter_step(call, at.party, depth - 1 - (uint32_t)at.round, ops);
    else
        cs_ring_gather_step(call->ranks, at.party, (uint32_t)at.round - depth, ops);
}

static struct cs_cost scatter_allgather_cost(const struct cs_call *call)
{
    struct cs_cost cost = cs_binomial_scatter_cost(call);

    cost.rounds += call->ranks - 1;
    cost.bytes += (call->ranks - 1) * cs_largest_block_bytes(call);
    return cost;
}

const struct cs_algo cs_algo_broadcast_scatter_allgather = {
    .name = "scatter-allgather",
    .collective = &cs_collective_broadcast,
    .about = "binomial scatter, then ring all-gather",
    .formula = "(L + p-1) alpha + 2(p-1) V/p/beta, L = ceil(log2 p)",
    .exactness = CS_COST_EVEN,
    .blocks = cs_blocks_per_rank,
    .rounds = scatter_allgather_rounds,
    .round = scatter_allgather_round,
    .cost = scatter_allgather_cost,
};
