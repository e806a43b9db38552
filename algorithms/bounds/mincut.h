/*
 * Minimum cuts: how many bytes a second can leave a set of ranks.
 *
 * For every set S of the ranks of a small machine, the capacity of the
 * narrowest place between S and the other ranks, wherever the switches are put:
 * by maximum flow (Dinic).  Wires count in each direction at their effective
 * rate, a shared medium once, those that are down not at all; devices that
 * compute and take no part do not forward, unless the network is direct.
 *
 * O(2^ranks flows); a flow is about O(wires sqrt(devices)) here.
 */
#ifndef CS_ALGORITHMS_BOUNDS_MINCUT_H
#define CS_ALGORITHMS_BOUNDS_MINCUT_H

#include "topo/graph/graph.h"

enum {
    CS_MINCUT_RANKS_MAX = 10
};

/* rates_Bps[S], S a bit set of ranks, 2^ranks of them; 0 for none and all.
 * The graph has at most CS_MINCUT_RANKS_MAX ranks. */
double *cs_mincut_all(const struct cs_graph *graph, struct cs_arena *arena);

/* The same for one set of the ranks of a machine of any size; one flow. */
double cs_mincut_of(const struct cs_graph *graph, const bool *inside,
                    struct cs_arena *arena);

#endif
