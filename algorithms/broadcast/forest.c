/*
 * Forest broadcast: the vector goes down several spanning trees out of the root,
 * each with a share of the vector (forest.h).
 *
 * Any p from 1 to 64, any root.  As many trees as the narrowest cut between the
 * root and a rank allows (Edmonds 1973).
 *
 *     T ~ (D + k - 1) (alpha + w V / (U k) / beta)
 */
#include "algorithms/shared/forest.h"

static void broadcast_forest_settle(struct cs_call *call,
                                    const struct cs_hockney *hockney)
{
    cs_forest_settle(CS_FOREST_BROADCAST, call, hockney);
}

static uint32_t broadcast_forest_lanes(const struct cs_call *call)
{
    return cs_forest_lanes(CS_FOREST_BROADCAST, call);
}

static uint32_t broadcast_forest_blocks(const struct cs_call *call)
{
    return cs_forest_blocks(CS_FOREST_BROADCAST, call);
}

static uint64_t broadcast_forest_rounds(const void *ctx, uint32_t rank,
                                        uint32_t lane)
{
    (void)rank;
    return cs_forest_rounds(CS_FOREST_BROADCAST, ctx, lane);
}

static void broadcast_forest_round(const void *ctx, uint32_t rank,
                                   uint32_t lane, uint64_t k,
                                   struct cs_ops *ops)
{
    cs_forest_round(CS_FOREST_BROADCAST, ctx, rank, lane, k, ops);
}

static struct cs_cost broadcast_forest_cost(const struct cs_call *call,
                                            const struct cs_hockney *hockney)
{
    return cs_forest_cost(CS_FOREST_BROADCAST, call, hockney);
}

const struct cs_algo cs_algo_broadcast_forest = {
    .name = "forest",
    .collective = &cs_collective_broadcast,
    .about = "spanning trees out of the root, packed on the wires",
    .formula = "(D+k-1) (alpha + w V/Uk/beta), depth D, k chunks, w of U "
               "units on a link",
    .exactness = CS_COST_ROUGHLY,
    .takes_trees = true,
    .check = cs_forest_check,
    .settle = broadcast_forest_settle,
    .lanes = broadcast_forest_lanes,
    .blocks = broadcast_forest_blocks,
    .rounds = broadcast_forest_rounds,
    .round = broadcast_forest_round,
    .cost = broadcast_forest_cost,
};
