/*
 * Forest reduce: the sum goes up several spanning trees to the root, each with a
 * share of the vector (forest.h).
 *
 * Any p from 1 to 64, any root: the broadcast with all messages reversed.  A rank
 * reduces up to f of the U units.
 *
 *     T ~ (D + k - 1) (alpha + w V / (U k) / beta) + D f V / (U k) gamma
 */
#include "algorithms/shared/trees/forest.h"

const struct cs_algo cs_algo_reduce_forest = {
    .name = "forest",
    .collective = &cs_collective_reduce,
    .about = "spanning trees to the root, packed on the wires",
    .formula =
        "(D+k-1) (alpha + w V/Uk/beta) + D f V/Uk gamma, depth D, k chunks, w of U units on a link",
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
