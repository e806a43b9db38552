/*
 * Minimum cuts between given sets of ranks: the bytes a second that can leave a
 * set, through the narrowest place between the set and the other ranks,
 * wherever the switches are put.  By maximum flow on the network of network.h,
 * every device a node.
 *
 *     all   2^ranks flows
 *     of    one flow
 */
#pragma once

#include "topo/graph/graph.h"

enum {
    CS_MINCUT_RANKS_MAX = 10
};

/* rates_Bps[S], S a bit set of ranks, 2^ranks values; 0 for the empty and the
 * full set. The graph has at most CS_MINCUT_RANKS_MAX ranks. */
double *cs_mincut_all(const struct cs_graph *graph, struct cs_arena *arena);

/* The rate out of a set of ranks of a machine of arbitrary size. */
double cs_mincut_of(const struct cs_graph *graph, const bool *inside, struct cs_arena *arena);
