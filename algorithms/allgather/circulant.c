/*
 * Circulant all-gather: the reverse of the circulant reduce-scatter (phase.h).
 *
 * Any p >= 1, L = ceil(log2 p).
 *
 *     p = 5, blocks of a rank:
 *
 *     rank 0:  0   01   012   01234      from 1: 1, from 2: 2, from 3: 34
 *     rank 1:  1   12   123   12340      from 2: 2, from 3: 3, from 4: 40
 *
 * Sends per rank: (p-1)/p V; (p-1) V in total.
 *
 *     T = L alpha + (p-1)/p V / beta
 *
 * exactly for p dividing V.  Otherwise the form counts the longest message of
 * each step, which is an estimate: no rank has the longest message in every
 * step, and ranks drift apart, so that messages of two rounds share a port.
 *
 * J. L. Traeff, arXiv:2410.14234, 2024.
 */
#include "algorithms/shared/patterns/phase.h"

static void allgather_circulant_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                                      struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    (void)lane;
    cs_circulant_gather_step(call->ranks, rank, (uint32_t)k, ops);
}

static struct cs_cost allgather_circulant_cost(const struct cs_call *call,
                                               const struct cs_hockney *hockney)
{
    double steps = cs_log2_up(call->ranks);
    double bytes = cs_circulant_bytes(call);

    (void)hockney;
    return (struct cs_cost){steps, bytes, 0};
}

const struct cs_algo cs_algo_allgather_circulant = {
    .name = "circulant",
    .collective = &cs_collective_allgather,
    .about = "a circulant reduce-scatter backwards, any number of ranks",
    .formula = "L alpha + (p-1)/p V/beta, L = ceil(log2 p)",
    .exactness = CS_COST_EVEN,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_log,
    .round = allgather_circulant_round,
    .cost = allgather_circulant_cost,
};
