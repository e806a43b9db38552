/*
 * Agents inside a switch: where in-network reduction and multicast happen.
 *
 * The switch (or bus) that the ranks' own wires lead to with the most
 * bandwidth takes all agents.  A way between a rank and an agent is the rank's
 * wire to it, one link; ways between ranks are as they were.
 */
#ifndef CS_TOPO_INSIDE_H
#define CS_TOPO_INSIDE_H

#include "topo/graph.h"

/* Seats `agents` agents inside.  CS_EINPUT when there is no switch that every
 * rank has a wire to.  O(wires + ranks). */
int cs_graph_seat_inside(struct cs_graph *graph, uint32_t agents,
                         struct cs_err *err);

#endif
