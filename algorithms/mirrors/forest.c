/*
 * Forests: the block of every rank has several spanning trees, each with a share
 * of the block (forest.h).
 *
 * Any p from 1 to 64.  All-gather: down the trees, which attain the rate of the
 * narrowest cut on most machines: T -> V / rate for a long vector.  Reduce-scatter:
 * the sum goes up the trees to the owner, with all messages reversed; a rank
 * reduces up to f of the U units.
 *
 *     T ~ (D + k - 1) (alpha + w V / (U k) / beta)
 *     T ~ (D + k - 1) (alpha + w V / (U k) / beta) + D f V / (U k) gamma
 *
 * for trees of depth D, k chunks, U units, w of them on the busiest link.
 */
#include "algorithms/shared/trees/forest.h"

#define FOREST                                                                                     \
    .name = "forest", .exactness = CS_COST_ROUGHLY, .takes_trees = true, .check = cs_forest_check, \
    .settle = cs_forest_settle, .lanes = cs_forest_lanes, .blocks = cs_forest_blocks,              \
    .parts = cs_forest_parts, .rounds = cs_forest_rounds, .round = cs_forest_round,                \
    .cost = cs_forest_cost

const struct cs_algo cs_algo_allgather_forest = {
    FOREST,
    .collective = &cs_collective_allgather,
    .about = "spanning trees out of every rank, packed on the wires",
    .formula = "(D+k-1) (alpha + w V/Uk/beta), depth D, k chunks, w of U units on a link",
};

const struct cs_algo cs_algo_reducescatter_forest = {
    FOREST,
    .collective = &cs_collective_reducescatter,
    .about = "spanning trees to every rank, packed on the wires",
    .formula =
        "(D+k-1) (alpha + w V/Uk/beta) + D f V/Uk gamma, depth D, k chunks, w of U units on a link",
    .reduce_scatter_rounds = cs_forest_scatter_rounds,
};
