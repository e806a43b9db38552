/*
 * Buckets: an all-gather or a reduce-scatter in a ring for each dimension of a grid.
 *
 * Any grid d_1 x d_2 x ... of p ranks, as in the bucket all-reduce (grid.h, bucket.h),
 * of which these are the halves.  On a torus of n dimensions every block has 2 n parts,
 * each on a lane that begins in another dimension and direction, so that all wires are
 * in use, in as many steps as the sides are long instead of p.
 *
 * A lane's blocks are in the order of its dimensions in scratch, where a message is one
 * run: an all-gather copies the own part into it and all parts out of it at the end, a
 * reduce-scatter all parts into it and the sum out.  Scratch: V.
 *
 * Sends per rank: (p-1) V/p.
 *
 *     T = sum over i of (d_i - 1) (alpha + w V/c/(d_1 .. d_i) / beta) + (1 + 1/p) V gamma
 *         and for a reduce-scatter (d_i - 1) V/c/(d_1 .. d_i) gamma more
 *
 * with c lanes, w of them on a wire at a time: 1 on a torus.  Copies take as long as
 * reductions.  Exact for one lane.
 */
#include "algorithms/shared/bucket.h"
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/staging.h"

/* The first round copies in, the last one out. */
static uint64_t bucket_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    struct cs_grid grid = cs_grid_of_lane(call, at.lane);

    return call->ranks > 1 ? (uint64_t)cs_bucket_steps(&grid) + 2 : 0;
}

/* The lane's part of a rank's block, in the vector and in scratch. */
static uint32_t bucket_in_vector(const struct cs_call *call, uint32_t lane, uint32_t owner)
{
    return owner * call->channels + lane;
}

static void bucket_copy_in(const struct cs_call *call, const struct cs_bucket *bucket,
                           struct cs_at at, struct cs_ops *ops)
{
    uint32_t first = cs_gathers(call) ? at.party : 0;
    uint32_t end = cs_gathers(call) ? at.party + 1 : call->ranks;

    for (uint32_t i = first; i < end; i++)
        cs_stage_copy(ops, CS_INPUT, bucket_in_vector(call, at.lane, i), CS_SCRATCH,
                      bucket->base + cs_bucket_block(&bucket->grid, i));
}

/* The own part of an all-gather is in place. */
static void bucket_copy_out(const struct cs_call *call, const struct cs_bucket *bucket,
                            struct cs_at at, struct cs_ops *ops)
{
    uint32_t first = cs_gathers(call) ? 0 : at.party;
    uint32_t end = cs_gathers(call) ? call->ranks : at.party + 1;

    for (uint32_t i = first; i < end; i++)
        if (!cs_gathers(call) || i != at.party)
            cs_stage_copy(ops, CS_SCRATCH, bucket->base + cs_bucket_block(&bucket->grid, i),
                          CS_OUTPUT, bucket_in_vector(call, at.lane, i));
}

static void bucket_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_bucket bucket = {cs_grid_of_lane(call, at.lane), CS_SCRATCH, at.lane * call->ranks};
    uint32_t steps = cs_bucket_steps(&bucket.grid);

    if (at.round == 0)
        bucket_copy_in(call, &bucket, at, ops);
    else if (at.round > steps)
        bucket_copy_out(call, &bucket, at, ops);
    else if (cs_gathers(call))
        cs_bucket_gather_step(&bucket, at.party, (uint32_t)at.round - 1, ops);
    else
        cs_bucket_scatter_step(&bucket, at.party, (uint32_t)at.round - 1, ops);
}

/* A copy of one block, and of all blocks but perhaps the own. */
static struct cs_cost bucket_cost(const struct cs_call *call)
{
    struct cs_grid grid = cs_grid_of_lane(call, 0);
    struct cs_cost both = cs_bucket_cost(&grid, call->channels, call);
    struct cs_cost half = {both.rounds / 2, both.bytes / 2,
                           cs_gathers(call) ? 0 : both.reduced_bytes};
    double block = cs_largest_block_bytes(call);

    half = cs_grid_cost(call, half);
    if (call->ranks > 1)
        half.reduced_bytes += (call->ranks + (cs_gathers(call) ? 0 : 1)) * block;
    return half;
}

#define BUCKET                                                                     \
    .name = "bucket", .about = "a ring for each dimension of a grid or torus",     \
    .exactness_of = cs_grid_exactness, .moves_blocks = true, .takes_dims = true,   \
    .check = cs_grid_check_dims, .settle = cs_grid_settle, .lanes = cs_grid_lanes, \
    .blocks = cs_grid_blocks, .parts = cs_grid_lanes, .scratch = cs_grid_blocks,   \
    .rounds = bucket_rounds, .round = bucket_round, .cost = bucket_cost

const struct cs_algo cs_algo_allgather_bucket = {
    BUCKET,
    .collective = &cs_collective_allgather,
    .formula = "sum(d_i - 1) alpha + (p-1)/p w/c V/beta + V gamma, c channels, w on a link",
};

const struct cs_algo cs_algo_reducescatter_bucket = {
    BUCKET,
    .collective = &cs_collective_reducescatter,
    .formula = "sum(d_i - 1) alpha + (p-1)/p w/c V/beta + 2 V gamma, c channels, w on a link",
};
