/*
 * Flat broadcast: the root sends the vector to one rank after the other.
 *
 * Any p >= 1, any root.  Only the root's port is busy.
 *
 *     p = 4, root 0:  0 -> 1,  0 -> 2,  0 -> 3
 *
 * Sends: (p-1) V by the root.
 *
 *     T = (p-1) (alpha + V / beta)
 */
#include "algorithms/shared/patterns/rooted.h"

static void broadcast_flat_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    if (at.party == call->root)
        cs_ops_send(ops, cs_rank_of_slot(call, (uint32_t)at.round + 1), cs_whole());
    else
        cs_ops_recv(ops, call->root, cs_whole());
}

static struct cs_cost broadcast_flat_cost(const struct cs_call *call)
{
    double rounds = call->ranks - 1;

    return (struct cs_cost){rounds, rounds * cs_vector_bytes(call), 0};
}

const struct cs_algo cs_algo_broadcast_flat = {
    .name = "flat",
    .collective = &cs_collective_broadcast,
    .about = "the root sends to one rank after the other",
    .formula = "(p-1) (alpha + V/beta)",
    .blocks = cs_blocks_one,
    .rounds = cs_rooted_sequence_rounds,
    .round = broadcast_flat_round,
    .cost = broadcast_flat_cost,
};
