/*
 * Flat scatter: the root sends each rank the rank's piece.
 *
 * Any p >= 1, any root.  The root sends to all ranks at once, or to `peers`
 * ranks in each round (call.peers); with 1 in sequence.  At once is the form of
 * NCCL's grouped sends; all wires of the root are in use.
 *
 *     p = 4, root 1:  1 -> 2: piece 2,  1 -> 3: piece 3,  1 -> 0: piece 0
 *
 * Sends: V less the own piece by the root, the minimum.
 *
 *     T = R alpha + (p-1)/p V / beta,    R = (p-1) / peers, rounded up
 */
#include "algorithms/shared/patterns/rooted.h"

static void scatter_flat_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_exchanges slots = cs_rooted_flat_slots(call, at.round);

    if (at.party != call->root)
        cs_ops_recv(ops, call->root, cs_block(at.party));
    for (uint32_t s = slots.first; s <= slots.last && at.party == call->root; s++)
        cs_ops_send(ops, cs_rank_of_slot(call, s), cs_block(cs_rank_of_slot(call, s)));
}

const struct cs_algo cs_algo_scatter_flat = {
    .name = "flat",
    .collective = &cs_collective_scatter,
    .about = "the root sends each rank its piece",
    .formula = "ceil((p-1)/peers) alpha + (p-1)/p V/beta",
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rooted_flat_rounds,
    .round = scatter_flat_round,
    .cost = cs_rooted_flat_cost,
};
