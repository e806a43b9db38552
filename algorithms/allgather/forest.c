/*
 * Forest all-gather: the block of every rank goes down several spanning trees,
 * each with a share of the block (forest.h).
 *
 * Any p from 1 to 64.  The trees attain the rate of the narrowest cut on most
 * machines: T -> V / rate for a long vector.
 *
 *     T ~ (D + k - 1) (alpha + w V / (U k) / beta)
 *
 * for trees of depth D, k chunks, U units, w of them on the busiest link.
 */
#include "algorithms/shared/forest.h"

static void allgather_forest_settle(struct cs_call *call,
                                    const struct cs_hockney *hockney)
{
    cs_forest_settle(CS_FOREST_GATHER, call, hockney);
}

static uint32_t allgather_forest_lanes(const struct cs_call *call)
{
    return cs_forest_lanes(CS_FOREST_GATHER, call);
}

static uint32_t allgather_forest_blocks(const struct cs_call *call)
{
    return cs_forest_blocks(CS_FOREST_GATHER, call);
}

static uint64_t allgather_forest_rounds(const void *ctx, uint32_t rank,
                                        uint32_t lane)
{
    (void)rank;
    return cs_forest_rounds(CS_FOREST_GATHER, ctx, lane);
}

static void allgather_forest_round(const void *ctx, uint32_t rank,
                                   uint32_t lane, uint64_t k,
                                   struct cs_ops *ops)
{
    cs_forest_round(CS_FOREST_GATHER, ctx, rank, lane, k, ops);
}

static struct cs_cost allgather_forest_cost(const struct cs_call *call,
                                            const struct cs_hockney *hockney)
{
    return cs_forest_cost(CS_FOREST_GATHER, call, hockney);
}

const struct cs_algo cs_algo_allgather_forest = {
    .name = "forest",
    .collective = &cs_collective_allgather,
    .about = "spanning trees out of every rank, packed on the wires",
    .formula = "(D+k-1) (alpha + w V/Uk/beta), depth D, k chunks, w of U "
               "units on a link",
    .exactness = CS_COST_ROUGHLY,
    .takes_trees = true,
    .check = cs_forest_check,
    .settle = allgather_forest_settle,
    .lanes = allgather_forest_lanes,
    .blocks = allgather_forest_blocks,
    .parts = cs_forest_parts,
    .rounds = allgather_forest_rounds,
    .round = allgather_forest_round,
    .cost = allgather_forest_cost,
};
