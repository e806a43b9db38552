/*
 * Doubling all-gather: neighbours exchange blocks, then ranks at twice the
 * distance exchange all blocks so far (phase.h).
 *
 * p = 2^L.
 *
 *     p = 4, blocks of a rank:
 *
 *     rank 0:  0  01  0123        rank 2:  2  23  0123
 *     rank 1:  1  01  0123        rank 3:  3  23  0123
 *
 * Sends per rank: V/p, 2V/p ..., (p-1)/p V; (p-1) V in total.
 *
 *     T = L alpha + (p-1)/p V / beta
 *
 * For p not dividing V the form counts the longer half, which some rank has in
 * every step.
 *
 * R. Thakur, R. Rabenseifner and W. Gropp, IJHPCA 19(1), 2005.
 */
#include "algorithms/shared/patterns/phase.h"

static void allgather_doubling_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                                     struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_members members = {.q = call->ranks};

    (void)lane;
    cs_doubling_gather_step(&members, rank, (uint32_t)k, ops);
}

static struct cs_cost allgather_doubling_cost(const struct cs_call *call,
                                              const struct cs_hockney *hockney)
{
    double steps = cs_log2_up(call->ranks);
    double bytes = cs_halving_bytes(call, call->ranks);

    (void)hockney;
    return (struct cs_cost){steps, bytes, 0};
}

const struct cs_algo cs_algo_allgather_doubling = {
    .name = "doubling",
    .collective = &cs_collective_allgather,
    .about = "exchanges of blocks at distance 1, 2, 4, ...",
    .formula = "L alpha + (p-1)/p V/beta, p = 2^L",
    .check = cs_check_power_of_two,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_log,
    .round = allgather_doubling_round,
    .cost = allgather_doubling_cost,
};
