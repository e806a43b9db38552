/*
 * Forests: spanning trees packed on the wires, each with a share of the vector or
 * of a rank's block, in chunks (forest.h).  Any p from 1 to 64, any root.
 *
 * All-gather: down the trees, which attain the rate of the narrowest cut on most
 * machines: T -> V / rate for a long vector.  Reduce-scatter: the sum goes up the
 * trees to the owner, with all messages reversed; a rank reduces up to f of the U
 * units.  Broadcast and reduce the same with one root: as many trees as the
 * narrowest cut between the root and a rank allows (Edmonds 1973).  All-reduce: up
 * and down at once, from the roots where the wires allow most trees, which need not
 * be the same number for every rank.
 *
 *     T ~ (D + k - 1) (alpha + w V / (U k) / beta)                             down
 *     T ~ (D + k - 1) (alpha + w V / (U k) / beta) + D f V / (U k) gamma       up
 *     T ~ (2 D + k - 1) (alpha + w V / (U k) / beta) + D f V / (U k) gamma     both
 *
 * for trees of depth D, k chunks, U units, w of them on the busiest link; where two chunks or
 * more on their way hide latencies, with D alpha in place of (D + k - 1) alpha.
 */
#include "algorithms/shared/trees/forest.h"

#define FOREST                                                                                     \
    .name = "forest", .exactness = CS_COST_ROUGHLY, .takes_trees = true, .check = cs_forest_check, \
    .settle = cs_forest_settle, .lanes = cs_forest_lanes, .blocks = cs_forest_blocks,              \
    .rounds = cs_forest_rounds, .round = cs_forest_round, .cost = cs_forest_cost

#define DOWN "(D+k-1) (alpha + w V/Uk/beta), depth D, k chunks, w of U units on a link"
#define UP \
    "(D+k-1) (alpha + w V/Uk/beta) + D f V/Uk gamma, depth D, k chunks, w of U units on a link"

const struct cs_algo cs_algo_allgather_forest = {
    FOREST,
    .collective = &cs_collective_allgather,
    .about = "spanning trees out of every rank, packed on the wires",
    .formula = DOWN,
    .parts = cs_forest_parts,
};

const struct cs_algo cs_algo_reducescatter_forest = {
    FOREST,
    .collective = &cs_collective_reducescatter,
    .about = "spanning trees to every rank, packed on the wires",
    .formula = UP,
    .parts = cs_forest_parts,
    .scatters = true,
};

const struct cs_algo cs_algo_broadcast_forest = {
    FOREST,
    .collective = &cs_collective_broadcast,
    .about = "spanning trees out of the root, packed on the wires",
    .formula = DOWN,
};

const struct cs_algo cs_algo_reduce_forest = {
    FOREST,
    .collective = &cs_collective_reduce,
    .about = "spanning trees to the root, packed on the wires",
    .formula = UP,
};

const struct cs_algo cs_algo_allreduce_forest = {
    FOREST,
    .collective = &cs_collective_allreduce,
    .about = "spanning trees packed on the wires, each up and down",
    .formula = "(2D+k-1) (alpha + w V/Uk/beta) + D f V/Uk gamma, depth D, k chunks, w of U units "
               "on a link",
};
