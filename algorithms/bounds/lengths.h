/*
 * The machine as resources, and shortest routes between ranks by any prices.
 *
 * A resource is what messages occupy one after the other: a direction of a
 * full-duplex wire, both directions of a half-duplex wire, or a shared medium.
 * Interchangeable hosts (cells.h) have resources in common: `count` says
 * how many equal ones a resource stands for.  With a price for each resource, an
 * arc is as long as the price times the seconds that a byte occupies it.
 */
#ifndef CS_ALGORITHMS_BOUNDS_LENGTHS_H
#define CS_ALGORITHMS_BOUNDS_LENGTHS_H

#include "algorithms/bounds/cells.h"

struct cs_lengths_arc {
    uint32_t to;
    uint32_t resource; /* CS_NO_CELL: free */
    double seconds;    /* that a byte occupies the resource */
};

struct cs_lengths_resource {
    uint32_t count;
    uint32_t wire; /* the first */
    uint64_t latency_ps;
};

struct cs_lengths {
    struct cs_cells cells;
    struct cs_lengths_arc *arcs;
    uint32_t *first; /* cell -> first arc; cells + 1 */
    struct cs_lengths_resource *resources;
    uint32_t resource_count;
    uint32_t *targets; /* cells with ranks */
    uint32_t target_count;
};

struct cs_lengths cs_lengths_of(const struct cs_graph *graph,
                                const struct cs_cells *cells,
                                struct cs_arena *arena);

/* Distances from one cell, and the tree of routes. */
struct cs_lengths_tree {
    double *distance; /* cell -> length */
    uint32_t *arc;    /* cell -> last arc of the route, or CS_NO_CELL */
    uint32_t *from;   /* cell -> the cell before */
    uint32_t *order;  /* cells, nearest first */
    uint32_t reached;
    uint32_t *heap, *place;
};

struct cs_lengths_tree cs_lengths_tree(const struct cs_lengths *lengths,
                                       struct cs_arena *arena);

/* Dijkstra's algorithm from a cell; O(arcs log cells). */
void cs_lengths_search(const struct cs_lengths *lengths, const double *price,
                       uint32_t cell, struct cs_lengths_tree *tree);

#endif
