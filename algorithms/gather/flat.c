/*
 * Flat gather: every rank sends the own piece to the root.
 *
 * Any p >= 1, any root.  Ranks send without a request, so that all messages
 * start at once and queue at the root's port: one alpha.  (MPI libraries that
 * request the pieces in turn pay p - 1.)
 *
 *     p = 4, root 1:  0 -> 1: piece 0,  2 -> 1: piece 2,  3 -> 1: piece 3
 *
 * Sends per rank: the own piece; V less the root's piece in total, the minimum.
 *
 *     T = alpha + (p-1)/p V / beta
 */
#include "algorithms/shared/rooted.h"

static void gather_flat_round(const void *ctx, uint32_t rank, uint32_t lane,
                              uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t from;

    (void)lane;
    (void)k;
    if (rank != call->root)
        cs_ops_send(ops, call->root, cs_block(rank));
    for (from = 0; from < call->ranks && rank == call->root; from++)
        if (from != rank)
            cs_ops_recv(ops, from, cs_block(from));
}

static struct cs_cost gather_flat_cost(const struct cs_call *call,
                                       const struct cs_hockney *hockney)
{
    (void)hockney;
    return (struct cs_cost){
        1, cs_vector_bytes(call) - cs_pieces_bytes(call, call->root, 1), 0};
}

const struct cs_algo cs_algo_gather_flat = {
    .name = "flat",
    .collective = &cs_collective_gather,
    .about = "every rank sends its piece to the root",
    .formula = "alpha + (p-1)/p V/beta",
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_one,
    .round = gather_flat_round,
    .cost = gather_flat_cost,
};
