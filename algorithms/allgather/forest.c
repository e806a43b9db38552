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
#include "algorithms/shared/trees/forest.h"

const struct cs_algo cs_algo_allgather_forest = {
    .name = "forest",
    .collective = &cs_collective_allgather,
    .about = "spanning trees out of every rank, packed on the wires",
    .formula = "(D+k-1) (alpha + w V/Uk/beta), depth D, k chunks, w of U units on a link",
    .exactness = CS_COST_ROUGHLY,
    .takes_trees = true,
    .check = cs_forest_check,
    .settle = cs_forest_settle,
    .lanes = cs_forest_lanes,
    .blocks = cs_forest_blocks,
    .parts = cs_forest_parts,
    .rounds = cs_forest_rounds,
    .round = cs_forest_round,
    .cost = cs_forest_cost,
};
