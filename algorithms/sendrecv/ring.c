/*
 * Ring send and receive: every rank sends its whole vector to the next one.
 *
 * Any p >= 1.  One step of a ring, as nccl-tests' sendrecv does it.
 *
 *     p = 3:  0 -> 1, 1 -> 2, 2 -> 0      rank 0: 2    rank 1: 0    rank 2: 1
 *
 * Sends per rank: V.  What is sent is the input, so that a rank can receive
 * meanwhile.
 *
 *     T = alpha + V / beta
 */
#include "algorithms/shared/pattern.h"

static void sendrecv_ring_round(const void *ctx, uint32_t rank, uint32_t lane,
                                uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    (void)lane;
    (void)k;
    cs_ops_send_input(ops, cs_ahead(rank, 1, call->ranks), cs_whole());
    cs_ops_recv(ops, cs_behind(rank, 1, call->ranks), cs_whole());
}

static struct cs_cost sendrecv_ring_cost(const struct cs_call *call,
                                         const struct cs_hockney *hockney)
{
    (void)hockney;
    return (struct cs_cost){1, cs_vector_bytes(call), 0};
}

const struct cs_algo cs_algo_sendrecv_ring = {
    .name = "ring",
    .collective = &cs_collective_sendrecv,
    .about = "every rank sends its vector to the next one",
    .formula = "alpha + V/beta",
    .blocks = cs_blocks_one,
    .rounds = cs_rounds_one,
    .round = sendrecv_ring_round,
    .cost = sendrecv_ring_cost,
};
