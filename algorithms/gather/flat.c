/*
 * Flat gather: every rank sends the own piece to the root.
 *
 * Any p >= 1, any root.  Ranks send without a request, so that all messages
 * start at once and queue at the root's port: one alpha.  With fewer `peers` at
 * once (call.peers) the root requests that many pieces in each round, as MPI
 * libraries do with one: a message leaves when its receive is posted.
 *
 *     p = 4, root 1:  0 -> 1: piece 0,  2 -> 1: piece 2,  3 -> 1: piece 3
 *
 * Sends per rank: the own piece; V less the root's piece in total, the minimum.
 *
 *     T = R alpha + (p-1)/p V / beta,    R = (p-1) / peers, rounded up
 */
#include "algorithms/shared/patterns/rooted.h"

static void gather_flat_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_exchanges slots = cs_rooted_flat_slots(call, at.round);

    if (at.party != call->root)
        cs_ops_send(ops, call->root, cs_block(at.party));
    for (uint32_t s = slots.first; s <= slots.last && at.party == call->root; s++)
        cs_ops_recv(ops, cs_rank_of_slot(call, s), cs_block(cs_rank_of_slot(call, s)));
    if (cs_rooted_flat_rounds(call, (struct cs_at){call->root, 0, 0}) > 1)
        cs_ops_match(ops);
}

const struct cs_algo cs_algo_gather_flat = {
    .name = "flat",
    .collective = &cs_collective_gather,
    .about = "every rank sends its piece to the root",
    .formula = "ceil((p-1)/peers) alpha + (p-1)/p V/beta",
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rooted_flat_rounds,
    .round = gather_flat_round,
    .cost = cs_rooted_flat_cost,
};
