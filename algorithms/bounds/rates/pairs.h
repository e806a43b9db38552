/*
 * The bound of an all-to-all, or of blocks between given pairs of ranks:
 * concurrent flow.
 *
 * Arbitrary prices y of the resources (lengths.h) give a true bound, because a
 * block from s to t occupies resources worth at least the distance from s to t:
 *
 *     T  >=  block bytes x sum of distances over pairs / sum of prices
 *
 * and the greatest of the bounds is the time of the best routing, with blocks
 * split among routes at will (duality of maximum concurrent flow; Shahrokhi and
 * Matula, JACM 37(2), 1990).  Prices on the wires of a cut give the bound of
 * the cut.  For up to CS_PAIRS_ROWS resources and sources, counted once in
 * merged hosts, column generation (master.h) finds the best prices; of a shift
 * with up to CS_PAIRS_FEW sources, for up to CS_PAIRS_FEW_ROWS.  On larger
 * machines simple prices are tried: equal lengths of arcs, the best in meshes
 * and tori, equal prices, equal prices next to the ranks, and equal lengths of the
 * arcs of one tier, by steps from the nearest rank: the uplinks of a fat tree.
 */
#pragma once

#include "algorithms/bounds/rates/demand.h"

enum {
    CS_PAIRS_ROWS = 256,
    CS_PAIRS_FEW = 16,
    CS_PAIRS_FEW_ROWS = 1024,
};

struct cs_pairs {
    double seconds_per_byte; /* of a block from rank to rank */
    double latency_s;        /* least of the resources with a price, still to
                            pass after the last byte */
    const double *price;     /* by resource */
    bool is_exact;
};

/* Memory in the arena. */
struct cs_pairs cs_pairs_of(const struct cs_demand *demand, struct cs_arena *arena);
