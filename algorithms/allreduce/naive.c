/*
 * Naive all-reduce: everybody sends its whole vector to everybody.
 *
 * Any p >= 1.  p - 1 rounds; in round k rank r sends to r + k + 1 and adds up
 * what comes from r - k - 1, so each port is used for one message at a time.
 * What is sent is what the rank came with, which it therefore has to keep.
 *
 *     p = 3, after each round:
 *
 *     rank 0:  0     02     012
 *     rank 1:  1     01     012
 *     rank 2:  2     12     012
 *
 * Sends per rank: p - 1 of V bytes; p (p-1) V in all.  Beside input and output
 * a rank needs room for one arriving vector.
 *
 *     T = (p-1) (alpha + V / beta + V gamma)
 *
 * On a medium that carries one message at a time: p (p-1) V / beta.
 */
#include "algorithms/shared/pattern.h"

static void naive_round(const void *ctx, uint32_t rank, uint32_t lane,
                        uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;
    uint32_t step = (uint32_t)k + 1;

    (void)lane;
    cs_ops_send_input(ops, cs_ahead(rank, step, p), cs_whole());
    cs_ops_recv_reduce(ops, cs_behind(rank, step, p), cs_whole());
}

static struct cs_cost naive_cost(const struct cs_call *call,
                                 const struct cs_hockney *hockney)
{
    double rounds = call->ranks - 1;
    double bytes = rounds * cs_vector_bytes(call);

    (void)hockney;
    return (struct cs_cost){rounds, bytes, bytes};
}

const struct cs_algo cs_algo_allreduce_naive = {
    .name = "naive",
    .collective = &cs_collective_allreduce,
    .about = "everybody sends everything to everybody",
    .formula = "(p-1) (alpha + V/beta + V gamma)",
    .blocks = cs_blocks_one,
    .rounds = cs_rounds_per_peer,
    .round = naive_round,
    .cost = naive_cost,
};
