/*
 * Node rings: the rings among the ranks of one node.
 *
 * Ranks come in nodes of equal size; the rings of a node must hold in every
 * node, so that a wire counts with the slowest rate over all nodes, and a pair
 * without a wire in some node has none.
 *
 * Rings over wires are circuits without a common lane (rings/search.h).  A wire
 * counts that joins two ranks, carries their route, and serves the directions
 * separately.  A lane is a share of a wire with the rate of the narrowest wire
 * in use.  The choice of that rate is a trade: with wires of 20 and 40 GB/s,
 * six rings of 20 GB/s or two of 40 GB/s.  The search tries the rates and
 * takes the most bytes per second.
 *
 *     DGX-1 (V100): 0-3-2-1-5-6-7-4 over the double links, twice in either
 *     direction, and over the single links one ring in either direction
 *
 * Where lanes remain, the search also tries half of each rate, so that two
 * rings share a wire.  A full mesh of four has two circuits without a common
 * lane, but all six circuits use every lane exactly twice: six rings at half
 * the rate carry 3/2 of what two rings carry.
 */
#pragma once

#include "algorithms/shared/rings/rings.h"
#include "sim/engine/progress.h"

enum {
    CS_STRIDES_MAX = 8 /* rings of strides */
};

/* A machine of ranks in nodes of `group`.  Slot s of the machine is slot
 * s % group of node s / group. */
struct cs_ring_nodes {
    const struct cs_net *net;
    uint32_t ranks, group;
    const uint32_t *rank; /* of each slot */
    double *rate_Bps;     /* of the wire from a to b: [a * group + b]; 0: no wire */
    uint32_t *links;      /* room for a route */
};

/* Whether the network's monitor stops the search. */
static inline bool cs_ring_nodes_stopped(const struct cs_ring_nodes *nodes)
{
    return !cs_monitor_count(nodes->net->monitor, 0, 0);
}

/* Rings of one node, in slots 0 .. group - 1. */
struct cs_node_rings {
    uint32_t *order; /* room for CS_RINGS_MAX rings */
    uint32_t count;
    bool any_order; /* no wires: other orders are equally good in the node */
};

/* Measures the wires of all nodes; the tables live in the arena, as must
 * `rank`.  O(links), and two routes for each wire. */
struct cs_ring_nodes cs_ring_nodes_of(const struct cs_net *net, uint32_t ranks, uint32_t group,
                                      const uint32_t *rank, struct cs_arena *arena);

/* Fills `order` (room for CS_RINGS_MAX rings) with rings over wires and returns
 * the number, 0 without a circuit.  Half lanes are tried only below
 * `enough_Bps` of all rings together.  Up to 16 searches. */
uint32_t cs_rings_of_wires(const struct cs_ring_nodes *nodes, double enough_Bps, uint32_t *order,
                           struct cs_arena *scratch);

/* Fills `order` (room for CS_STRIDES_MAX rings) with rings of the strides of
 * pattern.h over ranks 0 .. n - 1; returns the number. */
uint32_t cs_rings_of_strides(uint32_t n, uint32_t *order);

/*
 * Ring join: rings of one node cut open and joined to rings of all nodes.
 *
 * A ring visits the nodes in order and passes each node in the order of a local
 * ring, from an entry rank to an exit rank that are the same in every node.
 * The choice of entry and exit selects the adapters that the ring uses: each
 * ring takes the ends with the least busy routes to the next node, so that the
 * rings leave by different adapters.
 *
 *     4 ranks per node, local ring 0-1-2-3, entry 2, exit 1:
 *
 *     node 0: 2 3 0 1 -> node 1: 6 7 4 5 -> node 0
 */

/* `count` rings, at least 1, over the local rings in turn.  Greedy placement,
 * then up to four passes of replacement of single rings and of pairs.  The
 * result lives in the arena. */
const struct cs_rings *cs_rings_join(const struct cs_ring_nodes *nodes, struct cs_node_rings local,
                                     uint32_t count, struct cs_arena *arena);

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

/* Seconds per byte of the route between two slots, summed over the links. */
double cs_near_route_s(const struct cs_ring_nodes *nodes, uint32_t a, uint32_t b);

/* Fills `order` with the slots 0 .. group - 1 of the first node.
 * O(group^2 log group) and group^2 routes. */
void cs_near_order(const struct cs_ring_nodes *nodes, uint32_t *order, struct cs_arena *scratch);
