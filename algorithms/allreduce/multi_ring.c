/*
 * Multi-ring all-reduce: several rings at once, each with its own neighbours
 * and its own share of every block.
 *
 * Any p >= 1.  The rings are those of the machine or of a file, where the call
 * has some (rings.h).  Else ring c goes from rank r to r + s(c), where s(c) is
 * the c-th of the numbers below p that have no divisor in common with p: that
 * visits every rank, and two rings with different steps never use the same wire
 * of a full mesh.  With more channels than rings the rings are used again, as
 * NCCL does; where nothing is asked for, each twice if they share ports.
 *
 *     p = 5, 4 channels:
 *
 *     ring 0:  0 1 2 3 4        ring 2:  0 3 1 4 2
 *     ring 1:  0 2 4 1 3        ring 3:  0 4 3 2 1
 *
 * Sends per rank: 2(p-1) of V/(c p) bytes in each of c rings; 2(p-1) V in all.
 * Beside the vector a rank needs room for an arriving part in each.
 *
 * Rings do not wait for each other, so their latencies overlap.  With parts of
 * n = ceil(ceil(V/p) / c) bytes that all share one port it takes at most
 *
 *     T = 2(p-1) (alpha + c n / beta) + (p-1) n gamma        gamma <= 1 / beta
 *     T = 2(p-1) alpha + (p-1) (c+1) n / beta + (p-1) c n gamma     otherwise
 *
 * as if all parts of a step had to be there before the next step.  Where w of
 * them pass the busiest link, and it is not all of them, at most
 *
 *     T = 2(p-1) (alpha + w n / beta) + (p-1) c n gamma
 *
 * which is exact without gamma where w = 1 and some ring has only the narrowest
 * wires.  Rings that lead through switches may wait at several, so that it is a
 * guess.
 */
#include "algorithms/shared/phase.h"
#include "algorithms/shared/rings.h"

#include <math.h>

/* A sum of quotients is whole within this. */
#define ROUNDING 1e-6

enum {
    CHANNELS = 8 /* where nothing is asked for: at most so many */
};

/* Where rings wait for each other's ports each runs twice, as in NCCL: one of
 * the two sends while the other waits. */
static uint32_t typical_channels(const struct cs_rings *rings)
{
    if (rings->direct || 2 * rings->count > CS_RINGS_MAX)
        return rings->count;
    return 2 * rings->count;
}

static void ring_settle(struct cs_call *call, const struct cs_hockney *hockney)
{
    (void)hockney;
    if (call->channels)
        return;
    call->channels = call->rings ? typical_channels(call->rings)
                                 : cs_stride_count(call->ranks, CHANNELS);
}

static uint32_t ring_channels(const struct cs_call *call)
{
    return call->channels;
}

static uint32_t allreduce_multi_ring_blocks(const struct cs_call *call)
{
    return call->channels * call->ranks;
}

static void allreduce_multi_ring_round(const void *ctx, uint32_t rank,
                                       uint32_t lane, uint64_t k,
                                       struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    const struct cs_rings *rings = call->rings;
    struct cs_circle ring = {
        .p = call->ranks, .parts = call->channels, .part = lane};

    if (rings) {
        size_t first = (size_t)(lane % rings->count) * rings->ranks;

        ring.order = &rings->order[first];
        ring.place = &rings->place[first];
    } else {
        ring.step = cs_stride_step(call->ranks, lane);
    }
    cs_circle_step(&ring, rank, k, ops);
}

/* How many parts of a step a link passes in the time of one. */
static double ring_contention(const struct cs_call *call)
{
    double channels = call->channels;
    double contention = channels;

    if (call->rings)
        contention = cs_rings_contention(call->rings, call->channels);
    return fabs(contention - channels) < ROUNDING ? channels : contention;
}

/* Rings over switches may wait at more than one. */
static enum cs_exactness ring_exactness(const struct cs_call *call)
{
    return call->rings && !call->rings->direct ? CS_COST_ROUGHLY
                                               : CS_COST_AT_MOST;
}

static struct cs_cost allreduce_multi_ring_cost(
    const struct cs_call *call, const struct cs_hockney *hockney)
{
    double steps = call->ranks - 1;
    double channels = call->channels;
    double part = cs_largest_part_bytes(call, call->channels);
    double contention = ring_contention(call);

    if (contention < channels)
        return (struct cs_cost){2 * steps, 2 * steps * contention * part,
                                steps * channels * part};
    if (cs_adds_in_passing(hockney))
        return (struct cs_cost){2 * steps, 2 * steps * contention * part,
                                steps * part};
    return (struct cs_cost){2 * steps, steps * (contention + 1) * part,
                            steps * channels * part};
}

const struct cs_algo cs_algo_allreduce_multi_ring = {
    .name = "multi-ring",
    .collective = &cs_collective_allreduce,
    .about = "rings with different neighbours, each with a share of the vector",
    .formula = "2(p-1) (alpha + w V/cp/beta) + (p-1) V/cp gamma, c channels, w "
               "of them on a link",
    .exactness_of = ring_exactness,
    .takes_rings = true,
    .settle = ring_settle,
    .lanes = ring_channels,
    .blocks = allreduce_multi_ring_blocks,
    .parts = ring_channels,
    .rounds = cs_rounds_per_peer_twice,
    .round = allreduce_multi_ring_round,
    .reduce_scatter_rounds = cs_scatter_per_peer,
    .cost = allreduce_multi_ring_cost,
};
