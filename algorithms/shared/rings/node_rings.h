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
#ifndef CS_ALGORITHMS_SHARED_RINGS_NODE_RINGS_H
#define CS_ALGORITHMS_SHARED_RINGS_NODE_RINGS_H

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

#endif
