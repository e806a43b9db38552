/*
 * The state of regions, for regions.c, which finds the regions and runs them by turns,
 * and for their parts, at the end of this header.
 *
 * A lane has one message in flight at most, with the number of the lane.  All regions
 * share the resources, links and messages of one traffic; the queue of events is that
 * of the region that runs.
 */
#pragma once

#include "sim/base/collections/min_set.h"
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

/* What never changes.  A round receives up to round `receives`, and sends from round
 * `idle` on: a ring does both in all rounds, a line as in struct cs_program. */
struct ring_lane {
    uint32_t to, from; /* the lanes that it sends to and receives from; CS_NONE: none */
    uint32_t rounds, idle, receives;
    uint32_t sums;          /* first rounds whose messages are summed; the rest are copies */
    uint32_t region, place; /* and its number there */
    uint32_t hops;
    const uint32_t *route;
    const struct cs_origin *origins; /* of a folded net; else NULL */
    uint64_t bytes;                  /* of each message, the first `longer` of which */
    uint64_t more;                   /* have so many bytes more */
    uint32_t longer;
    uint64_t latency_ps; /* of the route */
    uint64_t begins_ps;  /* no message arrives sooner: the latencies from the start of the line */
    uint32_t inlet;      /* CS_NONE: receives from its own region */
    uint32_t outlet;     /* CS_NONE: sends to its own region */
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
    bool starts;                      /* a lane sends before a message arrives */
    uint64_t draws;                   /* of a run to its end: as in struct regions */
    uint64_t behind_ps;               /* the clock, of what is known of arrivals */
    uint64_t period_ps;               /* of the last proof; 0: none, or refuted since */
    struct region_cycle cycle;
};

struct regions {
    const struct cs_program *program;
    const struct cs_net *net;
    uint32_t lane_count, each; /* lanes; of a rank */
    uint64_t rounds, messages; /* of all lanes */
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
    uint64_t draws;      /* hash of the differences of paths of one time, of which parts decide */
    uint64_t held_least; /* the most that any party holds: by the */
    uint64_t held_most;  /* order of arrivals of one time */
    struct cs_min_set ready, batch;
    uint64_t horizon_ps; /* arrivals before are known to the region that runs */
    uint64_t jumped;     /* messages */
    uint64_t begun;      /* rounds, of all lanes */
    uint64_t behind_ps;  /* of all regions */
    uint32_t sweeps;     /* turns of all regions */
    bool gathers;        /* all regions stop two periods later */
    /* Regions that start nothing wait until all their arrivals are known (region_image.c). */
    bool waits;
    struct region *last, *last_but_one; /* of them, with all their arrivals; or NULL */
    bool last_is_like;                  /* the one before */
    uint64_t last_waits;                /* messages of the last one that waited */
    uint32_t *link_images, *resource_images;
    uint64_t loaded; /* events, each time */
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
    return regions->lanes[lane].round == regions->fixed[lane].rounds &&
           regions->lanes[lane].pending == 0;
}

/* Bytes of the message with that number. */
static inline uint64_t ring_lane_bytes(const struct ring_lane *lane, uint32_t number)
{
    return lane->bytes + (number < lane->longer ? lane->more : 0);
}

/* ring_lanes.c: neighbours, routes and sizes of the lanes of a program of rings or lines. */

/* Reads the lanes of regions->program; false where one of them is none, or where sizes
 * differ other than by first messages that are longer.  `*checked`: rounds compared. */
bool cs_ring_lanes_read(struct regions *regions, uint64_t seed, uint64_t *checked,
                        struct cs_arena *arena);

/* region_run.c: a turn of a region: its events, in the order of the executor
 * (sim/engine/round.h), up to the horizon, the least time at which an arrival may come that
 * is not known yet.  Events at the horizon itself are left for the next turn, so that rounds
 * begin after all arrivals of their time.
 *
 *     O(events of the turn + lanes and links of the region) */

/* Simulates the region up to the horizon; false: there was no event before it. */
bool cs_region_run(struct regions *regions, struct region *region);

/* All arrivals before are known. */
uint64_t cs_region_known_until_ps(const struct regions *regions, const struct region *region);

/* Notes the end of a lane, whose rounds are over. */
void cs_region_end_lane(struct regions *regions, uint32_t lane);

/* region_image.c: regions that do what the one before has done, some time later.  A line passes
 * nodes that are equal one after the other, and a region in which every lane begins with a receive
 * depends on its arrivals alone.  Where these are the arrivals of the region before, all later by
 * one time, so are all its events, and each path leads on from the same arrival; where each arrival
 * has grown, part by part, as the one before it had, so has each path.  Such a region is not
 * simulated, even where its rounds repeat nothing.
 *
 *     O(lanes x hops + runs of arrivals) for each such region */

/* Simulates or copies the region, or lets it wait; false: nothing happened. */
bool cs_region_take_turn(struct regions *regions, struct region *region);

/* region_events.c: the events of the region that runs.  Arrivals from other regions are no
 * state of the region: the next of each inlet has an event while the region runs. */

/* Pending events and expected arrivals: into the queue at the time of the region; out of
 * the queue, behind `first` (or NULL), at the time of the queue. */
void cs_region_load(struct regions *regions, const struct region *region);
void cs_region_save(struct regions *regions, struct region *region, const struct cs_event *first);

/* Adds an event for the next arrival; or ends what is known where it may come. */
void cs_region_expect(struct regions *regions, struct region_inlet *inlet);

/* No message of the lane that is unknown so far arrives sooner. */
uint64_t cs_region_soonest_ps(const struct regions *regions, uint32_t lane);

/* region_cycle.c: the period of a region: found by a hash of the state at rounds of its
 * first lane, proven by three equal states a period apart with equal growth of rounds and
 * paths, as for whole runs (sim/engine/repeat.h).
 *
 * A known period is proven again in each turn, from its first state on: the cycle then stays
 * valid from turn to turn where the region stops at the end of a period.
 *
 *     search   O(lanes of the region) for each round of its first lane, and a shot of each
 *              candidate; failures double the pause to the next */

/* Begins a search for the period of the region that runs. */
void cs_region_begin_search(struct regions *regions, struct region *region);

/* After the rounds of a time: jumps, if a period is proven. */
void cs_region_search(struct regions *regions, struct region *region);

/* At the anchor, the time of a shot of a known period, before the events of that time,
 * of which `next` (or NULL) is the first: whether the cycle is valid.  The events are
 * saved. */
bool cs_region_prove(struct regions *regions, struct region *region, const struct cs_event *next);

/* region_jump.c: jumps over periods.  A jump goes as far as every lane has rounds of the same
 * kind, and every arrival from another region is that of the period before, later by the
 * length of a period.  Where this holds for all regions, with one period and with the arrivals
 * that they still send each other, all jump together: arrivals of the future are then those of
 * the period before by induction over time.
 *
 *     jump   O(lanes + links + pending events), whatever the number of periods */

/* Jumps over periods of the valid cycle of a region whose events are saved; false where
 * there are none. */
bool cs_region_jump(struct regions *regions, struct region *region);

/* Jumps over as many periods as all regions have rounds for, where the cycles of all
 * are valid and continue each other; else false. */
bool cs_regions_jump(struct regions *regions);
