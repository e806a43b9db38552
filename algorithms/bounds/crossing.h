/*
 * Bytes that a collective has to move across the border of a set of ranks.
 *
 * With s of p ranks in the set: V in and V out in an all-reduce, (p-s)/p V in
 * and s/p V out in an all-gather, the reverse in a reduce-scatter,
 * s (p-s)/p V both in and out in an all-to-all; V where the root of a broadcast
 * or a reduction is on the other side.
 */
#ifndef CS_ALGORITHMS_BOUNDS_CROSSING_H
#define CS_ALGORITHMS_BOUNDS_CROSSING_H

#include "algorithms/collective.h"

#include <stdbool.h>
#include <stdint.h>

/* The collective, and V as in collective.h. */
struct cs_crossing_request {
    const struct cs_collective *collective;
    double vector_bytes;
    uint32_t ranks; /* p */
    /* Blocks are cut between elements, and lengths differ by up to an element;
     * 0: blocks are equal. */
    uint32_t element_bytes;
};

struct cs_crossing {
    double out_bytes;
    double in_bytes;
};

/* The least bytes across, for an arbitrary set of `inside` ranks. */
struct cs_crossing cs_crossing_of(const struct cs_crossing_request *request, uint32_t inside,
                                  bool has_root);

/* Every rank has, or is owed, a block: together V. */
bool cs_crossing_is_in_blocks(const struct cs_collective *collective);

#endif
