/*
 * The state of the solver of max-min rates, shared by the files of the solver
 * only:
 *
 *     maxmin.c          flows are added and removed
 *     maxmin_solve.c    resources are settled, lowest level first
 *     maxmin_fill.c     all rates anew, where settling takes too long
 *     maxmin_holders.c  flows change their holder
 *     maxmin_groups.c   groups of flows, by resource and holder
 */
#pragma once

#include "sim/models/fluid/maxmin_problem.h"

enum {
    CS_MAXMIN_NONE = UINT32_MAX,
    CS_MAXMIN_SUMS_MAX = 256, /* sums into a running sum until it is summed anew */
    CS_MAXMIN_ROOM = 64,      /* initial size of arrays */
};

/* A flow of a resource, and the number of the share of the flow. */
struct maxmin_member {
    uint32_t flow;
    uint32_t share;
};

/* A resource or, with higher numbers, a limit: a holder of flows that no resource
 * holds back. */
struct cs_maxmin_resource {
    double capacity_Bps; /* INFINITY: a limit */
    double level_Bps;    /* as propagated to other resources */
    double taken_Bps;    /* by flows with another holder */
    double fastest_Bps;  /* an upper bound of the levels of these */
    double weight;       /* of all flows except free flows */
    uint32_t flows;      /* except free flows */
    uint32_t sums;
    uint32_t row, column; /* lists of groups: at the resource, held by the resource */
    uint32_t own;         /* the group in both lists, or CS_MAXMIN_NONE */
    bool changed;
    /* All flows take part in solving, as the resource is saturated. */
    bool joined;
    uint64_t demand;
    struct maxmin_member *members;
    uint32_t count, room;
    uint32_t last_share; /* of the flow with the number last_added */
    uint64_t last_added;
};

struct cs_maxmin_share {
    double weight;
    uint32_t resource;
    uint32_t member; /* index in the resource's members */
    uint32_t demand;
    uint32_t group;
    uint32_t before, after; /* shares of the same group */
};

enum maxmin_flow_state {
    FREE,
    FRESH, /* without a rate until the next solve */
    HELD,
};

struct cs_maxmin_flow {
    double limit_Bps;
    uint32_t shares; /* of resources; the share of the limit follows */
    uint32_t holder;
    uint32_t fresh; /* index in the list of fresh flows */
    uint8_t state;  /* enum maxmin_flow_state */
    bool moved;
};

/* Flows that cross `at` and are held by `by`. */
struct cs_maxmin_group {
    uint32_t at, by;
    uint32_t first; /* share */
    uint32_t count;
    double weight;
    double most; /* weight since it was summed anew */
    uint32_t sums;
    uint32_t row_before, row_after;
    uint32_t column_before, column_after;
    uint32_t chain; /* in the same bucket, or in the list of unused groups */
};

/*
 * A resource's demand, all of its flows at their limits, is counted in whole
 * parts of the capacity so that adding and removing flows leaves no remainder.
 * So many parts that halves, thirds, ... sixteenths of the capacity are whole.
 */
#define CS_MAXMIN_WHOLE UINT64_C(2952069120) /* 4096 * lcm(1..16) */

static inline struct cs_maxmin_share *maxmin_shares_of(const struct cs_maxmin *maxmin,
                                                       uint32_t flow)
{
    return &maxmin->shares[(size_t)flow * maxmin->stride];
}

/* Can the resource carry all of its flows at their limits? */
static inline bool maxmin_is_unsaturated(const struct cs_maxmin_resource *resource)
{
    return resource->demand <= CS_MAXMIN_WHOLE;
}

/* Levels that differ by less than this part are equal: more than rounding
 * causes where a resource's flows are of like weight. */
#define CS_MAXMIN_SLACK 1e-12

/* A level above this one differs by more than rounding. */
static inline double maxmin_above(double level_Bps)
{
    return level_Bps * (1 + CS_MAXMIN_SLACK);
}

/* A change of level below this need not be propagated, and a limit is not passed by
 * less: much smaller than the slack, so that the two rarely alternate. */
static inline double maxmin_near(double level_Bps)
{
    return level_Bps * CS_MAXMIN_SLACK / 100;
}

static inline bool maxmin_is_limit(const struct cs_maxmin *maxmin, uint32_t holder)
{
    return holder >= maxmin->resource_count;
}

/*
 * Flows change their holder, and resources become stale: whose level must be
 * computed again.
 *
 * Each call is O(resources of the flow), and O(log stale) for each resource that
 * becomes stale.
 */

/* The level of the flows that the resource holds, and their weight; 0 or less:
 * other flows take all of the capacity.  INFINITY if the resource holds no
 * flow. */
double cs_maxmin_own_level(const struct cs_maxmin *maxmin, uint32_t id, double *weight);

/* Sums anew what flows of other holders take of the resource. */
void cs_maxmin_sum(struct cs_maxmin *maxmin, uint32_t id);

/* Other flows take `more_Bps` more of the resource, at level_Bps each. */
void cs_maxmin_take(struct cs_maxmin *maxmin, uint32_t id, double more_Bps, double level_Bps);

/* A flow takes part in solving, first held by its limit; or no longer does. */
void cs_maxmin_engage(struct cs_maxmin *maxmin, uint32_t number);
void cs_maxmin_disengage(struct cs_maxmin *maxmin, uint32_t number);

/* Another resource or limit holds the flow. */
void cs_maxmin_change_holder(struct cs_maxmin *maxmin, uint32_t number, uint32_t holder);

/* The flow is listed in `moved`, once. */
void cs_maxmin_note_moved(struct cs_maxmin *maxmin, uint32_t number);
