#include "sim/models/fluid/maxmin.h"
#include "sim/models/fluid/maxmin_fill.h"
#include "sim/models/fluid/maxmin_holders.h"

#include <math.h>

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

void cs_maxmin_solve(struct cs_maxmin *maxmin)
{
    uint64_t left;

    maxmin->last.moved_count = 0;
    maxmin->last.changed_count = 0;
    maxmin_let_in(maxmin);
    left = maxmin->visits_max * (uint64_t)maxmin->holder_count;
    while (maxmin->stale.count && left-- > 0)
        maxmin_settle_next(maxmin);
    if (maxmin->stale.count) {
        maxmin->filled++;
        cs_maxmin_fill(maxmin);
    }
    for (uint32_t i = 0; i < maxmin->last.moved_count; i++)
        maxmin->flows[maxmin->last.moved[i]].moved = false;
    for (uint32_t i = 0; i < maxmin->last.changed_count; i++)
        maxmin->resources[maxmin->last.changed[i]].changed = false;
}
