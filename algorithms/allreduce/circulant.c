/*
 * Circulant all-reduce: a circulant reduce-scatter, then the reverse as an
 * all-gather (phase.h).
 *
 * Any p >= 1, L = ceil(log2 p).  The bytes of the ring in the steps of halving
 * and doubling, without a power of two.
 *
 * Sends per rank: 2 L messages, 2(p-1) V/p bytes; 2(p-1) V in total.  In
 * addition to the vector a rank needs room for an arriving message, at most
 * floor(p/2) V/p.
 *
 *     T = 2 L alpha + 2(p-1) V/p / beta + (p-1) V/p gamma
 *
 * exactly for p dividing V.  Otherwise the form counts the longest message of
 * each step, which is an estimate: no rank has the longest message in every
 * step, and ranks drift apart, so that messages of two rounds share a port.
 *
 * J. L. Traeff, arXiv:2410.14234, 2024.
 */
#include "algorithms/shared/patterns/phase.h"

static void allreduce_circulant_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t steps = cs_log2_up(call->ranks);

    if (at.round < steps)
        cs_circulant_scatter_step(call->ranks, at.party, (uint32_t)at.round, ops);
    else
        cs_circulant_gather_step(call->ranks, at.party, (uint32_t)at.round - steps, ops);
}

static struct cs_cost allreduce_circulant_cost(const struct cs_call *call)
{
    double steps = cs_log2_up(call->ranks);
    double bytes = cs_circulant_bytes(call);

    return (struct cs_cost){2 * steps, 2 * bytes, bytes};
}

const struct cs_algo cs_algo_allreduce_circulant = {
    .name = "circulant",
    .collective = &cs_collective_allreduce,
    .about = "halving around a circle and back, any number of ranks",
    .formula = "2 L alpha + 2(p-1) V/p/beta + (p-1) V/p gamma, L = ceil(log2 p)",
    .exactness = CS_COST_EVEN,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_log_twice,
    .round = allreduce_circulant_round,
    .scatters = true,
    .cost = allreduce_circulant_cost,
};
