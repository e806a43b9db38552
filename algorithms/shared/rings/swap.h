/*
 * Ring swap: circuits of a regular graph, all at once.
 *
 * The search starts from the 2-factors of a graph (two_factors.h) and joins the
 * circuits of each 2-factor to a single one.  On a square a-b-c-d with a-b and
 * c-d in one factor and b-c and d-a in another, the two factors exchange the
 * lanes: every node keeps two lanes of each factor, and the number of circuits
 * changes by at most one in each.  Random squares are exchanged where that
 * lowers the number of circuits, sometimes where the number stays, and seldom
 * where the number grows by one, up to a limit of steps.  Each 2-factor with a
 * single circuit is two rings, one in each direction.
 *
 * Tori of two and three dimensions, full meshes, and hypercubes up to 1,024
 * nodes get k circuits, as many as exist (A. Kotzig, Every cartesian product of
 * two circuits is decomposable into two Hamiltonian circuits, 1973; J. Aubert
 * and B. Schneider, Decomposition de la somme cartesienne d'un cycle et de
 * l'union de deux cycles hamiltoniens, Discrete Mathematics 38, 1982).
 */
#ifndef CS_ALGORITHMS_SHARED_RINGS_SWAP_H
#define CS_ALGORITHMS_SHARED_RINGS_SWAP_H

#include "algorithms/shared/rings/search.h"

/* As cs_ring_search, with an even number of rings; 0 where the lanes of two
 * nodes differ in number, the number is odd, or a lane has no reverse.
 * O(nodes^2 + k^2 nodes^2) at worst, and up to 2^25 visits of nodes. */
uint32_t cs_ring_swap(const struct cs_ring_lanes *lanes, uint32_t most, uint32_t *order);

#endif
