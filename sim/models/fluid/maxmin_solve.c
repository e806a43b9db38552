#include "sim/engine/progress.h"
#include "sim/models/fluid/maxmin.h"
#include "sim/models/fluid/maxmin_state.h"

#include <math.h>
#include <stdlib.h>

enum {
    VISITS_WATCHED = 16 /* visits between questions to the monitor; each may take 1 ms */
};

/*
 * Max-min fair rates by progressive filling: the rates of all flows from the
 * start, whatever the rates were.
 *
 * All flows go faster together, until a resource is saturated or flows are at
 * their limit; these flows have their rate, and the rest goes on (Bertsekas,
 * Gallager, Data Networks, 6.5.2).  Each round gives a rate to a flow or more,
 * so that the rounds are at most the flows, in exact numbers and in rounded
 * ones.  Levels never fall from round to round, which rounding could do.
 *
 *     fill   O(rounds x flows x route) at most; usually a few passes over
 *            the shares of flows
 */

/* What filling finds, until it is applied. */
struct filling {
    const struct cs_maxmin *maxmin;
    uint32_t *holder;      /* by flow; CS_MAXMIN_NONE: no rate so far */
    double *level_Bps;     /* by holder */
    struct cs_heap rising; /* holders by a level that they reach or exceed */
    double reached_Bps;    /* by the last round */
};

/* The level at which the holder is saturated if all flows without a rate go
 * equally fast; INFINITY without such flows.  Summed anew: a running sum would
 * keep the rounding errors of weights that were subtracted. */
static double filling_level_Bps(const struct filling *filling, uint32_t id)
{
    const struct cs_maxmin *maxmin = filling->maxmin;
    const struct cs_maxmin_resource *resource = &maxmin->resources[id];
    double taken_Bps = 0;
    double weight = 0;
    uint32_t i;

    for (uint32_t g = resource->row; g != CS_MAXMIN_NONE; g = maxmin->groups[g].row_after)
        for (i = maxmin->groups[g].first; i != CS_MAXMIN_NONE; i = maxmin->shares[i].after) {
            uint32_t by = filling->holder[i / maxmin->stride];

            if (by == CS_MAXMIN_NONE)
                weight += maxmin->shares[i].weight;
            else
                taken_Bps += maxmin->shares[i].weight * filling->level_Bps[by];
        }
    if (weight <= 0)
        return (double)INFINITY;
    if (maxmin_is_limit(maxmin, id))
        return resource->level_Bps;
    return fmax((resource->capacity_Bps - taken_Bps) / weight, filling->reached_Bps);
}

static void filling_add(struct filling *filling, uint32_t id, double level_Bps)
{
    if (level_Bps < (double)INFINITY)
        cs_heap_add(&filling->rising,
                    (struct cs_heap_item){.key = cs_heap_key(level_Bps), .tie = id, .number = id});
}

/* The flows of the holder that have no rate so far go at this level. */
static void filling_fix(struct filling *filling, uint32_t id, double level_Bps)
{
    const struct cs_maxmin *maxmin = filling->maxmin;
    uint32_t g;

    filling->level_Bps[id] = level_Bps;
    filling->reached_Bps = fmax(filling->reached_Bps, level_Bps);
    for (g = maxmin->resources[id].row; g != CS_MAXMIN_NONE; g = maxmin->groups[g].row_after)
        for (uint32_t i = maxmin->groups[g].first; i != CS_MAXMIN_NONE; i = maxmin->shares[i].after)
            if (filling->holder[i / maxmin->stride] == CS_MAXMIN_NONE)
                filling->holder[i / maxmin->stride] = id;
}

/* A holder on top of the heap, whose level has risen since it was added, goes
 * back, once between two rounds; else it is the next round. */
static void filling_run(struct filling *filling)
{
    for (uint32_t id = 0; id < filling->maxmin->holder_count; id++)
        filling_add(filling, id, filling_level_Bps(filling, id));
    while (filling->rising.count) {
        struct cs_heap_item next = filling->rising.items[0];
        double level_Bps = filling_level_Bps(filling, next.number);

        cs_heap_remove(&filling->rising, 0);
        if (cs_heap_key(level_Bps) > next.key)
            filling_add(filling, next.number, level_Bps);
        else
            filling_fix(filling, next.number, level_Bps);
    }
}

/* ---- the result ---- */

static void filling_set_level(struct cs_maxmin *maxmin, uint32_t id, double level_Bps)
{
    struct cs_maxmin_resource *resource = &maxmin->resources[id];

    if (resource->level_Bps == level_Bps)
        return;
    resource->level_Bps = level_Bps;
    if (!resource->changed)
        maxmin->last.changed[maxmin->last.changed_count++] = id;
    resource->changed = true;
}

/* Levels before flows: a resource without flows of its own keeps its level. */
static void filling_apply(struct cs_maxmin *maxmin, const struct filling *filling)
{
    for (uint32_t i = 0; i < maxmin->holder_count; i++)
        if (filling->level_Bps[i] > 0)
            filling_set_level(maxmin, i, filling->level_Bps[i]);
    for (uint32_t i = 0; i < maxmin->flow_room; i++)
        if (filling->holder[i] != CS_MAXMIN_NONE && filling->holder[i] != maxmin->flows[i].holder)
            cs_maxmin_change_holder(maxmin, i, filling->holder[i]);
    for (uint32_t i = 0; i < maxmin->resource_count; i++)
        cs_maxmin_sum(maxmin, i);
    while (maxmin->stale.count)
        cs_heap_remove(&maxmin->stale, 0);
}

/* Gives all held flows their holder, and holders their level; lists both as
 * moved and changed. Afterwards nothing is stale. */
static void maxmin_fill(struct cs_maxmin *maxmin)
{
    struct filling filling = {.maxmin = maxmin,
                              .holder = cs_grow(NULL, maxmin->flow_room, sizeof(uint32_t)),
                              .level_Bps = cs_grow(NULL, maxmin->holder_count, sizeof(double)),
                              .rising.items =
                                  cs_grow(NULL, maxmin->holder_count, sizeof(struct cs_heap_item))};

    for (uint32_t i = 0; i < maxmin->flow_room; i++)
        filling.holder[i] = CS_MAXMIN_NONE;
    for (uint32_t i = 0; i < maxmin->holder_count; i++)
        filling.level_Bps[i] = 0;
    filling_run(&filling);
    filling_apply(maxmin, &filling);
    free(filling.holder);
    free(filling.level_Bps);
    free(filling.rising.items);
}

/* ---- flows take part ---- */

/* The lists are allocated when the first resource is saturated. */
static void maxmin_make_lists(struct cs_maxmin *maxmin)
{
    uint32_t room = maxmin->holder_room;

    if (maxmin->last.changed)
        return;
    maxmin->last.changed = cs_grow(NULL, room, sizeof(uint32_t));
    maxmin->stale.items = cs_grow(NULL, room, sizeof(*maxmin->stale.items));
    maxmin->stale.place = cs_grow(NULL, room, sizeof(uint32_t));
    for (uint32_t i = 0; i < room; i++)
        maxmin->stale.place[i] = CS_HEAP_NOWHERE;
}

/* All flows of a saturated resource take part. */
static void maxmin_join_all(struct cs_maxmin *maxmin, uint32_t id)
{
    if (maxmin->resources[id].joined)
        return;
    maxmin->resources[id].joined = true;
    for (uint32_t i = 0; i < maxmin->resources[id].count; i++) {
        uint32_t flow = maxmin->resources[id].members[i].flow;

        if (maxmin->flows[flow].state != HELD)
            cs_maxmin_engage(maxmin, flow);
    }
}

/* A flow that was added while a resource was saturated takes part if a resource is
 * still saturated; else the flow is free. */
static void maxmin_let_in(struct cs_maxmin *maxmin)
{
    for (uint32_t i = 0; i < maxmin->fresh_count; i++) {
        uint32_t number = maxmin->fresh[i];
        struct cs_maxmin_flow *flow = &maxmin->flows[number];
        const struct cs_maxmin_share *shares = maxmin_shares_of(maxmin, number);

        for (uint32_t k = 0; k < flow->shares; k++)
            if (!maxmin_is_unsaturated(&maxmin->resources[shares[k].resource])) {
                maxmin_make_lists(maxmin);
                maxmin_join_all(maxmin, shares[k].resource);
                if (flow->state == FRESH)
                    cs_maxmin_engage(maxmin, number);
            }
        if (flow->state == FRESH) {
            flow->state = FREE;
            cs_maxmin_note_moved(maxmin, number);
        }
    }
    maxmin->fresh_count = 0;
}

/* ---- levels ---- */

/* Sums the capacity that flows of other holders take, and lists the groups that the
 * resource might take over. */
static void maxmin_look_around(struct cs_maxmin *maxmin, uint32_t id, double level_Bps)
{
    const struct cs_maxmin_resource *resource = &maxmin->resources[id];

    maxmin->above.count = 0;
    cs_maxmin_sum(maxmin, id);
    if (resource->fastest_Bps <= level_Bps)
        return;
    for (uint32_t i = resource->row; i != CS_MAXMIN_NONE; i = maxmin->groups[i].row_after) {
        const struct cs_maxmin_group *group = &maxmin->groups[i];
        double other_Bps = maxmin->resources[group->by].level_Bps;

        if (group->by != id && other_Bps > level_Bps)
            maxmin->above.items[maxmin->above.count++] = (struct cs_heap_item){
                .key = ~cs_heap_key(other_Bps), .tie = group->by, .number = i};
    }
    cs_heap_order(&maxmin->above);
}

/* The resource holds the flows of that group from now on. */
static void maxmin_take_over(struct cs_maxmin *maxmin, uint32_t group, uint32_t id)
{
    uint32_t count = maxmin->groups[group].count;

    while (count-- > 0)
        cs_maxmin_change_holder(maxmin, maxmin->groups[group].first / maxmin->stride, id);
}

/* No flow passes its limit. */
static void maxmin_settle_limit(struct cs_maxmin *maxmin, uint32_t id)
{
    double level_Bps = maxmin->resources[id].level_Bps;

    maxmin_look_around(maxmin, id, level_Bps + maxmin_near(level_Bps));
    for (uint32_t i = 0; i < maxmin->above.count; i++)
        maxmin_take_over(maxmin, maxmin->above.items[i].number, id);
}

/* Propagates the level to all resources that the held flows cross. */
static void maxmin_report(struct cs_maxmin *maxmin, uint32_t id, double level_Bps)
{
    struct cs_maxmin_resource *resource = &maxmin->resources[id];
    double before_Bps = resource->level_Bps;

    if (fabs(level_Bps - before_Bps) <= maxmin_near(level_Bps))
        return;
    resource->level_Bps = level_Bps;
    if (!resource->changed)
        maxmin->last.changed[maxmin->last.changed_count++] = id;
    resource->changed = true;
    for (uint32_t i = resource->column; i != CS_MAXMIN_NONE; i = maxmin->groups[i].column_after)
        if (maxmin->groups[i].at != id)
            cs_maxmin_take(maxmin, maxmin->groups[i].at,
                           maxmin->groups[i].weight * (level_Bps - before_Bps), level_Bps);
}

/* The level at which the resource is full, after taking over all flows that would be
 * above this level. */
static void maxmin_settle_resource(struct cs_maxmin *maxmin, uint32_t id)
{
    struct cs_maxmin_resource *resource = &maxmin->resources[id];
    double weight;
    double level_Bps = cs_maxmin_own_level(maxmin, id, &weight);

    if (weight > 0 && resource->sums <= CS_MAXMIN_SUMS_MAX &&
        resource->fastest_Bps <= maxmin_above(level_Bps)) {
        maxmin_report(maxmin, id, level_Bps);
        return;
    }
    maxmin_look_around(maxmin, id, weight > 0 ? fmax(level_Bps, 0) : 0);
    level_Bps = cs_maxmin_own_level(maxmin, id, &weight);
    while (maxmin->above.count) {
        uint32_t group = maxmin->above.items[0].number;
        double other_Bps = maxmin->resources[maxmin->groups[group].by].level_Bps;

        if (weight > 0 ? other_Bps <= maxmin_above(level_Bps)
                       : resource->taken_Bps <= maxmin_above(resource->capacity_Bps))
            break;
        cs_heap_remove(&maxmin->above, 0);
        maxmin_take_over(maxmin, group, id);
        maxmin_look_around(maxmin, id, 0);
        level_Bps = cs_maxmin_own_level(maxmin, id, &weight);
    }
    if (weight > 0)
        maxmin_report(maxmin, id, level_Bps);
}

/* Settles the stale resource with the lowest level. */
static void maxmin_settle_next(struct cs_maxmin *maxmin)
{
    uint32_t id = maxmin->stale.items[0].number;

    cs_heap_remove(&maxmin->stale, 0);
    maxmin->looked++;
    if (maxmin_is_limit(maxmin, id))
        maxmin_settle_limit(maxmin, id);
    else
        maxmin_settle_resource(maxmin, id);
    /* Settling makes the resource itself stale in vain. */
    if (maxmin->stale.place[id] != CS_HEAP_NOWHERE)
        cs_heap_remove(&maxmin->stale, maxmin->stale.place[id]);
}

bool cs_maxmin_solve(struct cs_maxmin *maxmin)
{
    uint64_t left, more;

    maxmin->last.moved_count = 0;
    maxmin->last.changed_count = 0;
    maxmin_let_in(maxmin);
    left = maxmin->visits_max * (uint64_t)maxmin->holder_count;
    for (more = left; maxmin->stale.count && more > 0; more--) {
        if ((left - more) % VISITS_WATCHED == VISITS_WATCHED - 1 &&
            !cs_monitor_count(maxmin->monitor, 0, 0))
            return false;
        maxmin_settle_next(maxmin);
    }
    if (maxmin->stale.count) {
        maxmin->filled++;
        maxmin_fill(maxmin);
    }
    for (uint32_t i = 0; i < maxmin->last.moved_count; i++)
        maxmin->flows[maxmin->last.moved[i]].moved = false;
    for (uint32_t i = 0; i < maxmin->last.changed_count; i++)
        maxmin->resources[maxmin->last.changed[i]].changed = false;
    return true;
}
