/*
 * Agents inside switches: where in-network reduction and multicast happen.
 *
 * In one switch: the switch (or bus) that the ranks' own wires lead to with the
 * most bandwidth takes all agents.
 *
 * In a tree of two levels: ranks are split evenly, in order, among all agents
 * but the last; each sits in the switch that its first rank has the quickest
 * wire to, and the last one in the switch that most of those are wired to.
 *
 *                agent 2 in a spine
 *               /                  \
 *     agent 0 in a leaf     agent 1 in a leaf
 *       rank 0  rank 1        rank 2  rank 3
 *
 * The route between neighbours in the tree is one link, the quickest that leads
 * in that direction (a wire may be one-way); routes between ranks are as they
 * were.
 */
#ifndef CS_TOPO_GRAPH_IN_SWITCH_H
#define CS_TOPO_GRAPH_IN_SWITCH_H

#include "topo/graph/graph.h"

/* Seats `agents` agents in one switch (in a tree; at least 2).  CS_EINPUT where
 * there is no such switch, or a wire to it is missing.  O(wires + ranks). */
int cs_graph_place_inside(struct cs_graph *graph, uint32_t agents,
                          struct cs_err *err);
int cs_graph_place_tree(struct cs_graph *graph, uint32_t agents,
                        struct cs_err *err);

#endif
