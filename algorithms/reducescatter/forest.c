/*
 * Forest reduce-scatter: the sum of every block goes up several spanning trees to
 * the owner, each with a share of the block (forest.h).
 *
 * Any p from 1 to 64: the all-gather with all messages reversed.  A rank reduces
 * up to f of the U units.
 *
 *     T ~ (D + k - 1) (alpha + w V / (U k) / beta) + D f V / (U k) gamma
 */
#include "algorithms/shared/forest.h"

static void reducescatter_forest_settle(struct cs_call *call,
                                        const struct cs_hockney *hockney)
{
    cs_forest_settle(CS_FOREST_SCATTER, call, hockney);
}

static uint32_t reducescatter_forest_lanes(const struct cs_call *call)
{
    return cs_forest_lanes(CS_FOREST_SCATTER, call);
}

static uint32_t reducescatter_forest_blocks(const struct cs_call *call)
{
    return cs_forest_blocks(CS_FOREST_SCATTER, call);
}

static uint64_t reducescatter_forest_rounds(const void *ctx, uint32_t rank,
                                            uint32_t lane)
{
    (void)rank;
    return cs_forest_rounds(CS_FOREST_SCATTER, ctx, lane);
}

static void reducescatter_forest_round(const void *ctx, uint32_t rank,
                                       uint32_t lane, uint64_t k,
                                       struct cs_ops *ops)
{
    cs_forest_round(CS_FOREST_SCATTER, ctx, rank, lane, k, ops);
}

static uint64_t reducescatter_forest_scatter_rounds(const void *ctx,
                                                    uint32_t rank)
{
    return reducescatter_forest_rounds(ctx, rank, 0);
}

static struct cs_cost reducescatter_forest_cost(
    const struct cs_call *call, const struct cs_hockney *hockney)
{
    return cs_forest_cost(CS_FOREST_SCATTER, call, hockney);
}

const struct cs_algo cs_algo_reducescatter_forest = {
    .name = "forest",
    .collective = &cs_collective_reducescatter,
    .about = "spanning trees to every rank, packed on the wires",
    .formula = "(D+k-1) (alpha + w V/Uk/beta) + D f V/Uk gamma, depth D, k "
               "chunks, w of U "
               "units on a link",
    .exactness = CS_COST_ROUGHLY,
    .takes_trees = true,
    .check = cs_forest_check,
    .settle = reducescatter_forest_settle,
    .lanes = reducescatter_forest_lanes,
    .blocks = reducescatter_forest_blocks,
    .parts = cs_forest_parts,
    .rounds = reducescatter_forest_rounds,
    .round = reducescatter_forest_round,
    .reduce_scatter_rounds = reducescatter_forest_scatter_rounds,
    .cost = reducescatter_forest_cost,
};
