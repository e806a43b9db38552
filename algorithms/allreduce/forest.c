/*
 * Forest all-reduce: spanning trees packed on the wires, each with a share of the
 * vector, up and down at once in chunks (forest.h).
 *
 * Any p from 1 to 64.  The roots are where the wires allow most trees, which
 * need not be the same number for every rank.  A rank reduces up to f of the U
 * units.
 *
 *     T ~ (2 D + k - 1) (alpha + w V / (U k) / beta) + D f V / (U k) gamma
 */
#include "algorithms/shared/forest.h"

static void allreduce_forest_settle(struct cs_call *call,
                                    const struct cs_hockney *hockney)
{
    cs_forest_settle(CS_FOREST_SUM, call, hockney);
}

static uint32_t allreduce_forest_lanes(const struct cs_call *call)
{
    return cs_forest_lanes(CS_FOREST_SUM, call);
}

static uint32_t allreduce_forest_blocks(const struct cs_call *call)
{
    return cs_forest_blocks(CS_FOREST_SUM, call);
}

static uint64_t allreduce_forest_rounds(const void *ctx, uint32_t rank,
                                        uint32_t lane)
{
    (void)rank;
    return cs_forest_rounds(CS_FOREST_SUM, ctx, lane);
}

static void allreduce_forest_round(const void *ctx, uint32_t rank,
                                   uint32_t lane, uint64_t k,
                                   struct cs_ops *ops)
{
    cs_forest_round(CS_FOREST_SUM, ctx, rank, lane, k, ops);
}

static struct cs_cost allreduce_forest_cost(const struct cs_call *call,
                                            const struct cs_hockney *hockney)
{
    return cs_forest_cost(CS_FOREST_SUM, call, hockney);
}

const struct cs_algo cs_algo_allreduce_forest = {
    .name = "forest",
    .collective = &cs_collective_allreduce,
    .about = "spanning trees packed on the wires, each up and down",
    .formula = "(2D+k-1) (alpha + w V/Uk/beta) + D f V/Uk gamma, depth D, k "
               "chunks, w of U "
               "units on a link",
    .exactness = CS_COST_ROUGHLY,
    .takes_trees = true,
    .check = cs_forest_check,
    .settle = allreduce_forest_settle,
    .lanes = allreduce_forest_lanes,
    .blocks = allreduce_forest_blocks,
    .rounds = allreduce_forest_rounds,
    .round = allreduce_forest_round,
    .cost = allreduce_forest_cost,
};
