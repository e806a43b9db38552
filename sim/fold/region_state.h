/*
 * The state of regions, for their modules alone:
 *
 *     regions.c       finds the regions, runs them by turns
 *     ring_lanes.c  reads the lanes of the program
 *     region_run.c    a turn of a region, up to the first unknown arrival
 *     region_events.c pending events and arrivals
 *     region_cycle.c  the period of a region
 *     region_jump.c   jumps over periods
 *
 * A lane has one message in flight at most, with the number of the lane.  All regions
 * share the resources, links and messages of one traffic; the queue of events is that
 * of the region that runs.
 */
#ifndef CS_SIM_FOLD_REGION_STATE_H
#define CS_SIM_FOLD_REGION_STATE_H

#include "sim/base/collections/min_set.h"
#include "sim/base/err.h"
#include "sim/engine/exec_request.h"
#include "sim/engine/period.h"
#include "sim/fold/arrivals.h"
#include "sim/program/matching.h"

enum {
    REGION_EMITTED = 2 * CS_ARRIVALS_PERIOD,
    PATHS_OF_LANE = 3, /* the lane's, its message's, the last arrival's */
};

/* What a rank holds beside its vectors: early messages, and for a moment each message
 * that it sums. */
struct region_holder {
    uint64_t bytes;         /* early */
    uint64_t at_ps;         /* of the last arrival */
    uint64_t early, summed; /* bytes then: all of the first, the largest */
};

/* What never changes. */
struct ring_lane {
    uint32_t to, from;      /* the lanes that it sends to and receives from */
    uint32_t region, place; /* and its number there */
    uint32_t hops;
    const uint32_t *route;
    const struct cs_origin *origins; /* of a folded net; else NULL */
    uint64_t bytes;                  /* of each message */
    uint64_t latency_ps;             /* of the route */
    uint32_t inlet;                  /* CS_NONE: receives from its own region */
    uint32_t outlet;                 /* CS_NONE: sends to its own region */
};

/* A lane of a rank. */
struct region_lane {
    struct cs_path path;
    uint32_t round;   /* rounds begun */
    uint32_t early;   /* messages that arrived before their receive */
    uint32_t pending; /* ops of the round */
    bool receives;    /* the receive of the round has no message yet */
    bool flies;       /* the message of the round is in flight */
    bool lands;       /* and the time of its arrival is known */
};

/* Where messages of another region arrive. */
struct region_inlet {
    uint32_t lane;
    struct cs_arrivals arrivals;
    struct cs_path last; /* of those taken */
};

/* Messages to another region: the last ones. */
struct region_outlet {
    struct cs_path emitted[REGION_EMITTED]; /* by number */
    uint64_t count;
};

/* The growth in a period that is proven; the members by place in the region. */
struct region_cycle {
    bool is_valid; /* for the state of now */
    uint64_t period_ps;
    uint64_t waits;
    uint32_t *rounds;        /* by lane */
    struct cs_path *paths;   /* by lane x 3: lane, message, arrival */
    struct cs_link_use *use; /* by link */
};

struct region_list {
    uint32_t *at, count;
};

struct region {
    struct region_list lanes, links, resources, inlets;
    uint64_t clock_ps; /* all events before are over */
    struct cs_event *events;
    uint32_t event_count, event_room; /* while another region runs */
    uint32_t unfinished;              /* lanes */
    uint64_t behind_ps;               /* the clock, of what is known of arrivals */
    uint64_t period_ps;               /* of the last proof; 0: none, or refuted since */
    struct region_cycle cycle;
};

struct regions {
    const struct cs_program *program;
    const struct cs_net *net;
    uint32_t lane_count, each; /* lanes; of a rank */
    uint32_t rounds;           /* of every lane */
    uint32_t sums;             /* first rounds, with sums; the rest copies */
    struct ring_lane *fixed;
    struct region *region;
    uint32_t count, inlet_count;
    uint32_t lanes_max, links_max; /* of a region */
    bool goes_down;                /* most messages lead to regions of smaller numbers */
    /* Of a run. */
    struct cs_traffic traffic;
    const struct cs_link_model *model;
    struct cs_exec_result *result;
    struct region_lane *lanes;
    struct region_inlet *inlets;
    struct region_outlet *outlets;
    struct region_holder *holders; /* by party */
    uint64_t held_least;           /* the most that any party holds: by the */
    uint64_t held_most;            /* order of arrivals of one time */
    struct cs_min_set ready, batch;
    uint64_t horizon_ps; /* arrivals before are known to the region that runs */
    uint64_t jumped;     /* messages */
    uint64_t begun;      /* rounds, of all lanes */
    uint64_t behind_ps;  /* of all regions */
    uint32_t sweeps;     /* turns of all regions */
    bool gathers;        /* all regions stop two periods later */
    uint64_t loaded;     /* events, each time */
    /* For a period of the region that runs. */
    struct cs_period_search search;
    uint32_t search_round; /* of the first lane at the last test */
    uint64_t search_hashes[CS_ARRIVALS_PERIOD];
    uint64_t anchor_ps; /* time of the next shot, of a period that is known; or
                           UINT64_MAX */
};

/* Whether the lane has ended all rounds. */
static inline bool region_lane_is_done(const struct regions *regions, uint32_t lane)
{
    return regions->lanes[lane].round == regions->rounds && regions->lanes[lane].pending == 0;
}

#endif
