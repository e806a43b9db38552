/*
 * Placement of agents in switches, for in-network reduction and multicast.
 *
 * In a single switch: all agents are in the switch or bus with the most
 * bandwidth on wires of the ranks.
 *
 * In a tree of two levels: ranks are split evenly, in order, among all agents
 * but the last.  The switch of an agent is the switch on the fastest wire of
 * the agent's first rank; the last agent is in the switch with the most
 * bandwidth on wires of those switches.
 *
 *                agent 2 in a spine
 *               /                  \
 *     agent 0 in a leaf     agent 1 in a leaf
 *       rank 0  rank 1        rank 2  rank 3
 *
 * In the switches of nodes: as in the tree without the top; ranks reach only the
 * agent of the own node.
 *
 * The route between neighbours in the tree is the fastest link in that
 * direction (a wire may be one-way).  Routes between ranks do not change.
 */
#pragma once

#include "topo/graph/graph.h"

/* Places `agents` agents in a single switch (in a tree; at least 2 agents; one in
 * the switch of each of `agents` nodes).
 * CS_EINPUT without such a switch, or without a direct wire that the tree
 * needs.  O(wires + ranks). */
int cs_graph_place_inside(struct cs_graph *graph, uint32_t agents, struct cs_err *err);
int cs_graph_place_tree(struct cs_graph *graph, uint32_t agents, struct cs_err *err);
int cs_graph_place_nodes(struct cs_graph *graph, uint32_t agents, struct cs_err *err);

/* The first ranks that have their fastest wire to one switch; 0: rank 0 has none to a switch. */
uint32_t cs_graph_ranks_of_switch(const struct cs_graph *graph);
