/*
 * Gather and broadcast all-reduce: rank 0 receives and reduces all vectors in
 * sequence, and sends the sum to every rank in sequence.
 *
 * Any p >= 1.  2(p-1) rounds of rank 0, with rank 0's port as the bottleneck.
 * Ranks send without a request: the vectors follow each other through the port,
 * with a single alpha for the gather, and each is reduced during the arrival of
 * the next.  The broadcast sends a copy after the delivery of the previous one.
 *
 *     p = 3, after each of the 4 rounds of rank 0:
 *
 *     rank 0:  01     012     012     012
 *     rank 1:  1      1       012     012
 *     rank 2:  2      2       2       012
 *
 * Sends: p - 1 of V bytes by rank 0, one by each other rank; 2(p-1) V in total.
 * Rank 0 needs room for vectors that wait for the reduction, at most (p-1) V.
 *
 *     T = p alpha + 2(p-1) V / beta + V gamma      gamma <= 1 / beta
 *     T = p alpha + p V / beta + (p-1) V gamma     otherwise
 */
#include "algorithms/shared/patterns/pattern.h"

static uint64_t gather_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;

    return at.party ? 2 : 2 * (uint64_t)(call->ranks - 1);
}

static void root_round(uint32_t p, uint64_t k, struct cs_ops *ops)
{
    if (k < p - 1)
        cs_ops_recv_reduce(ops, (uint32_t)k + 1, cs_whole());
    else
        cs_ops_send(ops, (uint32_t)k + 2 - p, cs_whole());
}

static void gather_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    if (at.party == 0)
        root_round(call->ranks, at.round, ops);
    else if (at.round == 0)
        cs_ops_send(ops, 0, cs_whole());
    else
        cs_ops_recv(ops, 0, cs_whole());
}

static struct cs_cost gather_cost(const struct cs_call *call)
{
    double p = call->ranks;
    double bytes = cs_vector_bytes(call);

    if (cs_adds_in_passing(&call->hockney))
        return (struct cs_cost){p, 2 * (p - 1) * bytes, bytes};
    return (struct cs_cost){p, p * bytes, (p - 1) * bytes};
}

const struct cs_algo cs_algo_allreduce_gather_bcast = {
    .name = "gather-bcast",
    .collective = &cs_collective_allreduce,
    .about = "rank 0 reduces all vectors, then sends the sum to each rank",
    .formula = "p alpha + 2(p-1) V/beta + V gamma",
    .blocks = cs_blocks_one,
    .rounds = gather_rounds,
    .round = gather_round,
    .cost = gather_cost,
};
