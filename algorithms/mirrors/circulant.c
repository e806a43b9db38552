/*
 * Circulant: halving around a circle (phase.h), and the reverse.
 *
 * Any p >= 1, L = ceil(log2 p).  The time of halving, for any number of ranks.
 *
 *     p = 5, remaining blocks of a rank in the reduce-scatter:
 *
 *     rank 0:  01234   012   01   0      sends 34 to 3, 2 to 2, 1 to 1
 *     rank 1:  12340   123   12   1      sends 40 to 4, 3 to 3, 2 to 2
 *
 *     p = 5, blocks of a rank in the all-gather:
 *
 *     rank 0:  0   01   012   01234      from 1: 1, from 2: 2, from 3: 34
 *     rank 1:  1   12   123   12340      from 2: 2, from 3: 3, from 4: 40
 *
 * Sends per rank: (p-1)/p V; (p-1) V in total.  A reduce-scatter needs room for
 * floor(p/2) blocks in addition to the vector.
 *
 *     T = L alpha + (p-1)/p V / beta                     all-gather
 *     T = L alpha + (p-1)/p V / beta + (p-1)/p V gamma   reduce-scatter
 *
 * exactly for p dividing V.  Otherwise the form counts the longest message of
 * each step, which is an estimate: no rank has the longest message in every
 * step, and ranks drift apart, so that messages of two rounds share a port.
 *
 * J. L. Traeff, arXiv:2410.14234, 2024.
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/phase.h"

static void circulant_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    if (cs_gathers(call))
        cs_circulant_gather_step(call->ranks, at.party, (uint32_t)at.round, ops);
    else
        cs_circulant_scatter_step(call->ranks, at.party, (uint32_t)at.round, ops);
}

static struct cs_cost circulant_mirror_cost(const struct cs_call *call)
{
    double bytes = cs_circulant_bytes(call);

    return (struct cs_cost){cs_log2_up(call->ranks), bytes, cs_gathers(call) ? 0 : bytes};
}

#define CIRCULANT                                                                 \
    .name = "circulant", .exactness = CS_COST_EVEN, .blocks = cs_blocks_per_rank, \
    .rounds = cs_rounds_log, .round = circulant_mirror_round, .cost = circulant_mirror_cost

const struct cs_algo cs_algo_allgather_circulant = {
    CIRCULANT,
    .collective = &cs_collective_allgather,
    .about = "a circulant reduce-scatter backwards, any number of ranks",
    .formula = "L alpha + (p-1)/p V/beta, L = ceil(log2 p)",
};

const struct cs_algo cs_algo_reducescatter_circulant = {
    CIRCULANT,
    .collective = &cs_collective_reducescatter,
    .about = "halving around a circle, any number of ranks",
    .formula = "L alpha + (p-1)/p V (1/beta + gamma), L = ceil(log2 p)",
    .scatters = true,
};
