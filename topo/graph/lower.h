/*
 * From a machine to the simulator's network: devices become node numbers,
 * wires two links each (2w from a to b, 2w + 1 from b to a), ranks and then
 * agents parties.
 *
 * A full-duplex wire has a resource per direction, a half-duplex wire a single
 * resource, and a bus a single resource for all wires.  A message between two
 * parties on a bus occupies the medium once: the link into the bus carries rate
 * and latency; the link out of the bus is free (infinite rate, no latency) and
 * not part of routes.
 *
 * A graph in the folded form, with full-duplex wires only, becomes a replicated
 * network, in O(stored devices and wires + ranks).
 *
 * The effective rate of a link is payload rate times efficiency.  Routes are
 * those of graph->route, otherwise by search (route.h) on first request.
 */
#pragma once

#include "sim/net/net.h"
#include "topo/graph/graph.h"

/* Fills `net`, which must not outlive `arena` or the arena of the graph.  The
 * graph has passed cs_graph_check.  O(devices + wires). */
void cs_lower(const struct cs_graph *graph, struct cs_net *net, struct cs_arena *arena);
