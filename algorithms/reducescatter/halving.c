/*
 * Halving reduce-scatter: ranks at distance p/2 exchange halves of the vector,
 * then ranks at half the distance exchange halves of the remaining half
 * (phase.h).
 *
 * p = 2^L.
 *
 *     p = 4, remaining blocks of a rank:
 *
 *     rank 0:  0123   01   0        rank 2:  0123   23   2
 *     rank 1:  0123   01   1        rank 3:  0123   23   3
 *
 * Sends per rank: V/2, V/4 ..., (p-1)/p V; (p-1) V in total.  In addition to
 * the vector a rank needs room for V/2.
 *
 *     T = L alpha + (p-1)/p V / beta + (p-1)/p V gamma
 *
 * For p not dividing V the form counts the longer half, which some rank has in
 * every step.
 *
 * R. Thakur, R. Rabenseifner and W. Gropp, IJHPCA 19(1), 2005.
 */
#include "algorithms/shared/patterns/phase.h"

static void reducescatter_halving_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                                        struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_members members = {.q = call->ranks};

    (void)lane;
    cs_halving_scatter_step(&members, rank, (uint32_t)k, ops);
}

static struct cs_cost reducescatter_halving_cost(const struct cs_call *call,
                                                 const struct cs_hockney *hockney)
{
    double steps = cs_log2_up(call->ranks);
    double bytes = cs_halving_bytes(call, call->ranks);

    (void)hockney;
    return (struct cs_cost){steps, bytes, bytes};
}

const struct cs_algo cs_algo_reducescatter_halving = {
    .name = "halving",
    .collective = &cs_collective_reducescatter,
    .about = "exchanges of halves at distance p/2, of quarters at p/4, ...",
    .formula = "L alpha + (p-1)/p V (1/beta + gamma), p = 2^L",
    .check = cs_check_power_of_two,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_log,
    .round = reducescatter_halving_round,
    .reduce_scatter_rounds = cs_scatter_log,
    .cost = reducescatter_halving_cost,
};
