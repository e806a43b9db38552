/*
 * The bound of an all-to-all: concurrent flow between all pairs of ranks.
 *
 * Any prices y of the resources (lengths.h) give a true bound, because a block
 * from s to t occupies resources worth at least the distance between the two:
 *
 *     T  >=  block bytes x sum of distances of all pairs / sum of prices
 *
 * and the greatest of these bounds is the time of the best routing, with blocks
 * split among routes at will (duality of maximum concurrent flow; Shahrokhi and
 * Matula, JACM 37(2), 1990).  Prices of a cut give the bound of the cut.  For
 * machines whose resources and sources, equal ones taken once, are up to
 * CS_PAIRS_ROWS the best prices are found exactly, by column generation
 * (master.h).  For larger ones two prices are tried: equal lengths of all arcs,
 * which bind in meshes and tori, and equal prices.
 */
#ifndef CS_ALGORITHMS_BOUNDS_PAIRS_H
#define CS_ALGORITHMS_BOUNDS_PAIRS_H

#include "algorithms/bounds/lengths.h"

enum {
    CS_PAIRS_ROWS = 256
};

struct cs_pairs {
    double seconds_per_byte; /* of a block from one rank to one other */
    double latency_s;        /* least of the resources with a price: after the
                            last byte has occupied one */
    const double *price;     /* of each resource */
    bool is_exact;
};

/* Memory in the arena. */
struct cs_pairs cs_pairs_of(const struct cs_lengths *lengths,
                            struct cs_arena *arena);

#endif
