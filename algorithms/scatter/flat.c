/*
 * Flat scatter: the root sends each rank the rank's piece, in sequence.
 *
 * Any p >= 1, any root.
 *
 *     p = 4, root 1:  1 -> 2: piece 2,  1 -> 3: piece 3,  1 -> 0: piece 0
 *
 * Sends: V less the own piece by the root, the minimum.
 *
 *     T = (p-1) alpha + (p-1)/p V / beta
 */
#include "algorithms/shared/rooted.h"

static void scatter_flat_round(const void *ctx, uint32_t rank, uint32_t lane,
                               uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t to = cs_rank_of_slot(call, (uint32_t)k + 1);

    (void)lane;
    if (rank == call->root)
        cs_ops_send(ops, to, cs_block(to));
    else
        cs_ops_recv(ops, call->root, cs_block(rank));
}

static struct cs_cost scatter_flat_cost(const struct cs_call *call,
                                        const struct cs_hockney *hockney)
{
    (void)hockney;
    return (struct cs_cost){
        call->ranks - 1.0,
        cs_vector_bytes(call) - cs_pieces_bytes(call, call->root, 1), 0};
}

const struct cs_algo cs_algo_scatter_flat = {
    .name = "flat",
    .collective = &cs_collective_scatter,
    .about = "the root sends each rank its piece",
    .formula = "(p-1) (alpha + V/p/beta)",
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rooted_flat_rounds,
    .round = scatter_flat_round,
    .cost = scatter_flat_cost,
};
