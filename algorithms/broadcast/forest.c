/*
 * Forest broadcast: the vector goes down several spanning trees out of the root,
 * each with a share of the vector (forest.h).
 *
 * Any p from 1 to 64, any root.  As many trees as the narrowest cut between the
 * root and a rank allows (Edmonds 1973).
 *
 *     T ~ (D + k - 1) (alpha + w V / (U k) / beta)
 */
#include "algorithms/shared/trees/forest.h"

const struct cs_algo cs_algo_broadcast_forest = {
    .name = "forest",
    .collective = &cs_collective_broadcast,
    .about = "spanning trees out of the root, packed on the wires",
    .formula = "(D+k-1) (alpha + w V/Uk/beta), depth D, k chunks, w of U units on a link",
    .exactness = CS_COST_ROUGHLY,
    .takes_trees = true,
    .check = cs_forest_check,
    .settle = cs_forest_settle,
    .lanes = cs_forest_lanes,
    .blocks = cs_forest_blocks,
    .rounds = cs_forest_rounds,
    .round = cs_forest_round,
    .cost = cs_forest_cost,
};
