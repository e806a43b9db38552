/*
 * Bidirectional ring all-reduce: half of each block goes around clockwise, half
 * counterclockwise.
 *
 * Any p >= 1.  Each of the p blocks has two parts: part 0 goes around as in a
 * ring, part 1 in the mirrored ring, from r to r - 1; both in one round.
 *
 *     p = 3, the parts of the blocks that rank r sends and reduces in the first
 *     round, 0a is part 0 of block 0:
 *
 *     rank 0:  2a -> 1, 1b -> 2     reduces 1a from 2, 2b from 1
 *     rank 1:  0a -> 2, 2b -> 0     reduces 2a from 0, 0b from 2
 *     rank 2:  1a -> 0, 0b -> 1     reduces 0a from 1, 1b from 0
 *
 * Sends per rank: 4(p-1) of V/2p bytes, half in either direction; 2(p-1) V in
 * total.  In addition to the vector a rank needs room for two arriving parts,
 * V/p.
 *
 * Through one port the directions share the rate, and only the reduction of the
 * first part overlaps with the arrival of the second.  With h = ceil(ceil(V/p)
 * / 2):
 *
 *     T = 2(p-1) (alpha + 2 h / beta) + (p-1) h gamma        gamma <= 1 / beta
 *     T = 2(p-1) alpha + 3(p-1) h / beta + 2 (p-1) h gamma    otherwise
 *
 * exactly for 2p dividing V; otherwise an estimate with the longest parts,
 * which no rank has in every step.  With a wire for each direction, 2(p-1) h /
 * beta: half of the ring's.
 */
#include "algorithms/shared/patterns/phase.h"

enum {
    DIRECTIONS = 2
};

static uint32_t allreduce_bidirectional_ring_blocks(const struct cs_call *call)
{
    return DIRECTIONS * call->ranks;
}

static uint32_t ring_parts(const struct cs_call *call)
{
    (void)call;
    return DIRECTIONS;
}

/* Part 1 takes the circle of the largest stride, p - 1: the mirrored ring. */
static void allreduce_bidirectional_ring_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;
    struct cs_circle there = {.p = p, .step = 1, .parts = DIRECTIONS, .part = 0};
    struct cs_circle back = {.p = p, .step = p - 1, .parts = DIRECTIONS, .part = 1};

    cs_circle_step(&there, at.party, at.round, ops);
    cs_circle_step(&back, at.party, at.round, ops);
}

static struct cs_cost allreduce_bidirectional_ring_cost(const struct cs_call *call)
{
    double steps = call->ranks - 1;
    double part = cs_largest_part_bytes(call, DIRECTIONS);

    if (cs_adds_in_passing(&call->hockney))
        return (struct cs_cost){2 * steps, 4 * steps * part, steps * part};
    return (struct cs_cost){2 * steps, 3 * steps * part, 2 * steps * part};
}

const struct cs_algo cs_algo_allreduce_bidirectional_ring = {
    .name = "bidirectional-ring",
    .collective = &cs_collective_allreduce,
    .about = "a ring with half of every block in either direction",
    .formula = "2(p-1) (alpha + V/p/beta) + (p-1) V/2p gamma",
    .exactness = CS_COST_EVEN,
    .blocks = allreduce_bidirectional_ring_blocks,
    .parts = ring_parts,
    .rounds = cs_rounds_per_peer_twice,
    .round = allreduce_bidirectional_ring_round,
    .scatters = true,
    .cost = allreduce_bidirectional_ring_cost,
};
