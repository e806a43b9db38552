/*
 * Latency from a rank to the farthest rank, by the quickest route.
 *
 * No collective that informs every rank of one rank ends before the message
 * without bytes has arrived everywhere, relays included.
 */
#ifndef CS_ALGORITHMS_BOUNDS_REACH_H
#define CS_ALGORITHMS_BOUNDS_REACH_H

#include "topo/graph/graph.h"

struct cs_net;

enum cs_reach_direction {
    CS_REACH_FROM, /* from the rank to every rank */
    CS_REACH_TO,   /* from every rank to the rank */
};

/* The latency in picoseconds; 0 where routes are too long to be found in a few
 * passes over the links.  O(links) a pass; scratch memory in the arena. */
uint64_t cs_reach_farthest_ps(const struct cs_graph *graph, const struct cs_net *net, uint32_t rank,
                              enum cs_reach_direction direction, struct cs_arena *arena);

#endif
