/*
 * Two-factors: a regular graph as a sum of sets of circuits.
 *
 * A graph whose nodes all have 2 k lanes, each with a reverse, falls into k
 * 2-factors: sets of lanes with two lanes at every node, circuits that together
 * visit all nodes (J. Petersen, Die Theorie der regulaeren graphs, Acta
 * Mathematica 15, 1891).  An Euler tour gives every lane a direction, and k
 * perfect matchings between the tails and the heads are the 2-factors.
 */
#pragma once

#include "algorithms/shared/rings/search.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stddef.h>

/* A lane and its reverse, as one edge. */
struct cs_factor_edge {
    uint32_t end[2];
    uint32_t factor;
};

struct cs_two_factors {
    uint32_t nodes, factors, edge_count;
    struct cs_factor_edge *edges;
    /* The edges at node a, two for each factor: at[(a * factors + factor) * 2]
     * and the next. */
    uint32_t *at;
};

/* Fills `split`, in the arena; false where two nodes have different numbers of
 * lanes, the number is odd or zero, or a lane has no reverse.
 * O(nodes^2 + k^2 nodes^2) at worst. */
bool cs_two_factors_of(const struct cs_ring_lanes *lanes, struct cs_two_factors *split,
                       struct cs_arena *arena);

/* The two edges of a factor at a node. */
static inline uint32_t *cs_factor_at(const struct cs_two_factors *split, uint32_t node,
                                     uint32_t factor)
{
    return &split->at[2 * ((size_t)node * split->factors + factor)];
}

static inline uint32_t cs_factor_far_end(const struct cs_two_factors *split, uint32_t edge,
                                         uint32_t node)
{
    const struct cs_factor_edge *of = &split->edges[edge];

    return of->end[of->end[0] == node];
}
