/*
 * Ring search: circuits through all nodes without a common lane.
 *
 * A lane carries one ring in one direction; a wire of double width has two
 * lanes.  A circuit continues to the neighbour with the most lanes, among
 * equals to the neighbour with the fewest exits (H. C. von Warnsdorf's rule
 * for the knight's tour, 1823), and backtracks at dead ends.  Circuits are
 * taken in sequence, in every other attempt each with the reverse, until the
 * lanes of a node are used up or no circuit remains; further attempts break
 * ties by other random numbers, the same in every run, up to 2^16 steps in
 * total, fewer for more than 128 nodes.  The attempt with the most rings wins.
 *
 * The result need not be the maximum.  It is the maximum, within a few steps,
 * for full meshes of up to 15 nodes (for 4 and 6 nodes no search finds more:
 * T. W. Tillson, A Hamiltonian decomposition of K*_2m, 2m >= 8, JCT-B 29,
 * 1980), tori up to 8 x 8 and 4 x 4 x 4, a hypercube of 16, and the cube mesh
 * of a DGX-1.
 *
 * O(steps x nodes): about 10 ms for the full number of steps.
 */
#pragma once

#include "sim/engine/progress.h"

#include <stdint.h>

struct cs_ring_lanes {
    uint32_t nodes;                   /* at least 2 */
    const uint32_t *lanes;            /* from node a to node b: lanes[a * nodes + b] */
    const struct cs_monitor *monitor; /* of the caller, who may stop the search; NULL: none */
};

/* Fills order[c * nodes ..] with the nodes of ring c, from node 0 on, and
 * returns the number of rings, at most `most`, the room in `order`. */
uint32_t cs_ring_search(const struct cs_ring_lanes *lanes, uint32_t most, uint32_t *order);

/* An upper limit of the number of rings, at most `most`: every ring takes a
 * lane into and out of each node. */
uint32_t cs_ring_search_at_most(const struct cs_ring_lanes *lanes, uint32_t most);

/*
 * Ring swap: circuits of a regular graph, all at once.
 *
 * The search starts from the 2-factors of a graph (two_factors.h) and joins the
 * circuits of each 2-factor to a single one.  On a square a-b-c-d with a-b and
 * c-d in one factor and b-c and d-a in another, the two factors exchange the
 * lanes: every node keeps two lanes of each factor, and the number of circuits
 * changes by at most one in each.  First random squares that join circuits in both
 * factors are exchanged, then those that lower the number of circuits.  Where none is
 * found, one that leaves the number is exchanged, and undone unless one that lowers
 * the number follows: along a torus of unequal sides, every other exchange joins
 * circuits in both factors.
 *
 * Tori of two and three dimensions (up to 128 x 128 and 32 x 32 x 32), full meshes, and
 * hypercubes up to 1,024 nodes get k circuits, as many as exist (A. Kotzig, Every cartesian product of
 * two circuits is decomposable into two Hamiltonian circuits, 1973; J. Aubert
 * and B. Schneider, Decomposition de la somme cartesienne d'un cycle et de
 * l'union de deux cycles hamiltoniens, Discrete Mathematics 38, 1982).
 */

/* As cs_ring_search, with an even number of rings; 0 where the lanes of two
 * nodes differ in number, the number is odd, or a lane has no reverse.
 * O(nodes^2 + k^2 nodes^2) at worst, and up to 2^26 visits of nodes. */
uint32_t cs_ring_swap(const struct cs_ring_lanes *lanes, uint32_t most, uint32_t *order);

/* The same from 2-factors (two_factors.h), which change. */
struct cs_two_factors;
uint32_t cs_ring_swap_factors(struct cs_two_factors *split, uint32_t most, uint32_t *order);
