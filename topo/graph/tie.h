/*
 * Ties: which of several equal paths a route takes at a device; see route.h.
 *
 *     choose   O(log of the source)
 */
#pragma once

#include "topo/graph/graph.h"

/* The parties of a route; hashed routes alone depend on the destination. */
struct cs_tie_pair {
    uint32_t src, dst;
};

/* The selection among `ties` >= 2 equal paths to the device, from 0. */
uint32_t cs_tie_choose(const struct cs_graph *graph, struct cs_tie_pair pair, uint32_t device,
                       uint32_t ties);
