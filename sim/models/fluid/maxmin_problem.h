/*
 * A max-min problem: resources, flows and groups, with the work that is left for the
 * solver.  Callers hold the struct and use maxmin.h.
 */
#pragma once

#include "sim/base/collections/heap.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_MAXMIN_FREE = UINT32_MAX
};

/* A resource on the route of a flow. */
struct cs_maxmin_use {
    uint32_t resource;
    double weight;
};

struct cs_maxmin_resource;
struct cs_maxmin_share;
struct cs_maxmin_flow;
struct cs_maxmin_group;

/* Where groups are found. */
struct cs_maxmin_tables {
    uint32_t group_count, group_room, unused_group;
    uint32_t *group_buckets; /* a hash table by resource and holder */
    uint32_t *limit_buckets; /* a hash table by limit, twice holder_room */
};

/* Changed by the last solve: holders of flows, levels of holders. */
struct cs_maxmin_changes {
    uint32_t *moved;
    uint32_t moved_count;
    uint32_t *changed;
    uint32_t changed_count;
};

struct cs_monitor; /* sim/engine/progress.h */

struct cs_maxmin {
    struct cs_maxmin_resource *resources; /* followed by the limits */
    uint32_t resource_count, holder_count, holder_room;
    struct cs_maxmin_flow *flows;
    struct cs_maxmin_share *shares; /* of each flow, `stride` apart */
    uint32_t flow_room, stride;
    struct cs_maxmin_group *groups;
    struct cs_maxmin_tables by;
    uint64_t added;  /* flows, so far */
    uint32_t *fresh; /* flows without a rate */
    uint32_t fresh_count;
    struct cs_heap stale; /* resources to settle, by their estimated level */
    /* Groups that a resource may take over, fastest first. */
    struct cs_heap above;
    /* Times that each holder is settled, on average, until all rates are
     * filled anew. */
    uint32_t visits_max;
    uint64_t looked; /* times a resource was settled, so far */
    uint64_t filled; /* times that all rates were filled anew */
    struct cs_maxmin_changes last;
    const struct cs_monitor *monitor; /* of the caller, asked while solving; NULL: none */
};
