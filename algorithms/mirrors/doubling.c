/*
 * Halving and doubling (phase.h), p = 2^L.
 *
 * Halving reduce-scatter: ranks at distance p/2 exchange halves of the vector,
 * then ranks at half the distance exchange halves of the remaining half.
 * Doubling all-gather, the reverse: neighbours exchange blocks, then ranks at
 * twice the distance exchange all blocks so far.
 *
 *     p = 4, remaining blocks of a rank in the halving; the doubling from the end:
 *
 *     rank 0:  0123   01   0        rank 2:  0123   23   2
 *     rank 1:  0123   01   1        rank 3:  0123   23   3
 *
 * Sends per rank: V/2, V/4 ..., (p-1)/p V; (p-1) V in total.  In addition to
 * the vector the halving needs room for V/2.
 *
 *     T = L alpha + (p-1)/p V / beta                     doubling
 *     T = L alpha + (p-1)/p V / beta + (p-1)/p V gamma   halving
 *
 * For p not dividing V the form counts the longer half, which some rank has in
 * every step.
 *
 * R. Thakur, R. Rabenseifner and W. Gropp, IJHPCA 19(1), 2005.
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/phase.h"

static void doubling_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_members members = {.q = call->ranks};

    if (cs_gathers(call))
        cs_doubling_gather_step(&members, at.party, (uint32_t)at.round, ops);
    else
        cs_halving_scatter_step(&members, at.party, (uint32_t)at.round, ops);
}

static struct cs_cost doubling_mirror_cost(const struct cs_call *call)
{
    double bytes = cs_halving_bytes(call, call->ranks);

    return (struct cs_cost){cs_log2_up(call->ranks), bytes, cs_gathers(call) ? 0 : bytes};
}

#define DOUBLING                                                                           \
    .check = cs_check_power_of_two, .blocks = cs_blocks_per_rank, .rounds = cs_rounds_log, \
    .round = doubling_mirror_round, .cost = doubling_mirror_cost

const struct cs_algo cs_algo_allgather_doubling = {
    DOUBLING,
    .name = "doubling",
    .collective = &cs_collective_allgather,
    .about = "exchanges of blocks at distance 1, 2, 4, ...",
    .formula = "L alpha + (p-1)/p V/beta, p = 2^L",
};

const struct cs_algo cs_algo_reducescatter_halving = {
    DOUBLING,
    .name = "halving",
    .collective = &cs_collective_reducescatter,
    .about = "exchanges of halves at distance p/2, of quarters at p/4, ...",
    .formula = "L alpha + (p-1)/p V (1/beta + gamma), p = 2^L",
    .scatters = true,
};
