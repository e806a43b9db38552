/*
 * Searches on a machine, kept: the strength of a network (strength.h), its narrowest
 * cuts (cuts.h) and the best prices of a shift (pairs.h) depend on the machine and on its
 * ranks, on no vector, so that one search serves the lower bounds of all sizes.
 *
 *     find    the first time as cs_strength_of; then O(ranks)
 *     cut     the first time as the search; then O(ranks)
 *     shift   the first time as cs_pairs_of; then O(ranks)
 */
#pragma once

#include "algorithms/bounds/cuts.h"
#include "algorithms/bounds/rates/cells.h"
#include "sim/net/net.h"

struct cs_partitions;

struct cs_partition {
    uint32_t groups;     /* as in struct cs_strength */
    double rate_Bps;     /* of all groups */
    uint64_t latency_ps; /* least of the crossing wires */
    const char *why;     /* the argument, for people; NULL: fewer than two groups */
};

/* A cut that a search found. */
struct cs_found_cut {
    double rate_Bps;
    uint64_t latency_ps;
    uint32_t ranks;  /* inside */
    bool has_root;   /* inside */
    const char *why; /* the argument, for people; NULL: no set qualifies */
};

/* The least time of V bytes from each rank to the next. */
struct cs_shift {
    double seconds_per_byte;
    double latency_s;
    const char *why;
};

/* An empty set, in the arena of the machine. */
struct cs_partitions *cs_partitions_new(struct cs_arena *arena);

/*
 * The partition that limits an all-reduce most; no groups where the network has
 * more than CS_BOUND_PARTITION_RANKS cells of ranks.  The graph must be that of the
 * machine, with ranks of any order and number; cells with the host of device
 * `apart` apart.  The text lives as long as the set.
 */
struct cs_partition cs_partitions_find(struct cs_partitions *partitions,
                                       const struct cs_graph *graph, const struct cs_cells *cells,
                                       uint32_t apart, enum cs_cut_direction direction);

/* The cut that the search finds, of the same graph and cells; `root` is apart, and the root of
 * the search.  The text lives as long as the set. */
struct cs_found_cut cs_partitions_cut(struct cs_partitions *partitions,
                                      const struct cs_graph *graph, const struct cs_cells *cells,
                                      uint32_t root, enum cs_cut_direction direction,
                                      cs_cut_search *search);

/* The bound of a shift of the network's ranks, in order; up to CS_PAIRS_FEW ranks
 * with the best prices.  The graph must be that of the machine. */
struct cs_shift cs_partitions_shift(struct cs_partitions *partitions, const struct cs_graph *graph,
                                    const struct cs_net *net);
