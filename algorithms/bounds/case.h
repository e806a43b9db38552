/*
 * The question of a lower bound, and the greatest bound up to now, shared by
 * the arguments of bound.h.
 */
#ifndef CS_ALGORITHMS_BOUNDS_CASE_H
#define CS_ALGORITHMS_BOUNDS_CASE_H

#include "algorithms/bounds/crossing.h"
#include "algorithms/bounds/groups.h"
#include "algorithms/bounds/network.h"
#include "algorithms/bounds/request.h"

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

#endif
