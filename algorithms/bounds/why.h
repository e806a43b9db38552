/*
 * Texts of bounds: which ranks a cut separates, and which wires cross.
 *
 *     links from gpu0 gpu1 to gpu2 gpu3 (1 x 9.6 GB/s upi)
 *     links into gpu5 (2 x 50 GB/s xgmi x2 + 25.6 GB/s pcie4 x16 = 125.6 GB/s)
 *
 * Texts are in the arena, and never long: of many ranks or kinds of wires the
 * first are named.
 */
#ifndef CS_ALGORITHMS_BOUNDS_WHY_H
#define CS_ALGORITHMS_BOUNDS_WHY_H

#include "algorithms/bounds/network.h"
#include "algorithms/bounds/rates/pairs.h"
#include "algorithms/bounds/strength.h"

const char *cs_why_cut(const struct cs_network *network, const struct cs_flow_cut *cut,
                       struct cs_arena *arena);

const char *cs_why_partition(const struct cs_network *network, const struct cs_strength *strength,
                             struct cs_arena *arena);

/* The resources that are dear to the routes of the pairs. */
const char *cs_why_pairs(const struct cs_graph *graph, const struct cs_demand *demand,
                         const struct cs_pairs *bound, struct cs_arena *arena);

/* "the ranks' own links", with the links of a rank, "(240 GB/s nvlink3 x12 +
 * 24 GB/s pcie4 x16 = 264 GB/s)", or, where ranks differ, the least and the most
 * of their rates, "(24 GB/s to 48 GB/s)". */
const char *cs_why_own_links(const struct cs_graph *graph, struct cs_arena *arena);

#endif
