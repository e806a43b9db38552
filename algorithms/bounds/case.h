/*
 * The question of a lower bound, and the greatest bound up to now, shared by
 * the arguments of bound.h.
 */
#pragma once

#include "algorithms/bounds/islands.h"
#include "algorithms/bounds/network.h"
#include "algorithms/bounds/rates/pairs.h"
#include "algorithms/bounds/request.h"
#include "algorithms/bounds/strength.h"
#include "algorithms/collective.h"
#include "sim/net/net.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes that a collective has to move across the border of a set of ranks.
 *
 * With s of p ranks in the set: V in and V out in an all-reduce, (p-s)/p V in
 * and s/p V out in an all-gather, the reverse in a reduce-scatter,
 * s (p-s)/p V both in and out in an all-to-all; V where the root of a broadcast
 * or a reduction is on the other side.
 */

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

/*
 * Rates across the borders of groups of ranks, over the links of a network.
 *
 * Flows (cuts.h) count a shared server for each group; here a server counts
 * once for the groups together.  A bus with a group for every rank then has the
 * rate of the bus and not a multiple.
 */

/* A reader of a network; memory in the arena. */
struct cs_groups {
    const struct cs_net *net;
    uint32_t *counted; /* server -> stamp of the latest sum with the server */
    double *rate_Bps;  /* server -> rate in the latest sum; >= 0 */
    uint32_t stamp;
    const uint32_t *first; /* group -> first of its links in `links`, by cs_groups_sort */
    const uint32_t *links;
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

/* Finds the links that leave or enter each group. O(links); memory in the arena. */
void cs_groups_sort(struct cs_groups *groups, const struct cs_islands *islands,
                    struct cs_arena *arena);

/* O(links of the group), of islands that were sorted; for the groups together O(links), where
 * equal links of identical hosts are visited once. */
struct cs_groups_capacity cs_groups_capacity(struct cs_groups *groups,
                                             const struct cs_islands *islands, uint32_t group,
                                             enum cs_groups_side side);

/* Whether a link leads straight from group to group. */
bool cs_groups_touch(const struct cs_groups *groups, const struct cs_islands *islands);

struct cs_bound_case {
    const struct cs_graph *graph;
    const struct cs_net *net;
    const struct cs_bound_request *request;
    struct cs_crossing_request crossing;
    struct cs_arena *arena;  /* of reasons */
    struct cs_arena scratch; /* of intermediate results */
    uint32_t root;           /* the rank of the graph where the root is placed */
    struct cs_groups groups;
    struct cs_cells cells; /* set by flows: the root's host apart */
    struct cs_network_traits traits;
    bool has_flows; /* the machine is small enough for flows */
    /* Switches and buses, not agents of the graph, that can reduce or copy. */
    const uint32_t *reducers;
    uint32_t reducer_count;
    bool excludes_reducers; /* bounds offered now hold without them alone */
    struct cs_bounds best;
};

enum {
    CS_BOUND_LINKS_MAX = 1 << 20 /* visited singly */
};

static inline bool cs_bound_is_vast(const struct cs_bound_case *of)
{
    return of->net->link_count > CS_BOUND_LINKS_MAX;
}

/* By more than rounding: of equal bounds the first argument stays. */
static inline bool cs_bound_raises(const struct cs_bound *best, double time_s)
{
    return time_s > best->time_s * (1 + 1e-12);
}

static inline bool cs_bound_is_higher(const struct cs_bound_case *of, double time_s)
{
    return cs_bound_raises(of->excludes_reducers ? &of->best.own : &of->best.machine, time_s);
}

static inline void cs_bound_offer(struct cs_bound_case *of, double time_s, const char *why)
{
    if (cs_bound_raises(&of->best.own, time_s))
        of->best.own = (struct cs_bound){time_s, why};
    if (!of->excludes_reducers && cs_bound_raises(&of->best.machine, time_s))
        of->best.machine = (struct cs_bound){time_s, why};
}

/* The time of bytes through a border of a rate and a least latency. */
static inline double cs_bound_seconds(double bytes, double rate_Bps, uint64_t latency_ps)
{
    if (rate_Bps <= 0 || bytes <= 0)
        return 0;
    return bytes / rate_Bps + (double)latency_ps * 1e-12;
}

/*
 * Bounds from maximum flows: the cut, the partition or the routes that bind the
 * collective most (cuts.h, strength.h, pairs.h).
 */

/* Sets of->cells, of->traits and of->has_flows.  The limits of bound.h hold. */
void cs_flow_bounds(struct cs_bound_case *of);

/* Cuts of an all-reduce with reductions in the network, where the bounds up to now
 * hold without them alone.  Needs cs_flow_bounds before. */
void cs_flow_bounds_with_reducers(struct cs_bound_case *of);

/* Whether cuts around groups of ranks can bind: in an all-to-all, as the prices
 * tried on large machines may miss the cut between two nodes.  Needs
 * cs_flow_bounds before. */
static inline bool cs_flow_bound_wants_groups(const struct cs_bound_case *of)
{
    return of->has_flows && of->request->collective->after == CS_TRANSPOSED;
}

/* The narrowest cut around the ranks inside (by rank), where groups are
 * wanted. */
void cs_flow_bound_around(struct cs_bound_case *of, const bool *is_inside);

/*
 * Texts of bounds: which ranks a cut separates, and which wires cross.
 *
 *     links from gpu0 gpu1 to gpu2 gpu3 (1 x 9.6 GB/s upi)
 *     links into gpu5 (2 x 50 GB/s xgmi x2 + 25.6 GB/s pcie4 x16 = 125.6 GB/s)
 *
 * Texts are in the arena, and never long: of many ranks or kinds of wires the
 * first are named.
 */

const char *cs_why_cut(const struct cs_network *network, const struct cs_flow_cut *cut,
                       struct cs_arena *arena);

const char *cs_why_partition(const struct cs_network *network, const struct cs_strength *strength,
                             struct cs_arena *arena);

/* The resources that are dear to the routes of the pairs. */
const char *cs_why_pairs(const struct cs_graph *graph, const struct cs_demand *demand,
                         const struct cs_pairs *bound, struct cs_arena *arena);

/* "the ranks' own links", with the links of a rank, "(240 GB/s nvlink3 x12 +
 * 24 GB/s pcie4 x16 = 264 GB/s)", or, where ranks differ, the least and the most
 * of their rates, "(24 GB/s to 48 GB/s)". */
const char *cs_why_own_links(const struct cs_graph *graph, struct cs_arena *arena);
