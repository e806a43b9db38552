/*
 * The blocks that a pattern of pairs moves between cells (lengths.h).
 *
 * A source is a cell with ranks.  In merged hosts the first host's cells are
 * the sources, and send the blocks of all hosts: an exchange of hosts maps
 * routes onto routes of equal length, where equal resources have equal prices.
 */
#ifndef CS_ALGORITHMS_BOUNDS_RATES_DEMAND_H
#define CS_ALGORITHMS_BOUNDS_RATES_DEMAND_H

#include "algorithms/bounds/rates/lengths.h"
#include "sim/net/net.h"

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

#endif
