/*
 * What the solver of max-min rates keeps: for its own files only.
 */
#ifndef CS_SIM_MODELS_FLUID_MAXMIN_STATE_H
#define CS_SIM_MODELS_FLUID_MAXMIN_STATE_H

#include "sim/models/fluid/maxmin.h"

enum {
    CS_MAXMIN_NONE = UINT32_MAX,
    CS_MAXMIN_ROOM = 64, /* at first */
};

/* A flow of a server, and which of the flow's shares it is. */
struct member {
    uint32_t flow;
    uint32_t share;
};

/* A server or, after those, a limit: a server of its own for each flow. */
struct cs_maxmin_resource {
    double capacity_Bps; /* INFINITY: a limit */
    double level_Bps;    /* that others were told */
    double taken_Bps;    /* by flows that others hold */
    double fastest_Bps;  /* none of these is above */
    double weight;       /* of all flows that are not free */
    uint32_t flows;      /* that are not free */
    uint32_t sums;
    uint32_t row, column; /* lists of groups: at it, held by it */
    uint32_t own;         /* the group that is in both, or CS_MAXMIN_NONE */
    bool changed;
    bool joined; /* all of its flows have been told that it is not roomy */
    uint64_t demand;
    struct member *members;
    uint32_t count, room;
    uint32_t last_share; /* of the flow that was added as number... */
    uint64_t last_added;
};

struct cs_maxmin_share {
    double weight;
    uint32_t resource;
    uint32_t member; /* index in the server's members */
    uint32_t demand;
    uint32_t group;
    uint32_t before, after; /* shares of the same group */
};

enum state {
    FREE,
    FRESH, /* waits for being solved */
    HELD,
};

struct cs_maxmin_flow {
    double limit_Bps;
    uint32_t shares; /* of servers; that of its limit follows them */
    uint32_t holder;
    uint32_t fresh; /* index in the list of those */
    uint8_t state;  /* enum state */
    bool moved;
};

/* Flows that cross `at` and are held by `by`. */
struct cs_maxmin_group {
    uint32_t at, by;
    uint32_t first; /* share */
    uint32_t count;
    double weight;
    uint32_t row_before, row_after;
    uint32_t column_before, column_after;
    uint32_t chain; /* in the same bucket, or of those unused */
};

/* The holder of flows with that limit, which is made if there is none.  O(1)
 * expected. */
uint32_t cs_maxmin_limit_holder(struct cs_maxmin *maxmin, double limit_Bps);

/* The group of flows that cross `at` and are held by `by`, or CS_MAXMIN_NONE;
 * a new one, which is empty; and gives one back that is.  O(1) expected. */
uint32_t cs_maxmin_find_group(const struct cs_maxmin *maxmin, uint32_t at,
                              uint32_t by);
uint32_t cs_maxmin_new_group(struct cs_maxmin *maxmin, uint32_t at,
                             uint32_t by);
void cs_maxmin_drop_group(struct cs_maxmin *maxmin, uint32_t number);

#endif
