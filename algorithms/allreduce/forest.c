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
#include "algorithms/shared/trees/forest.h"

const struct cs_algo cs_algo_allreduce_forest = {
    .name = "forest",
    .collective = &cs_collective_allreduce,
    .about = "spanning trees packed on the wires, each up and down",
    .formula = "(2D+k-1) (alpha + w V/Uk/beta) + D f V/Uk gamma, depth D, k chunks, w of U units "
               "on a link",
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
