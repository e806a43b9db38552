/*
 * Chains (chain.h): the vector goes from slot to slot in k chunks, so that all
 * links of the chain are busy at once, from the root in a broadcast; in a reduce
 * the last slot begins, and every slot adds the own contribution on the route to
 * the root.  Any p >= 1, any root, any k >= 1.
 *
 * Broadcast: slot s receives chunk j from slot s - 1 during the send of chunk
 * j - 1 to slot s + 1.
 *
 *     p = 4, k = 2, chunks of a slot after each of p + k - 2 = 4 steps:
 *
 *     slot 1:  0   01  01  01
 *     slot 2:  -   0   01  01
 *     slot 3:  -   -   0   01
 *
 *     T = (p+k-2) alpha + (V + (p-2) ceil(V/k)) / beta
 *
 * that is (p+k-2) (alpha + V/k / beta) for k dividing V.  The best k is
 * sqrt((p-2) V / (alpha beta)).
 *
 * Reduce: slot s receives chunk j from slot s + 1 and reduces chunk j during the
 * send of chunk j - 1 to slot s - 1 and the arrival of the next chunk.  The slower
 * of the send, w = alpha + V/k / beta, and the reduction, g = V/k gamma, sets the
 * pace of the chunks.
 *
 *     p = 3, k = 2, sums of the chunks (|):
 *
 *     slot 1:  1|1   12|1   12|12
 *     slot 0:  0|0   0|0    012|0    012|012
 *
 *     T = (p-1) (w + g) + (k-1) max(w, g)
 *
 * for k dividing V; otherwise the first V mod k chunks are longer, and the cost
 * below is the longest of the three candidate paths.  The best k is
 * sqrt(V ((p-2)/beta + (p-1) gamma) / alpha), and at least the k with w >= g.
 *
 * Multi-rings: concurrent chains along the machine's rings (channels.h, which all
 * contain the root), each cut open before the root and with a share of the vector.
 * Two channels for each ring share the wires.
 *
 *     p = 4, root 0, 2 channels of strides:
 *
 *     chain 0:  0 1 2 3        chain 1:  0 3 2 1
 *
 * With w of c chunks of n = ceil(V/(c k)) bytes through the busiest link (w = c on
 * a switch), and no gamma in a broadcast, at most
 *
 *     T = (p-1) (alpha + w n / beta + c n gamma)
 *         + (k-1) max(alpha + n / beta, w n / beta, c n gamma)
 *
 * which is exact for w = 1 and chains over only the narrowest wires; an estimate
 * for rings through switches.
 *
 * Sends per rank: V, the last rank of a chain none; (p-1) V in total.
 */
#include "algorithms/shared/chain.h"
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/channels.h"

#include <math.h>

static void chain_step(const struct cs_call *call, struct cs_chain chain, uint64_t k,
                       struct cs_ops *ops)
{
    if (cs_leaves_root(call))
        cs_chain_down_round(&chain, k, ops);
    else
        cs_chain_up_round(&chain, k, ops);
}

static void chain_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    chain_step(ctx, cs_chain_of_ranks(ctx, at.party), at.round, ops);
}

static void chain_lane_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    chain_step(ctx, cs_chain_of_lane(ctx, at.party, at.lane), at.round, ops);
}

static void broadcast_chain_settle(struct cs_call *call)
{
    cs_settle_chunks(call, call->elements,
                     sqrt((call->ranks - 2.0) * cs_vector_bytes(call) /
                          (call->hockney.alpha_s * call->hockney.beta_Bps)));
}

static void reduce_chain_settle(struct cs_call *call)
{
    double volume = cs_vector_bytes(call);
    double gamma = call->hockney.gamma_s_per_byte;
    double fill = (call->ranks - 2.0) / call->hockney.beta_Bps + (call->ranks - 1.0) * gamma;
    double even = volume * (gamma - 1 / call->hockney.beta_Bps) / call->hockney.alpha_s;

    cs_settle_chunks(call, call->elements, fmax(sqrt(volume * fill / call->hockney.alpha_s), even));
}

static struct cs_cost broadcast_chain_cost(const struct cs_call *call)
{
    double hops = call->ranks - 2.0;
    double chunk = cs_largest_chunk_bytes(call);

    return (struct cs_cost){hops + call->chunks, cs_vector_bytes(call) + hops * chunk, 0};
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

static void chain_lane_mirror_settle(struct cs_call *call)
{
    cs_chain_lane_settle(call, !cs_leaves_root(call));
}

static struct cs_cost chain_lane_mirror_cost(const struct cs_call *call)
{
    return cs_chain_lane_cost(call, !cs_leaves_root(call));
}

#define CHAIN                                                                    \
    .name = "chain", .blocks = cs_blocks_chunks, .rounds = cs_chain_rank_rounds, \
    .round = chain_mirror_round, .line_lanes = true

#define MULTI_RING                                                                              \
    .name = "multi-ring",                                                                       \
    .about = "chains along rings with different neighbours, in k chunks each",                  \
    .exactness_of = cs_channel_exactness, .takes_rings = true, .check = cs_channel_check,       \
    .settle = chain_lane_mirror_settle, .lanes = cs_channel_lanes, .blocks = cs_channel_chunks, \
    .rounds = cs_chain_lane_rounds, .round = chain_lane_mirror_round, .line_lanes = true,       \
    .cost = chain_lane_mirror_cost

const struct cs_algo cs_algo_broadcast_chain = {
    CHAIN,
    .collective = &cs_collective_broadcast,
    .about = "in k chunks from rank to rank",
    .formula = "(p+k-2) (alpha + V/k/beta), k chunks",
    .settle = broadcast_chain_settle,
    .cost = broadcast_chain_cost,
};

const struct cs_algo cs_algo_reduce_chain = {
    CHAIN,
    .collective = &cs_collective_reduce,
    .about = "in k chunks from rank to rank, each adds its vector",
    .formula = "(p-1) (w+g) + (k-1) max(w,g), w = alpha + V/k/beta, g = V/k gamma",
    .settle = reduce_chain_settle,
    .cost = reduce_chain_cost,
};

const struct cs_algo cs_algo_broadcast_multi_ring = {
    MULTI_RING,
    .collective = &cs_collective_broadcast,
    .formula = "(p-1) (alpha + w n/beta) + (k-1) max(alpha + n/beta, w n/beta), n = V/ck, c "
               "channels, w of them on a link",
};

const struct cs_algo cs_algo_reduce_multi_ring = {
    MULTI_RING,
    .collective = &cs_collective_reduce,
    .formula = "(p-1) (alpha + w n/beta + cn gamma) + (k-1) max(alpha + n/beta, w n/beta, cn "
               "gamma), n = V/ck",
};
