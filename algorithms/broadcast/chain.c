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
#include "algorithms/shared/chain.h"
#include "algorithms/shared/patterns/chunks.h"

#include <math.h>

static void broadcast_chain_settle(struct cs_call *call)
{
    cs_settle_chunks(call, call->elements,
                     sqrt((call->ranks - 2.0) * cs_vector_bytes(call) /
                          (call->hockney.alpha_s * call->hockney.beta_Bps)));
}

static void broadcast_chain_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    struct cs_chain chain = cs_chain_of_ranks(ctx, at.party);

    cs_chain_down_round(&chain, at.round, ops);
}

static struct cs_cost broadcast_chain_cost(const struct cs_call *call)
{
    double hops = call->ranks - 2.0;
    double chunk = cs_largest_chunk_bytes(call);

    return (struct cs_cost){hops + call->chunks, cs_vector_bytes(call) + hops * chunk, 0};
}

const struct cs_algo cs_algo_broadcast_chain = {
    .name = "chain",
    .collective = &cs_collective_broadcast,
    .about = "in k chunks from rank to rank",
    .formula = "(p+k-2) (alpha + V/k/beta), k chunks",
    .settle = broadcast_chain_settle,
    .blocks = cs_blocks_chunks,
    .rounds = cs_chain_rank_rounds,
    .round = broadcast_chain_round,
    .cost = broadcast_chain_cost,
};
