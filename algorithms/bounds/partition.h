/*
 * The partition of the ranks that binds an all-reduce most.
 *
 * With B(S) the bytes a second that can leave S, an all-reduce of V bytes on
 * ranks cut into S_1 .. S_m takes at least 2 (m-1) V / (B(S_1) + .. + B(S_m)),
 * because each group, taken as one rank, has to take part (algorithms/bounds/bound.h).
 * Found over all partitions by dynamic programming: the least sum of B over
 * partitions of a set into m groups, for every set and m.
 *
 * O(ranks 3^ranks) time, O(ranks 2^ranks) memory: for a few ranks.
 */
#ifndef CS_ALGORITHMS_BOUNDS_PARTITION_H
#define CS_ALGORITHMS_BOUNDS_PARTITION_H

#include "algorithms/bounds/mincut.h"

struct cs_partition {
    double seconds_per_byte; /* of V */
    uint32_t count;
    uint32_t sets[CS_MINCUT_RANKS_MAX]; /* bit sets of ranks */
};

/* rates_Bps as from cs_mincut_all; 2 <= ranks <= CS_MINCUT_RANKS_MAX. */
struct cs_partition cs_partition_worst(const double *rates_Bps, uint32_t ranks,
                                       struct cs_arena *arena);

#endif
