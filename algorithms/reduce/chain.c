/*
 * Chain reduce: the reverse of the chain broadcast, with reductions: the last
 * slot sends the vector in k chunks, and every slot adds the own contribution
 * on the route to the root.
 *
 * Any p >= 1, any root, any k >= 1.  Slot s receives chunk j from slot s + 1
 * and reduces chunk j during the send of chunk j - 1 to slot s - 1 and the
 * arrival of the next chunk.  The slower of the send, w = alpha + V/k / beta,
 * and the reduction, g = V/k gamma, sets the pace of the chunks.
 *
 *     p = 3, k = 2, sums of the chunks (|):
 *
 *     slot 1:  1|1   12|1   12|12
 *     slot 0:  0|0   0|0    012|0    012|012
 *
 * Sends per rank: V, except the root; (p-1) V in total.
 *
 *     T = (p-1) (w + g) + (k-1) max(w, g)
 *
 * for k dividing V; otherwise the first V mod k chunks are longer, and the cost
 * below is the longest of the three candidate paths.  The best k is
 * sqrt(V ((p-2)/beta + (p-1) gamma) / alpha), and at least the k with w >= g.
 */
#include "algorithms/shared/chain.h"
#include "algorithms/shared/patterns/chunks.h"

#include <math.h>

static void reduce_chain_settle(struct cs_call *call)
{
    double volume = cs_vector_bytes(call);
    double gamma = call->hockney.gamma_s_per_byte;
    double fill = (call->ranks - 2.0) / call->hockney.beta_Bps + (call->ranks - 1.0) * gamma;
    double even = volume * (gamma - 1 / call->hockney.beta_Bps) / call->hockney.alpha_s;

    cs_settle_chunks(call, call->elements, fmax(sqrt(volume * fill / call->hockney.alpha_s), even));
}

static void reduce_chain_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    struct cs_chain chain = cs_chain_of_ranks(ctx, at.party);

    cs_chain_up_round(&chain, at.round, ops);
}

/* Candidate paths, all with the first chunk over all hops.  The other chunks
 * follow over the last link, and the last chunk, shorter by `less`, ends with
 * the root's reduction; or all follow through the root's reduction; or the
 * longer chunks through the reduction of slot 1 and the shorter ones over the
 * last link. */
static struct cs_cost reduce_chain_cost(const struct cs_call *call)
{
    double hops = call->ranks - 1.0;
    double rest = call->chunks - 1.0;
    uint64_t longer = call->elements % call->chunks;
    double first = cs_largest_chunk_bytes(call);
    double follow = cs_vector_bytes(call) - first;
    double follow_long = longer ? (double)(longer - 1) * first : 0;
    double less = longer ? call->element_bytes : 0;
    const struct cs_cost routes[] = {
        {hops + rest, hops * first + follow, hops * first - less},
        {hops, hops * first, hops * first + follow},
        {hops + call->chunks - (double)longer, hops * first + follow - follow_long,
         hops * first + follow_long - less},
    };
    uint32_t count = longer && call->ranks > 2 ? 3 : 2;
    uint32_t worst = 0;

    for (uint32_t i = 1; i < count; i++)
        if (cs_cost_s(routes[i], &call->hockney) > cs_cost_s(routes[worst], &call->hockney))
            worst = i;
    return routes[worst];
}

const struct cs_algo cs_algo_reduce_chain = {
    .name = "chain",
    .collective = &cs_collective_reduce,
    .about = "in k chunks from rank to rank, each adds its vector",
    .formula = "(p-1) (w+g) + (k-1) max(w,g), w = alpha + V/k/beta, g = V/k gamma",
    .settle = reduce_chain_settle,
    .blocks = cs_blocks_chunks,
    .rounds = cs_chain_rank_rounds,
    .round = reduce_chain_round,
    .cost = reduce_chain_cost,
};
