/*
 * Chain reduce: the chain broadcast backwards, adding up: the last seat sends
 * its vector in k chunks, and every seat adds its own on the way to the root.
 *
 * Any p >= 1, any root, any k >= 1.  Seat s receives chunk j from seat s + 1
 * and adds it up while it sends chunk j - 1 to seat s - 1; the next chunk
 * arrives meanwhile.  So chunks follow each other at the pace of the slower of
 * sending, w = alpha + V/k / beta, and adding up, g = V/k gamma.
 *
 *     p = 3, k = 2, sums of the chunks (|):
 *
 *     seat 1:  1|1   12|1   12|12
 *     seat 0:  0|0   0|0    012|0    012|012
 *
 * Sends per rank: V, but for the root; (p-1) V in all.
 *
 *     T = (p-1) (w + g) + (k-1) max(w, g)
 *
 * where k divides V; else the first V mod k chunks are longer, and the cost
 * below goes by the three ways that can be the longest.  The best k is
 * sqrt(V ((p-2)/beta + (p-1) gamma) / alpha), and no fewer than make w >= g.
 */
#include "algorithms/shared/chunks.h"
#include "algorithms/shared/rooted.h"

#include <math.h>

static void reduce_chain_settle(struct cs_call *call,
                                const struct cs_hockney *hockney)
{
    double volume = cs_vector_bytes(call);
    double gamma = hockney->gamma_s_per_byte;
    double fill =
        (call->ranks - 2.0) / hockney->beta_Bps + (call->ranks - 1.0) * gamma;
    double even = volume * (gamma - 1 / hockney->beta_Bps) / hockney->alpha_s;

    cs_settle_chunks(call, call->elements,
                     fmax(sqrt(volume * fill / hockney->alpha_s), even));
}

static void reduce_chain_round(const void *ctx, uint32_t rank, uint32_t lane,
                               uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t slot = cs_slot_of(call, rank);
    uint32_t chunk = (uint32_t)k;

    (void)lane;
    if (slot == call->ranks - 1) {
        cs_ops_send(ops, cs_seated(call, slot - 1), cs_block(chunk));
        return;
    }
    if (chunk < call->chunks)
        cs_ops_recv_reduce(ops, cs_seated(call, slot + 1), cs_block(chunk));
    if (chunk > 0 && slot > 0)
        cs_ops_send(ops, cs_seated(call, slot - 1), cs_block(chunk - 1));
}

/* The first chunk goes all the way.  The others follow it over the last link,
 * so that it is the last one, `less` long, which goes through the last adder;
 * or through the last adder; or the longer ones through the last adder but one
 * and the shorter ones over the last link. */
static struct cs_cost reduce_chain_cost(const struct cs_call *call,
                                        const struct cs_hockney *hockney)
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
        {hops + call->chunks - (double)longer,
         hops * first + follow - follow_long,
         hops * first + follow_long - less},
    };
    uint32_t count = longer && call->ranks > 2 ? 3 : 2;
    uint32_t worst = 0;
    uint32_t i;

    for (i = 1; i < count; i++)
        if (cs_cost_s(routes[i], hockney) > cs_cost_s(routes[worst], hockney))
            worst = i;
    return routes[worst];
}

const struct cs_algo cs_algo_reduce_chain = {
    .name = "chain",
    .collective = &cs_collective_reduce,
    .about = "in k chunks from rank to rank, adding up on the way",
    .formula = "(p-1) (w+g) + (k-1) max(w,g), w = alpha + V/k/beta, g = V/k "
               "gamma",
    .settle = reduce_chain_settle,
    .blocks = cs_blocks_chunks,
    .rounds = cs_rooted_chain_rounds,
    .round = reduce_chain_round,
    .cost = reduce_chain_cost,
};
