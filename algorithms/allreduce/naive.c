/*
 * Naive all-reduce: every rank sends the whole vector to every other rank.
 *
 * Any p >= 1.  p - 1 rounds; in round k rank r sends to r + k + 1 and reduces
 * the vector of r - k - 1, so that each port has one message at a time.  A
 * rank sends the input, and keeps the input to the end.
 *
 *     p = 3, after each round:
 *
 *     rank 0:  0     02     012
 *     rank 1:  1     01     012
 *     rank 2:  2     12     012
 *
 * Sends per rank: p - 1 of V bytes; p (p-1) V in total.  In addition to input
 * and output a rank needs room for an arriving vector.
 *
 *     T = (p-1) (alpha + V / beta + V gamma)
 *
 * On a medium with one message at a time: p (p-1) V / beta.
 */
#include "algorithms/shared/patterns/pattern.h"

static void naive_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;
    uint32_t step = (uint32_t)at.round + 1;

    cs_ops_send_input(ops, cs_ahead(at.party, step, p), cs_whole());
    cs_ops_recv_reduce(ops, cs_behind(at.party, step, p), cs_whole());
}

static struct cs_cost naive_cost(const struct cs_call *call)
{
    double rounds = call->ranks - 1;
    double bytes = rounds * cs_vector_bytes(call);

    return (struct cs_cost){rounds, bytes, bytes};
}

const struct cs_algo cs_algo_allreduce_naive = {
    .name = "naive",
    .collective = &cs_collective_allreduce,
    .about = "every rank sends its vector to every other rank",
    .formula = "(p-1) (alpha + V/beta + V gamma)",
    .blocks = cs_blocks_one,
    .rounds = cs_rounds_per_peer,
    .round = naive_round,
    .cost = naive_cost,
};
