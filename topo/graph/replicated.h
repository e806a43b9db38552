/*
 * Machines of many equal computers, seen as one of few.
 *
 * Devices 0 .. count x devices - 1 of a graph are `count` computers alike, as
 * are the first wires; the fabric stands behind them.  Computers that are wired
 * to the same devices of the fabric by the same kinds of wires form a group.
 * The small machine has the fabric, and of each group three computers, or all
 * if there are fewer.
 *
 * Between computers i and j, every way of the machine is one of as much cost
 * of the small one, if i and j stand for the first of their groups (j for the
 * second, if it is in i's) and all others for the last; and the small machine
 * is part of the large one.  So distances are the same, and as long as no
 * cheapest way leads through a third computer, so are the cheapest ways.
 *
 *     new     O(devices + wires log wires + computers x groups), and 28 bytes
 *             a wire of the fabric
 *     view, link, device   O(1)
 */
#ifndef CS_TOPO_GRAPH_REPLICATED_H
#define CS_TOPO_GRAPH_REPLICATED_H

#include "topo/graph/graph.h"

#include <stdbool.h>

struct cs_copies;

/* The small machine, or NULL where the computers are few, not alike, or wired
 * to each other without a fabric.  graph->copies tells what to look at; it is
 * checked, not trusted.  Keeps the graph. */
struct cs_copies *cs_copies_new(const struct cs_graph *graph,
                                struct cs_arena *arena);

const struct cs_graph *cs_copies_graph(const struct cs_copies *copies);

/* A source and a destination; those of the small machine. */
struct cs_copies_view {
    uint32_t src_node, dst_node; /* computers; UINT32_MAX: of the fabric */
    uint32_t src, dst;           /* devices of the small machine */
};

struct cs_copies_view cs_copies_look(const struct cs_copies *copies,
                                     uint32_t src, uint32_t dst);

/* What a device or a link of the small machine stands for; UINT32_MAX when it
 * is of a third computer, or of a wire to one. */
uint32_t cs_copies_device(const struct cs_copies *copies,
                          const struct cs_copies_view *view, uint32_t device);
uint32_t cs_copies_link(const struct cs_copies *copies,
                        const struct cs_copies_view *view, uint32_t link);

#endif
