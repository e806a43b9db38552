/*
 * Rates across the borders of groups of ranks, over the links of a network.
 *
 * Flows (cuts.h) count a shared server for each group; here a server counts
 * once for the groups together.  A bus with a group for every rank then has the
 * rate of the bus and not a multiple.
 */
#ifndef CS_ALGORITHMS_BOUNDS_GROUPS_H
#define CS_ALGORITHMS_BOUNDS_GROUPS_H

#include "algorithms/bounds/islands.h"
#include "sim/net/net.h"

/* A reader of a network; memory in the arena. */
struct cs_groups {
    const struct cs_net *net;
    uint32_t *counted; /* server -> stamp of the latest sum with the server */
    double *rate_Bps;  /* server -> rate in the latest sum; >= 0 */
    uint32_t stamp;
};

struct cs_groups cs_groups_of(const struct cs_net *net, struct cs_arena *arena);

/* The links of a group to be counted, a set of bits. */
enum cs_groups_side {
    CS_GROUPS_OUT = 1,
    CS_GROUPS_IN = 2,
    CS_GROUPS_BOTH = 3
};

enum {
    CS_GROUPS_ALL = CS_NO_ISLAND /* as a group: the groups together */
};

/* The capacity of a set of links: every server once, at the rate of the
 * quickest link. */
struct cs_groups_capacity {
    double rate_Bps;
    uint64_t latency_ps; /* least of the links */
};

/* O(links); for the groups together, equal links of identical hosts are visited
 * once. */
struct cs_groups_capacity cs_groups_capacity(struct cs_groups *groups,
                                             const struct cs_islands *islands, uint32_t group,
                                             enum cs_groups_side side);

/* Whether a link leads straight from group to group. */
bool cs_groups_touch(const struct cs_groups *groups, const struct cs_islands *islands);

#endif
