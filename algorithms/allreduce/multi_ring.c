/*
 * Multi-ring all-reduce: several rings at once, each with its own neighbours
 * and its own share of every block.
 *
 * Any p >= 1.  Ring c goes from rank r to r + s(c), where s(c) is the c-th of
 * the numbers below p that have no divisor in common with p: that visits every
 * rank, and two rings with different steps never use the same wire of a full
 * mesh.  With more channels than such numbers the steps are used again.
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
 * as if all parts of a step had to be there before the next step.  Where each
 * ring has wires of its own it is n / beta a step.
 */
#include "algorithms/phase.h"

enum {
    CHANNELS = 8 /* where nothing is asked for: at most so many */
};

static uint32_t divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* How many steps there are, and at most `most`. */
static uint32_t count_steps(uint32_t p, uint32_t most)
{
    uint32_t count = 1; /* the step 1 */
    uint32_t step;

    for (step = 2; step < p && count < most; step++)
        count += divisor(p, step) == 1;
    return count;
}

/* The step of ring `channel`; p >= 2. */
static uint32_t step_of(uint32_t p, uint32_t channel)
{
    uint32_t count = count_steps(p, channel + 1);
    uint32_t left = channel % count;
    uint32_t step = 1;

    while (divisor(p, step) > 1 || left-- > 0)
        step++;
    return step;
}

static void ring_settle(struct cs_call *call, const struct cs_hockney *hockney)
{
    (void)hockney;
    if (call->channels == 0)
        call->channels = count_steps(call->ranks, CHANNELS);
}

static uint32_t ring_channels(const struct cs_call *call)
{
    return call->channels;
}

static uint32_t ring_blocks(const struct cs_call *call)
{
    return call->channels * call->ranks;
}

static void ring_round(const void *ctx, uint32_t rank, uint32_t lane,
                       uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_stride ring = {call->ranks, step_of(call->ranks, lane),
                             call->channels, lane};

    cs_stride_ring_step(&ring, rank, k, ops);
}

static struct cs_cost ring_cost(const struct cs_call *call,
                                const struct cs_hockney *hockney)
{
    double steps = call->ranks - 1;
    double channels = call->channels;
    double part = cs_largest_part_bytes(call, call->channels);

    if (cs_adds_in_passing(hockney))
        return (struct cs_cost){2 * steps, 2 * steps * channels * part,
                                steps * part};
    return (struct cs_cost){2 * steps, steps * (channels + 1) * part,
                            steps * channels * part};
}

const struct cs_algo cs_algo_allreduce_multi_ring = {
    .name = "multi-ring",
    .collective = &cs_collective_allreduce,
    .about = "rings with different neighbours, each with a share of the vector",
    .formula = "2(p-1) (alpha + V/p/beta) + (p-1) V/cp gamma, c channels",
    .exactness = CS_COST_AT_MOST,
    .settle = ring_settle,
    .lanes = ring_channels,
    .blocks = ring_blocks,
    .parts = ring_channels,
    .rounds = cs_rounds_per_peer_twice,
    .round = ring_round,
    .reduce_scatter_rounds = cs_scatter_per_peer,
    .cost = ring_cost,
};
