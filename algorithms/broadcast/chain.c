/*
 * Chain broadcast: the vector goes from slot to slot in k chunks, so that all
 * links of the chain are busy at once.
 *
 * Any p >= 1, any root, any k >= 1.  Slot s receives chunk j from slot s - 1
 * during the send of chunk j - 1 to slot s + 1.
 *
 *     p = 4, k = 2, chunks of a slot after each of p + k - 2 = 4 steps:
 *
 *     slot 1:  0   01  01  01
 *     slot 2:  -   0   01  01
 *     slot 3:  -   -   0   01
 *
 * Sends per rank: V, the last rank none; (p-1) V in total.
 *
 *     T = (p+k-2) alpha + (V + (p-2) ceil(V/k)) / beta
 *
 * that is (p+k-2) (alpha + V/k / beta) for k dividing V.  The best k is
 * sqrt((p-2) V / (alpha beta)).
 */
#include "algorithms/shared/chunks.h"
#include "algorithms/shared/rooted.h"

#include <math.h>

static void broadcast_chain_settle(struct cs_call *call,
                                   const struct cs_hockney *hockney)
{
    cs_settle_chunks(call, call->elements,
                     sqrt((call->ranks - 2.0) * cs_vector_bytes(call) /
                          (hockney->alpha_s * hockney->beta_Bps)));
}

static void broadcast_chain_round(const void *ctx, uint32_t rank, uint32_t lane,
                                  uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t slot = cs_slot_of(call, rank);
    uint32_t chunk = (uint32_t)k;

    (void)lane;
    if (slot == 0) {
        cs_ops_send(ops, cs_rank_of_slot(call, 1), cs_block(chunk));
        return;
    }
    if (chunk < call->chunks)
        cs_ops_recv(ops, cs_rank_of_slot(call, slot - 1), cs_block(chunk));
    if (chunk > 0 && slot < call->ranks - 1)
        cs_ops_send(ops, cs_rank_of_slot(call, slot + 1), cs_block(chunk - 1));
}

static struct cs_cost broadcast_chain_cost(const struct cs_call *call,
                                           const struct cs_hockney *hockney)
{
    double hops = call->ranks - 2.0;
    double chunk = cs_largest_chunk_bytes(call);

    (void)hockney;
    return (struct cs_cost){hops + call->chunks,
                            cs_vector_bytes(call) + hops * chunk, 0};
}

const struct cs_algo cs_algo_broadcast_chain = {
    .name = "chain",
    .collective = &cs_collective_broadcast,
    .about = "in k chunks from rank to rank",
    .formula = "(p+k-2) (alpha + V/k/beta), k chunks",
    .settle = broadcast_chain_settle,
    .blocks = cs_blocks_chunks,
    .rounds = cs_rooted_chain_rounds,
    .round = broadcast_chain_round,
    .cost = broadcast_chain_cost,
};
