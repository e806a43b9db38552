/*
 * Ring send-receive: every rank sends the whole vector to the next rank.
 *
 * Any p >= 1.  One step of a ring, as in nccl-tests' sendrecv.
 *
 *     p = 3:  0 -> 1, 1 -> 2, 2 -> 0      rank 0: 2    rank 1: 0    rank 2: 1
 *
 * Sends per rank: V, from the input, so that the output can receive at the same
 * time.
 *
 *     T = alpha + V / beta
 */
#include "algorithms/shared/patterns/pattern.h"

static void sendrecv_ring_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    cs_ops_send_input(ops, cs_ahead(at.party, 1, call->ranks), cs_whole());
    cs_ops_recv(ops, cs_behind(at.party, 1, call->ranks), cs_whole());
}

static struct cs_cost sendrecv_ring_cost(const struct cs_call *call)
{
    return (struct cs_cost){1, cs_vector_bytes(call), 0};
}

const struct cs_algo cs_algo_sendrecv_ring = {
    .name = "ring",
    .collective = &cs_collective_sendrecv,
    .about = "every rank sends its vector to the next rank",
    .formula = "alpha + V/beta",
    .blocks = cs_blocks_one,
    .rounds = cs_rounds_one,
    .round = sendrecv_ring_round,
    .cost = sendrecv_ring_cost,
};
