/*
 * Cells: the devices of a machine, with interchangeable hosts merged.
 *
 * Hosts are interchangeable when their devices and wires are equal and
 * their wires to the fabric lead to the same devices of the fabric, so that
 * exchanging any two maps the machine onto itself.  Of a group of three or more
 * the first host keeps its own cells and the others share theirs: cell c of
 * the first has a twin, which stands for weight[twin] devices.
 *
 * A minimum cut that treats the devices of the first host one by one can be
 * chosen to put equal devices of the others on one side (average the maximum
 * flow over their exchanges), hence is a cut of cells, of wires counted
 * weight[] times.  A set of ranks that splits any host of a group, or the
 * group, has an image of the same capacity that splits the first host or
 * separates it from the others; tests of the first host cover the group.
 *
 *     of   O(devices + wires) expected
 */
#ifndef CS_ALGORITHMS_BOUNDS_CELLS_H
#define CS_ALGORITHMS_BOUNDS_CELLS_H

#include "topo/graph/graph.h"

enum {
    CS_NO_CELL = UINT32_MAX
};

struct cs_cells {
    uint32_t count;
    uint32_t *of;     /* device -> cell */
    uint32_t *device; /* cell -> its first device */
    uint32_t *weight; /* cell -> devices */
    uint32_t *twin;   /* cell of a first host -> that of the others, or
                          CS_NO_CELL */
    uint32_t *group;  /* cell -> group of hosts, or CS_NO_CELL: fabric */
    bool *is_kept;    /* device -> first of its cell */
    bool *passes;     /* device -> bytes pass through: a party, or forwards */
};

/* `apart` is a device whose host is merged with no other, as that of a
 * root; CS_NO_CELL: none.  Memory in the arena. */
struct cs_cells cs_cells_of(const struct cs_graph *graph, uint32_t apart,
                            struct cs_arena *arena);

/* The same with a cell for each device: nothing is merged. */
struct cs_cells cs_cells_single(const struct cs_graph *graph,
                                struct cs_arena *arena);

/* Whether the cell is of the merged hosts of a group. */
static inline bool cs_cells_is_merged(const struct cs_cells *cells,
                                      uint32_t cell)
{
    return cells->weight[cell] > 1;
}

/* How many equal wires a wire with these ends stands for; 0: another stands
 * for it. */
static inline uint32_t cs_cells_wire_weight(const struct cs_cells *cells,
                                            const struct cs_wire *wire)
{
    uint32_t a = cells->weight[cells->of[wire->a]];
    uint32_t b = cells->weight[cells->of[wire->b]];

    if (!cells->is_kept[wire->a] || !cells->is_kept[wire->b])
        return 0;
    return a > b ? a : b;
}

#endif
