/*
 * Rates across the borders of groups of ranks, over the links of a network.
 *
 * What the flows (cuts.h) leave out: a server that several links share counts
 * once for all groups together, so that a bus on which every rank is a group
 * of its own has the rate of the bus and not that rate for each rank.
 */
#ifndef CS_ALGORITHMS_BOUNDS_GROUPS_H
#define CS_ALGORITHMS_BOUNDS_GROUPS_H

#include "algorithms/bounds/islands.h"
#include "sim/net/net.h"

/* A reader of one network; memory in the arena. */
struct cs_groups {
    const struct cs_net *net;
    uint32_t *counted; /* server -> stamp of the sum that it is part of */
    double *rate_Bps;  /* server -> share of that sum; >= 0 */
    uint32_t stamp;
};

struct cs_groups cs_groups_of(const struct cs_net *net, struct cs_arena *arena);

/* The links of a group that count, a set of bits. */
enum cs_groups_side {
    CS_GROUPS_OUT = 1,
    CS_GROUPS_IN = 2,
    CS_GROUPS_BOTH = 3
};

enum {
    CS_GROUPS_ALL = CS_NO_ISLAND /* as a group: all groups together */
};

/* The capacity of a set of links: the servers' rates, each server once at the
 * rate of the quickest link. */
struct cs_groups_capacity {
    double rate_Bps;
    uint64_t latency_ps; /* least of the links */
};

/* O(links); where all groups count together, one link for all equal links of
 * identical hosts. */
struct cs_groups_capacity cs_groups_capacity(struct cs_groups *groups,
                                             const struct cs_islands *islands,
                                             uint32_t group,
                                             enum cs_groups_side side);

/* Whether some link leads from one group straight into another. */
bool cs_groups_touch(const struct cs_groups *groups,
                     const struct cs_islands *islands);

#endif
