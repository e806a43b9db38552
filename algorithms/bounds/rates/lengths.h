/*
 * The machine as resources that messages occupy, and arcs between cells.
 *
 * A resource is occupied by messages in turn: a direction of a full-duplex
 * wire, the two directions of a half-duplex wire, or a shared medium.
 * Interchangeable hosts (cells.h) have resources in common, and `count` is the
 * number of equal resources represented.  With a price for each resource, the
 * length of an arc is the price times the seconds of occupation for a byte.
 * Dead ends without ranks, such as the adapters of a single node, have neither
 * resources nor arcs.
 */
#ifndef CS_ALGORITHMS_BOUNDS_RATES_LENGTHS_H
#define CS_ALGORITHMS_BOUNDS_RATES_LENGTHS_H

#include "algorithms/bounds/rates/cells.h"

struct cs_lengths_arc {
    uint32_t from, to;
    uint32_t resource; /* CS_NO_CELL: free */
    double seconds;    /* of occupation for a byte */
};

struct cs_lengths_resource {
    uint32_t count;
    uint32_t wire; /* the first */
    uint64_t latency_ps;
};

struct cs_lengths {
    struct cs_cells cells;
    struct cs_lengths_arc *arcs;
    uint32_t *first;          /* cell -> first arc from the cell; cells + 1 */
    uint32_t *entering;       /* arcs by end */
    uint32_t *first_entering; /* cell -> first arc to the cell; cells + 1 */
    struct cs_lengths_resource *resources;
    uint32_t resource_count;
    uint32_t *targets; /* cells with ranks */
    uint32_t target_count;
};

struct cs_lengths cs_lengths_of(const struct cs_graph *graph, const struct cs_cells *cells,
                                struct cs_arena *arena);

#endif
