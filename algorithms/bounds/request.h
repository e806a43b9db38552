/*
 * The question and the answer of a lower bound (bound.h), and the limits of the
 * search.
 */
#pragma once

#include "algorithms/collective.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_BOUND_ARCS = 1 << 17,
    CS_BOUND_PARTITION_RANKS = 1024,
};

struct cs_partitions; /* partitions.h */

struct cs_bound {
    double time_s;
    const char *why; /* the argument, for people; in the arena */
};

/* Of algorithms with the agents of the graph, and of algorithms that use all
 * reductions in the network of which the machine's switches are capable. */
struct cs_bounds {
    struct cs_bound own, machine;
};

/* The collective, and V as in collective.h. */
struct cs_bound_request {
    const struct cs_collective *collective;
    double vector_bytes;
    uint32_t root;
    /* Blocks are cut between elements, and lengths differ by up to an element;
     * 0: blocks are equal. */
    uint32_t element_bytes;
    /* The network model shares ports alone: no cut inside binds. */
    bool ports_only;
    /* Of the machine, kept for further bounds; NULL: none are kept. */
    struct cs_partitions *partitions;
};
