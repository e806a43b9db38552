/*
 * From a machine to the simulator's network: devices become node numbers,
 * wires two links each (2w from a to b, 2w + 1 from b to a), ranks and then
 * agents parties.
 *
 * A full-duplex wire gets a server for each direction, a half-duplex one a
 * server for both, and all wires of one bus one server together.  A message
 * between two parties on a bus must occupy the medium once: the link to the bus
 * carries rate and latency, the link from it is free (infinite rate, no
 * latency) and is left out of routes.
 *
 * A machine told briefly, all of whose wires are full duplex, becomes a brief
 * net, in O(what is kept + ranks).
 *
 * The effective rate of a link is payload rate times efficiency.  Routes are
 * the graph's own where it has a function for them and does not ask for
 * hashing, else found by search
 * (route.h) when first asked for.
 */
#ifndef CS_TOPO_GRAPH_LOWER_H
#define CS_TOPO_GRAPH_LOWER_H

#include "sim/net/net.h"
#include "topo/graph/graph.h"

/* Fills `net`; memory in the arena, which must outlive it, as must the graph's
 * own arena.  The graph has passed cs_graph_check.  O(devices + wires). */
void cs_lower(const struct cs_graph *graph, struct cs_net *net,
              struct cs_arena *arena);

#endif
