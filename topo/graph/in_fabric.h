/*
 * Placement of agents in the switches between nodes, for in-network reduction
 * across nodes.
 *
 * Rank i of every node is a rail.  Agent i is in the first switch outside of the
 * nodes on the route from rank i of node 0 to rank i of node 1; the rail's ranks
 * of all nodes must meet the same switch first, as on a star or with a switch for
 * each rail.  Several agents may be in one switch.
 *
 *     rank i -- (PCIe) -- NIC -- switch, agent i -- NIC -- (PCIe) -- rank i
 *
 * The route between a rank of the rail and the agent is the part of the route
 * between the ranks up to the switch, and from the switch on.  Routes between
 * ranks do not change.
 */
#pragma once

#include "topo/graph/graph.h"

/* Places an agent for each of `agents` ranks of a node; the number of ranks is a
 * multiple, at least twice as many.  CS_EINPUT without such switches.
 * O(ranks) routes. */
int cs_graph_place_fabric(struct cs_graph *graph, uint32_t agents, struct cs_err *err);

/* The same behind an agent in the switch of each node (in_switch.h): of n nodes of g ranks
 * n + g agents. */
int cs_graph_place_nodes_and_fabric(struct cs_graph *graph, uint32_t agents, struct cs_err *err);
