/*
 * Chains: the vector goes from slot to slot in k chunks, so that all
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
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/patterns/rooted.h"
#include "algorithms/shared/rings/channels.h"
#include "algorithms/shared/rings/rings.h"

#include <math.h>

enum {
    /* Of a chain with less latency than work: the first chunk's hops are then 3 %
     * of the time. */
    CHUNKS_PER_HOP = 32
};

/* Slots count from the root; the chunks are consecutive blocks. */
struct chain {
    uint32_t slot, last;     /* of p slots: last = p - 1 */
    uint32_t before, behind; /* ranks of slot - 1 and slot + 1, modulo p */
    uint32_t chunks;
    uint32_t first; /* block of chunk 0 */
};

/* The chain of consecutive ranks from the root on. */
static struct chain chain_of_ranks(const struct cs_call *call, uint32_t rank)
{
    return (struct chain){
        .slot = cs_slot_of(call, rank),
        .last = call->ranks - 1,
        .before = cs_behind(rank, 1, call->ranks),
        .behind = cs_ahead(rank, 1, call->ranks),
        .chunks = call->chunks,
    };
}

/* A channel's ring, cut open before the root. */
static struct chain chain_of_lane(const struct cs_call *call, uint32_t rank, uint32_t lane)
{
    struct cs_circle ring = cs_channel_ring(call, lane);

    return (struct chain){
        .slot = cs_circle_distance(&ring, call->root, rank),
        .last = call->ranks - 1,
        .before = cs_circle_behind(&ring, rank, 1),
        .behind = cs_circle_behind(&ring, rank, call->ranks - 1),
        .chunks = call->chunks,
        .first = lane * call->chunks,
    };
}

/* The first and the last slot only send or only receive. */
static uint64_t chain_rounds(const struct chain *chain)
{
    if (chain->last == 0)
        return 0;
    return chain->slot == 0 || chain->slot == chain->last ? chain->chunks
                                                          : (uint64_t)chain->chunks + 1;
}

static uint64_t chain_rank_rounds(const void *ctx, struct cs_at at)
{
    struct chain chain = chain_of_ranks(ctx, at.party);

    return chain_rounds(&chain);
}

/* Round k: one for each chunk, and one more for an inner slot. */
static void chain_step(const struct cs_call *call, struct chain chain, uint64_t k,
                       struct cs_ops *ops)
{
    bool down = cs_leaves_root(call);
    uint32_t start = down ? 0 : chain.last;
    uint32_t from = down ? chain.before : chain.behind;
    uint32_t to = down ? chain.behind : chain.before;
    uint32_t block = chain.first + (uint32_t)k;

    if (chain.slot == start) {
        cs_ops_send(ops, to, cs_block(block));
        return;
    }
    if (k < chain.chunks)
        cs_mirror_message(call, false, from, cs_block(block), ops);
    if (k > 0 && chain.slot != chain.last - start)
        cs_ops_send(ops, to, cs_block(block - 1));
}

static void chain_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    chain_step(ctx, chain_of_ranks(ctx, at.party), at.round, ops);
}

static void chain_lane_mirror_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    chain_step(ctx, chain_of_lane(ctx, at.party, at.lane), at.round, ops);
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

/* ---- channels ---- */

static uint64_t chain_lane_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    struct chain chain;

    if (call->ranks < 2) /* without a ring */
        return 0;
    chain = chain_of_lane(call, at.party, at.lane);
    return chain_rounds(&chain);
}

/* Two channels for each ring, on wires as on shared ports: a rank sends a chunk
 * after the arrival of the previous one at the next rank, and another channel
 * has the wire meanwhile. */
static void chain_settle_channels(struct cs_call *call)
{
    bool open = call->channels == 0;

    cs_channel_settle(call);
    if (open && call->rings && call->channels == call->rings->count &&
        2 * call->channels <= CS_RINGS_MAX)
        call->channels *= 2;
}

/* Open chunks of each lane: the number with the least cost below; where latency is
 * hidden by other lanes, at most 32 for each hop.
 *
 * With equal chunks the cost falls with k until the latency of a chunk sets the
 * pace; from there on the optimum is where a chunk more costs as much latency as
 * the shorter first chunk saves. */
static void chain_lane_settle(struct cs_call *call)
{
    double hops = call->ranks - 1.0;
    double share, link, gamma, falling, best;
    uint64_t most;
    uint32_t lanes;

    chain_settle_channels(call);
    lanes = cs_channel_lanes(call);
    share = cs_vector_bytes(call) / lanes / call->hockney.alpha_s;
    link = cs_channel_contention(call) / call->hockney.beta_Bps;
    gamma = cs_leaves_root(call) ? 0 : lanes * call->hockney.gamma_s_per_byte;
    falling = share * (fmax(link, gamma) - 1 / call->hockney.beta_Bps);
    best = sqrt(share * (hops * (link + gamma) - 1 / call->hockney.beta_Bps));
    most = call->elements / lanes;
    if (most > CS_CHUNKS_MAX / lanes)
        most = CS_CHUNKS_MAX / lanes;
    cs_settle_chunks(call, most, fmax(best, fmin(falling, CHUNKS_PER_HOP * hops)));
}

/* The first chunk of all lanes over p - 1 hops, one lane behind the other, and the
 * k - 1 other chunks at the pace of the slowest of latency, busiest link and
 * reduction of every arrival. */
static struct cs_cost chain_lane_cost(const struct cs_call *call)
{
    double hops = call->ranks - 1.0;
    double rest = call->chunks - 1.0;
    uint32_t lanes = cs_channel_lanes(call);
    double chunk = cs_longest_run_bytes(call, lanes * call->chunks, 1);
    double bytes = cs_channel_contention(call) * chunk;
    double summed = cs_leaves_root(call) ? 0 : lanes * chunk;
    const struct cs_cost paces[] = {{1, chunk, 0}, {0, bytes, 0}, {0, 0, summed}};
    struct cs_cost pace = paces[0];

    for (uint32_t i = 1; i < 3; i++)
        if (cs_cost_s(paces[i], &call->hockney) > cs_cost_s(pace, &call->hockney))
            pace = paces[i];
    return (struct cs_cost){hops + rest * pace.rounds, hops * bytes + rest * pace.bytes,
                            hops * summed + rest * pace.reduced_bytes};
}

/* ---- the algorithms ---- */

#define CHAIN                                                                 \
    .name = "chain", .blocks = cs_blocks_chunks, .rounds = chain_rank_rounds, \
    .round = chain_mirror_round, .line_lanes = true

#define MULTI_RING                                                                        \
    .name = "multi-ring",                                                                 \
    .about = "chains along rings with different neighbours, in k chunks each",            \
    .exactness_of = cs_channel_exactness, .takes_rings = true, .check = cs_channel_check, \
    .settle = chain_lane_settle, .lanes = cs_channel_lanes, .blocks = cs_channel_chunks,  \
    .rounds = chain_lane_rounds, .round = chain_lane_mirror_round, .line_lanes = true,    \
    .cost = chain_lane_cost

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
