/*
 * Cells: the devices of a machine, with interchangeable hosts merged.
 *
 * Hosts are interchangeable when devices and wires are equal and the wires to
 * the fabric lead to equal ends: exchanging two maps the machine onto the
 * machine.  Of a group of three or more hosts the first keeps a cell for each
 * device and the remaining hosts share cells: cell c of the first host has a
 * twin, which stands for weight[twin] devices.
 *
 * For sets of ranks that distinguish the devices of the first host only, a
 * minimum cut may put equal devices of the remaining hosts on one side (average
 * the maximum flow over the exchanges).  The cut is then a cut between cells,
 * with wires counted weight[] times.  A set that separates ranks of a group has
 * an image of equal capacity that separates a rank of the first host from the
 * set; tests of the first host therefore cover the group.
 *
 *     of   O(devices + wires) expected
 */
#pragma once

#include "topo/graph/graph.h"

enum {
    CS_NO_CELL = UINT32_MAX
};

struct cs_cells {
    uint32_t count;
    uint32_t *of;     /* device -> cell */
    uint32_t *device; /* cell -> first device */
    uint32_t *weight; /* cell -> devices */
    uint32_t *twin;   /* cell of a first host -> cell of the merged hosts, or
                          CS_NO_CELL */
    uint32_t *group;  /* cell -> group of hosts, or CS_NO_CELL: fabric */
    bool *is_kept;    /* device -> first of a cell */
    bool *passes;     /* device -> bytes pass through: a party, or forwards */
};

/* The host of device `apart`, as the host of a root, is never merged;
 * CS_NO_CELL: no exception.  Memory in the arena. */
struct cs_cells cs_cells_of(const struct cs_graph *graph, uint32_t apart, struct cs_arena *arena);

/* A cell for every device: no host is merged. */
struct cs_cells cs_cells_single(const struct cs_graph *graph, struct cs_arena *arena);

/* The number of wires that represent all wires (cs_cells_wire_weight). */
uint32_t cs_cells_wires(const struct cs_cells *cells, const struct cs_graph *graph);

/* Whether the cell is of the merged hosts of a group. */
static inline bool cs_cells_is_merged(const struct cs_cells *cells, uint32_t cell)
{
    return cells->weight[cell] > 1;
}

/* The number of equal wires that a wire stands for; 0: the wire is represented
 * by a kept wire. */
static inline uint32_t cs_cells_wire_weight(const struct cs_cells *cells,
                                            const struct cs_wire *wire)
{
    uint32_t a = cells->weight[cells->of[wire->a]];
    uint32_t b = cells->weight[cells->of[wire->b]];

    if (!cells->is_kept[wire->a] || !cells->is_kept[wire->b])
        return 0;
    return a > b ? a : b;
}
