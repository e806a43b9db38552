/*
 * Flat reduce: every rank sends the vector to the root, and the root reduces.
 *
 * Any p >= 1, any root.  All messages start at once and queue at the root's
 * port; the root reduces a vector during the arrival of the next, in order of
 * rank.
 *
 *     p = 4, root 1:  0 -> 1, 2 -> 1, 3 -> 1     root: 1, 01, 012, 0123
 *
 * Sends per rank: V; (p-1) V in total, through one port.
 *
 *     T = alpha + (p-1) V / beta + V gamma          gamma <= 1 / beta
 *     T = alpha + V / beta + (p-1) V gamma          otherwise
 */
#include "algorithms/shared/patterns/rooted.h"

static void reduce_flat_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t from = (uint32_t)at.round < at.party ? (uint32_t)at.round : (uint32_t)at.round + 1;

    if (at.party == call->root)
        cs_ops_recv_reduce(ops, from, cs_whole());
    else
        cs_ops_send(ops, call->root, cs_whole());
}

static struct cs_cost reduce_flat_cost(const struct cs_call *call)
{
    double bytes = cs_vector_bytes(call);
    double all = (call->ranks - 1) * bytes;

    if (cs_adds_in_passing(&call->hockney))
        return (struct cs_cost){1, all, bytes};
    return (struct cs_cost){1, bytes, all};
}

const struct cs_algo cs_algo_reduce_flat = {
    .name = "flat",
    .collective = &cs_collective_reduce,
    .about = "every rank sends its vector to the root, which reduces",
    .formula = "alpha + (p-1) V/beta + V gamma",
    .blocks = cs_blocks_one,
    .rounds = cs_rooted_sequence_rounds,
    .round = reduce_flat_round,
    .cost = reduce_flat_cost,
};
