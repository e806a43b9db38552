/*
 * The smaller form of a machine of many identical nodes, for the search of
 * routes.
 *
 * graph->identical says that devices 0 .. count x devices - 1 form `count`
 * identical nodes, and likewise the first wires; the fabric follows.  Nodes
 * with wires of the same kinds to the same devices of the fabric form a group.
 * The smaller form has the fabric and three nodes of each group, or all nodes
 * of a smaller group.
 *
 * Correctness.  A path from node i to node j of the machine maps to a path of
 * equal cost in the smaller form: i maps to the first node of its group, j to
 * the first of its own, or to the second when i is in the same group, and every
 * other node to the last of its group.  The smaller form is a part of the
 * machine, so no path gets shorter.  Distances are equal; the cheapest paths
 * are equal too, unless a cheapest path crosses a third node.
 *
 *     new     O(devices + wires log wires + nodes x groups), and 28 bytes per
 *             wire of the fabric
 *     view_of, link, device   O(1)
 */
#pragma once

#include "topo/graph/graph.h"

struct cs_replicated;

/* NULL for few nodes, for nodes that differ, and for nodes with direct wires to
 * each other.  graph->identical is verified, not trusted.  Keeps the graph. */
struct cs_replicated *cs_replicated_new(const struct cs_graph *graph, struct cs_arena *arena);

/* The smaller form. */
const struct cs_graph *cs_replicated_graph(const struct cs_replicated *replicated);

/* A source and a destination, mapped to the smaller form. */
struct cs_replicated_view {
    uint32_t src_node, dst_node; /* of the machine; UINT32_MAX: the fabric */
    uint32_t src, dst;           /* devices of the smaller form */
};

struct cs_replicated_view cs_replicated_view_of(const struct cs_replicated *replicated,
                                                uint32_t src, uint32_t dst);

/* The machine's device or link for a device or link of the smaller form;
 * UINT32_MAX in a third node or on a wire to a third node. */
uint32_t cs_replicated_device(const struct cs_replicated *replicated,
                              const struct cs_replicated_view *view, uint32_t device);
uint32_t cs_replicated_link(const struct cs_replicated *replicated,
                            const struct cs_replicated_view *view, uint32_t link);
