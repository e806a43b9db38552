/*
 * The blocks that a pattern of pairs moves between cells (lengths.h).
 *
 * A source is a cell with ranks.  In merged hosts the first host's cells are
 * the sources, and send the blocks of all hosts: an exchange of hosts maps
 * routes onto routes of equal length, where equal resources have equal prices.
 */
#pragma once

#include "algorithms/bounds/rates/cells.h"
#include "sim/net/net.h"

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

struct cs_demand_part {
    uint32_t to; /* cell */
    double blocks;
};

struct cs_demand {
    const struct cs_lengths *lengths;
    uint32_t *sources; /* cells */
    uint32_t source_count;
    uint32_t *first; /* source -> first part; sources + 1 */
    struct cs_demand_part *parts;
    bool is_all; /* a block from every rank to every rank; without parts */
};

/* An all-to-all.  `lengths` outlives the demand.  O(cells). */
struct cs_demand cs_demand_of_all(const struct cs_lengths *lengths, struct cs_arena *arena);

/* A block from rank r - 1 to rank r, cyclically, with the ranks of the network
 * (of `graph`) as parties.  O(cells + ranks). */
struct cs_demand cs_demand_of_shift(const struct cs_lengths *lengths, const struct cs_graph *graph,
                                    const struct cs_net *net, struct cs_arena *arena);

/* The blocks of a source times their distances[] by cell. */
double cs_demand_distances(const struct cs_demand *demand, uint32_t source,
                           const double *distances);

/* Sets amounts[] by cell to the blocks of a source. */
void cs_demand_amounts(const struct cs_demand *demand, uint32_t source, double *amounts);
