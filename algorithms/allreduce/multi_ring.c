/*
 * Multi-ring all-reduce: concurrent rings with different neighbours, each with
 * a share of every block.
 *
 * Any p >= 1.  Channel c is lane c and part c of each block.  The rings are
 * those of the machine (machine_rings.h) or of a file, if the call has rings.
 * Otherwise ring c goes from rank r to r + s(c), with s(c) the stride c of
 * pattern.h: every ring visits every rank, and two rings of different strides
 * never use the same wire of a full mesh.  Channels beyond the number of rings
 * use the rings again, as in NCCL; by default each ring has two channels where
 * rings share ports.
 *
 *     p = 5, 4 channels:
 *
 *     ring 0:  0 1 2 3 4        ring 2:  0 3 1 4 2
 *     ring 1:  0 2 4 1 3        ring 3:  0 4 3 2 1
 *
 * Sends per rank: 2(p-1) of V/(c p) bytes in each of c rings; 2(p-1) V in
 * total.  In addition to the vector a rank needs room for an arriving part of
 * each ring.
 *
 * Rings do not wait for each other, so that latencies overlap.  With parts of
 * n = ceil(ceil(V/p) / c) bytes, all through one port, at most
 *
 *     T = 2(p-1) (alpha + c n / beta) + (p-1) n gamma        gamma <= 1 / beta
 *     T = 2(p-1) alpha + (p-1) (c+1) n / beta + (p-1) c n gamma     otherwise
 *
 * as if a step started after the arrival of all parts of the previous step.
 * With w < c parts through the busiest link, at most
 *
 *     T = 2(p-1) (alpha + w n / beta) + (p-1) c n gamma
 *
 * which is exact without gamma for w = 1 and a ring over only the narrowest
 * wires.  An estimate for rings through switches, which can wait at several
 * ports.
 */
#include "algorithms/shared/phase.h"
#include "algorithms/shared/rings.h"

#include <math.h>

/* Tolerance of a sum of quotients that is an integer. */
#define ROUNDING 1e-6

enum {
    CHANNELS = 8 /* default limit, for strides */
};

/* Rings that share ports run twice, as in NCCL: one channel sends while the
 * other one waits. */
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

/* w above: parts of a step through the busiest link, in units of the time of
 * one part on the slowest link. */
static double ring_contention(const struct cs_call *call)
{
    double channels = call->channels;
    double contention = channels;

    if (call->rings)
        contention = cs_rings_contention(call->rings, call->channels);
    return fabs(contention - channels) < ROUNDING ? channels : contention;
}

/* Rings through switches can wait at several ports. */
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
