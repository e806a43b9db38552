/*
 * Forest reduce: the sum goes up several spanning trees to the root, each with a
 * share of the vector (forest.h).
 *
 * Any p from 1 to 64, any root: the broadcast with all messages reversed.  A rank
 * reduces up to f of the U units.
 *
 *     T ~ (D + k - 1) (alpha + w V / (U k) / beta) + D f V / (U k) gamma
 */
#include "algorithms/shared/forest.h"

static void reduce_forest_settle(struct cs_call *call,
                                 const struct cs_hockney *hockney)
{
    cs_forest_settle(CS_FOREST_REDUCE, call, hockney);
}

static uint32_t reduce_forest_lanes(const struct cs_call *call)
{
    return cs_forest_lanes(CS_FOREST_REDUCE, call);
}

static uint32_t reduce_forest_blocks(const struct cs_call *call)
{
    return cs_forest_blocks(CS_FOREST_REDUCE, call);
}

static uint64_t reduce_forest_rounds(const void *ctx, uint32_t rank,
                                     uint32_t lane)
{
    (void)rank;
    return cs_forest_rounds(CS_FOREST_REDUCE, ctx, lane);
}

static void reduce_forest_round(const void *ctx, uint32_t rank, uint32_t lane,
                                uint64_t k, struct cs_ops *ops)
{
    cs_forest_round(CS_FOREST_REDUCE, ctx, rank, lane, k, ops);
}

static struct cs_cost reduce_forest_cost(const struct cs_call *call,
                                         const struct cs_hockney *hockney)
{
    return cs_forest_cost(CS_FOREST_REDUCE, call, hockney);
}

const struct cs_algo cs_algo_reduce_forest = {
    .name = "forest",
    .collective = &cs_collective_reduce,
    .about = "spanning trees to the root, packed on the wires",
    .formula = "(D+k-1) (alpha + w V/Uk/beta) + D f V/Uk gamma, depth D, k "
               "chunks, w of U "
               "units on a link",
    .exactness = CS_COST_ROUGHLY,
    .takes_trees = true,
    .check = cs_forest_check,
    .settle = reduce_forest_settle,
    .lanes = reduce_forest_lanes,
    .blocks = reduce_forest_blocks,
    .rounds = reduce_forest_rounds,
    .round = reduce_forest_round,
    .cost = reduce_forest_cost,
};
