/*
 * The machine with only the wires that messages take: those on a route between
 * two parties of the network.
 *
 * Bounds of that machine hold for every algorithm whose messages follow the
 * routes, relayed or not, and can be far higher: no route uses PCIe beside
 * NVLink.  A wire is used where either direction is, and a wire of a bus always.
 */
#pragma once

#include "topo/graph/graph.h"

struct cs_net;

enum {
    CS_USED_LINKS_PARTIES = 128 /* of whom every pair's route is asked for */
};

/* Sets `few` and `few_net` to the machine with the other wires down; false, and
 * both unset, where no wire is left out: all are used, the parties are too many,
 * or routes are a choice (net->choice).  `net` is that of the graph, and both
 * outlive the results, which are for bounds alone.
 * O(parties^2 hops + devices + wires). */
bool cs_used_links_of(const struct cs_graph *graph, const struct cs_net *net, struct cs_graph *few,
                      struct cs_net *few_net, struct cs_arena *arena);
