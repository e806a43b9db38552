/*
 * Bucket all-reduce (BlueConnect): a ring for each dimension of a grid.
 *
 * Any grid d_1 x d_2 x ... of p ranks.  The reduce-scatter goes through the
 * dimensions in order, on an ever smaller part of the vector; the all-gather
 * is the reverse (bucket.h).  Most bytes move in the first dimension, the
 * right one for the fastest links.  Without --dims the grid is nodes x ranks
 * of a node on a machine with nodes, otherwise the most square factorisation
 * of p.
 *
 *     4 x 2, p = 8, remaining part of the vector:
 *
 *     1    -- 4 ranks -->  1/4  -- 2 ranks -->  1/8  -->  1/4  -->  1
 *
 * Sends per rank: V - V/p bytes in each half, 2(p-1) V in total.
 *
 *     T = sum over i of 2(d_i - 1) (alpha + V/(d_1 .. d_i) / beta)
 *                      + (d_i - 1) V/(d_1 .. d_i) gamma
 *
 * The vector has p blocks; V/(d_1 .. d_i) is a run of the largest.
 *
 * Exact for equal blocks, and for an alpha above the time of an element: else a
 * rank that is ahead can delay a rank that is late.
 *
 * M. Cho et al., BlueConnect, SysML 2019; M. Barnett et al., Global combine on
 * mesh architectures with wormhole routing, IPPS 1993.
 */
#include "algorithms/shared/bucket.h"

/* The grid of a call; `sides` is room for two. */
static struct cs_grid grid_of(const struct cs_call *call, uint32_t *sides)
{
    if (call->dim_count)
        return (struct cs_grid){call->dims, call->dim_count};
    sides[0] = call->group;
    sides[1] = call->ranks / call->group;
    return (struct cs_grid){sides, 2};
}

/* The divisor of p next to the square root, if the machine has no nodes. */
static void bucket_settle(struct cs_call *call)
{
    uint32_t p = call->ranks;
    uint32_t side = 1;

    if (call->dim_count || (call->group > 1 && call->group < p))
        return;
    for (uint32_t i = 2; i <= p / i; i++)
        if (p % i == 0)
            side = i;
    call->group = p / side;
}

static int bucket_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    uint64_t product = 1;

    if (call->dim_count == 0)
        return cs_check_group(algo, call, err);
    for (uint32_t i = 0; i < call->dim_count && product <= call->ranks; i++)
        product *= call->dims[i];
    if (product == call->ranks)
        return 0;
    return cs_err_set(err, CS_EINPUT, "--dims has to multiply to %u, the number of ranks",
                      call->ranks);
}

static uint64_t bucket_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    uint32_t sides[2];

    return 2 * (uint64_t)cs_bucket_steps(grid_of(ctx, sides));
}

static void bucket_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    uint32_t sides[2];

    cs_bucket_step(grid_of(ctx, sides), at.party, at.round, ops);
}

static struct cs_cost bucket_cost(const struct cs_call *call)
{
    uint32_t sides[2];

    return cs_bucket_cost(grid_of(call, sides), call);
}

const struct cs_algo cs_algo_allreduce_bucket = {
    .name = "bucket",
    .collective = &cs_collective_allreduce,
    .about = "a ring for each dimension of a grid: BlueConnect",
    .formula = "2 sum(d_i - 1) alpha + 2(p-1)/p V/beta + (p-1)/p V gamma",
    .exactness = CS_COST_EVEN,
    .check = bucket_check,
    .settle = bucket_settle,
    .blocks = cs_blocks_per_rank,
    .rounds = bucket_rounds,
    .round = bucket_round,
    .scatters = true,
    .cost = bucket_cost,
};
