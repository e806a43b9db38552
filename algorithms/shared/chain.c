#include "algorithms/shared/chain.h"

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

struct cs_chain cs_chain_of_ranks(const struct cs_call *call, uint32_t rank)
{
    return (struct cs_chain){
        .slot = cs_slot_of(call, rank),
        .last = call->ranks - 1,
        .before = cs_behind(rank, 1, call->ranks),
        .behind = cs_ahead(rank, 1, call->ranks),
        .chunks = call->chunks,
    };
}

struct cs_chain cs_chain_of_lane(const struct cs_call *call, uint32_t rank, uint32_t lane)
{
    struct cs_circle ring = cs_channel_ring(call, lane);

    return (struct cs_chain){
        .slot = cs_circle_distance(&ring, call->root, rank),
        .last = call->ranks - 1,
        .before = cs_circle_behind(&ring, rank, 1),
        .behind = cs_circle_behind(&ring, rank, call->ranks - 1),
        .chunks = call->chunks,
        .first = lane * call->chunks,
    };
}

/* The first and the last slot only send or only receive. */
static uint64_t chain_rounds(const struct cs_chain *chain)
{
    if (chain->last == 0)
        return 0;
    return chain->slot == 0 || chain->slot == chain->last ? chain->chunks
                                                          : (uint64_t)chain->chunks + 1;
}

uint64_t cs_chain_rank_rounds(const void *ctx, struct cs_at at)
{
    struct cs_chain chain = cs_chain_of_ranks(ctx, at.party);

    return chain_rounds(&chain);
}

void cs_chain_down_round(const struct cs_chain *chain, uint64_t k, struct cs_ops *ops)
{
    uint32_t block = chain->first + (uint32_t)k;

    if (chain->slot == 0) {
        cs_ops_send(ops, chain->behind, cs_block(block));
        return;
    }
    if (k < chain->chunks)
        cs_ops_recv(ops, chain->before, cs_block(block));
    if (k > 0 && chain->slot < chain->last)
        cs_ops_send(ops, chain->behind, cs_block(block - 1));
}

void cs_chain_up_round(const struct cs_chain *chain, uint64_t k, struct cs_ops *ops)
{
    uint32_t block = chain->first + (uint32_t)k;

    if (chain->slot == chain->last) {
        cs_ops_send(ops, chain->before, cs_block(block));
        return;
    }
    if (k < chain->chunks)
        cs_ops_recv_reduce(ops, chain->behind, cs_block(block));
    if (k > 0 && chain->slot > 0)
        cs_ops_send(ops, chain->before, cs_block(block - 1));
}

uint64_t cs_chain_lane_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    struct cs_chain chain;

    if (call->ranks < 2) /* without a ring */
        return 0;
    chain = cs_chain_of_lane(call, at.party, at.lane);
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

/* With equal chunks the cost falls with k until the latency of a chunk sets the
 * pace; from there on the optimum is where a chunk more costs as much latency as
 * the shorter first chunk saves. */
void cs_chain_lane_settle(struct cs_call *call, bool sums)
{
    double hops = call->ranks - 1.0;
    double share, link, gamma, falling, best;
    uint64_t most;
    uint32_t lanes;

    chain_settle_channels(call);
    lanes = cs_channel_lanes(call);
    share = cs_vector_bytes(call) / lanes / call->hockney.alpha_s;
    link = cs_channel_contention(call) / call->hockney.beta_Bps;
    gamma = sums ? lanes * call->hockney.gamma_s_per_byte : 0;
    falling = share * (fmax(link, gamma) - 1 / call->hockney.beta_Bps);
    best = sqrt(share * (hops * (link + gamma) - 1 / call->hockney.beta_Bps));
    most = call->elements / lanes;
    if (most > CS_CHUNKS_MAX / lanes)
        most = CS_CHUNKS_MAX / lanes;
    cs_settle_chunks(call, most, fmax(best, fmin(falling, CHUNKS_PER_HOP * hops)));
}

struct cs_cost cs_chain_lane_cost(const struct cs_call *call, bool sums)
{
    double hops = call->ranks - 1.0;
    double rest = call->chunks - 1.0;
    uint32_t lanes = cs_channel_lanes(call);
    double chunk = cs_longest_run_bytes(call, lanes * call->chunks, 1);
    double bytes = cs_channel_contention(call) * chunk;
    double summed = sums ? lanes * chunk : 0;
    const struct cs_cost paces[] = {{1, chunk, 0}, {0, bytes, 0}, {0, 0, summed}};
    struct cs_cost pace = paces[0];

    for (uint32_t i = 1; i < 3; i++)
        if (cs_cost_s(paces[i], &call->hockney) > cs_cost_s(pace, &call->hockney))
            pace = paces[i];
    return (struct cs_cost){hops + rest * pace.rounds, hops * bytes + rest * pace.bytes,
                            hops * summed + rest * pace.reduced_bytes};
}
