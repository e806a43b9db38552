/*
 * One-shot all-reduce: every rank sends the whole vector to every other rank at
 * once.
 *
 * Any p >= 1.  The naive exchange in a single round, for small messages
 * between pairs with a wire each: alpha + V / beta + (p-1) V gamma.  Through
 * one port the p - 1 messages follow each other, first to r + 1; the vectors
 * arrive at a rank in sequence, each reduced during the arrival of the next.
 *
 *     p = 3:
 *
 *     rank 0:  0     012
 *     rank 1:  1     012
 *     rank 2:  2     012
 *
 * Sends per rank: p - 1 of V bytes; p (p-1) V in total.  A rank needs room for
 * vectors that wait for the reduction: (p-1) V.
 *
 *     T = alpha + (p-1) V / beta + V gamma      gamma <= 1 / beta
 *     T = alpha + V / beta + (p-1) V gamma      otherwise
 */
#include "algorithms/shared/patterns/pattern.h"

static void oneshot_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;

    for (uint32_t step = 1; step < p; step++) {
        cs_ops_send_input(ops, cs_ahead(at.party, step, p), cs_whole());
        cs_ops_recv_reduce(ops, cs_behind(at.party, step, p), cs_whole());
    }
}

static struct cs_cost oneshot_cost(const struct cs_call *call)
{
    double others = call->ranks - 1;
    double bytes = cs_vector_bytes(call);

    if (cs_adds_in_passing(&call->hockney))
        return (struct cs_cost){1, others * bytes, bytes};
    return (struct cs_cost){1, bytes, others * bytes};
}

const struct cs_algo cs_algo_allreduce_oneshot = {
    .name = "oneshot",
    .collective = &cs_collective_allreduce,
    .about = "every rank sends its vector to every other rank at once",
    .formula = "alpha + (p-1) V/beta + V gamma",
    .blocks = cs_blocks_one,
    .rounds = cs_rounds_one,
    .round = oneshot_round,
    .cost = oneshot_cost,
};
