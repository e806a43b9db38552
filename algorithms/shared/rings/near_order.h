/*
 * Near order: the ranks of a machine, near ranks side by side.
 *
 * A ring through a tree of switches and sockets loads every link least when the
 * ring leaves each switch once and enters each switch once.  The nearest groups
 * of ranks are joined first (single linkage clustering, P. H. A. Sneath,
 * J. Gen. Microbiol. 17, 201-226, 1957); the distance of two ranks is the time
 * of a byte over all links of the route.  Equal distances leave the ranks in
 * ascending order.
 *
 *     ranks 0, 2 below one switch and 1, 3 below another: 0 2 1 3
 */
#ifndef CS_ALGORITHMS_SHARED_RINGS_NEAR_ORDER_H
#define CS_ALGORITHMS_SHARED_RINGS_NEAR_ORDER_H

#include "algorithms/shared/rings/node_rings.h"

/* Seconds per byte of the route between two slots, summed over the links. */
double cs_near_route_s(const struct cs_ring_nodes *nodes, uint32_t a, uint32_t b);

/* Fills `order` with the slots 0 .. group - 1 of the first node.
 * O(group^2 log group) and group^2 routes. */
void cs_near_order(const struct cs_ring_nodes *nodes, uint32_t *order, struct cs_arena *scratch);

#endif
