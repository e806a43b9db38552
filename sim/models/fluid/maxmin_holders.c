#include "sim/models/fluid/maxmin_holders.h"

#include "sim/models/fluid/maxmin_groups.h"

#include <math.h>

/* ---- stale resources ---- */

double cs_maxmin_own_level(const struct cs_maxmin *maxmin, uint32_t id, double *weight)
{
    const struct cs_maxmin_resource *resource = &maxmin->resources[id];

    *weight = resource->own == CS_MAXMIN_NONE ? 0 : maxmin->groups[resource->own].weight;
    return resource->own == CS_MAXMIN_NONE
               ? (double)INFINITY
               : (resource->capacity_Bps - resource->taken_Bps) / *weight;
}

void cs_maxmin_sum(struct cs_maxmin *maxmin, uint32_t id)
{
    struct cs_maxmin_resource *resource = &maxmin->resources[id];

    resource->taken_Bps = 0;
    resource->fastest_Bps = 0;
    resource->sums = 0;
    for (uint32_t i = resource->row; i != CS_MAXMIN_NONE; i = maxmin->groups[i].row_after) {
        const struct cs_maxmin_group *group = &maxmin->groups[i];
        double other_Bps = maxmin->resources[group->by].level_Bps;

        if (group->by == id)
            continue;
        resource->taken_Bps += group->weight * other_Bps;
        if (other_Bps > resource->fastest_Bps)
            resource->fastest_Bps = other_Bps;
    }
}

/* An estimate of the next level: at least the level if the resource held all of its
 * flows. */
static double maxmin_guess_level(const struct cs_maxmin *maxmin, uint32_t id)
{
    const struct cs_maxmin_resource *resource = &maxmin->resources[id];
    double weight;
    double level_Bps = cs_maxmin_own_level(maxmin, id, &weight);
    double least_Bps = resource->capacity_Bps / resource->weight;

    if (maxmin_is_limit(maxmin, id))
        return resource->level_Bps;
    return level_Bps < (double)INFINITY && level_Bps > least_Bps ? level_Bps : least_Bps;
}

static void maxmin_make_stale(struct cs_maxmin *maxmin, uint32_t id)
{
    struct cs_heap *stale = &maxmin->stale;
    uint32_t at = stale->place[id];
    uint64_t key;

    if (maxmin->resources[id].flows == 0) {
        if (at != CS_HEAP_NOWHERE)
            cs_heap_remove(stale, at);
        return;
    }
    key = cs_heap_key(maxmin_guess_level(maxmin, id));
    if (at == CS_HEAP_NOWHERE)
        cs_heap_add(stale, (struct cs_heap_item){.key = key, .tie = id, .number = id});
    else if (stale->items[at].key != key)
        cs_heap_change(stale, at, key);
}

void cs_maxmin_take(struct cs_maxmin *maxmin, uint32_t id, double more_Bps, double level_Bps)
{
    struct cs_maxmin_resource *resource = &maxmin->resources[id];

    if (maxmin_is_limit(maxmin, id)) {
        if (level_Bps > resource->level_Bps + maxmin_near(resource->level_Bps))
            maxmin_make_stale(maxmin, id);
        return;
    }
    resource->taken_Bps += more_Bps;
    resource->sums++;
    if (level_Bps > resource->fastest_Bps)
        resource->fastest_Bps = level_Bps;
    if (resource->taken_Bps > maxmin_above(resource->capacity_Bps) ||
        resource->sums > CS_MAXMIN_SUMS_MAX || resource->own != CS_MAXMIN_NONE)
        maxmin_make_stale(maxmin, id);
}

/* ---- flows change their holder ---- */

static void maxmin_leave_group(struct cs_maxmin *maxmin, uint32_t index)
{
    struct cs_maxmin_share *share = &maxmin->shares[index];
    struct cs_maxmin_group *group = &maxmin->groups[share->group];
    double level_Bps = maxmin->resources[group->by].level_Bps;
    uint32_t at = group->at;
    uint32_t by = group->by;

    if (share->before == CS_MAXMIN_NONE)
        group->first = share->after;
    else
        maxmin->shares[share->before].after = share->after;
    if (share->after != CS_MAXMIN_NONE)
        maxmin->shares[share->after].before = share->before;
    if (--group->count == 0)
        cs_maxmin_drop_group(maxmin, share->group);
    else
        cs_maxmin_lighten_group(maxmin, share->group, share->weight);
    if (at == by)
        maxmin_make_stale(maxmin, at);
    else
        cs_maxmin_take(maxmin, at, -share->weight * level_Bps, 0);
}

static void maxmin_join_group(struct cs_maxmin *maxmin, uint32_t index, uint32_t at, uint32_t by)
{
    struct cs_maxmin_share *share = &maxmin->shares[index];
    double level_Bps = maxmin->resources[by].level_Bps;
    struct cs_maxmin_group *group;
    uint32_t number = cs_maxmin_find_group(maxmin, at, by);

    if (number == CS_MAXMIN_NONE)
        number = cs_maxmin_new_group(maxmin, at, by);
    group = &maxmin->groups[number];
    share->group = number;
    share->before = CS_MAXMIN_NONE;
    share->after = group->first;
    if (group->first != CS_MAXMIN_NONE)
        maxmin->shares[group->first].before = index;
    group->first = index;
    group->weight += share->weight;
    group->most = fmax(group->most, group->weight);
    group->count++;
    if (at == by)
        maxmin_make_stale(maxmin, at);
    else
        cs_maxmin_take(maxmin, at, share->weight * level_Bps, level_Bps);
}

void cs_maxmin_note_moved(struct cs_maxmin *maxmin, uint32_t number)
{
    if (!maxmin->flows[number].moved)
        maxmin->last.moved[maxmin->last.moved_count++] = number;
    maxmin->flows[number].moved = true;
}

void cs_maxmin_engage(struct cs_maxmin *maxmin, uint32_t number)
{
    struct cs_maxmin_flow *flow = &maxmin->flows[number];
    uint32_t holder = cs_maxmin_limit_holder(maxmin, flow->limit_Bps);
    struct cs_maxmin_share *shares = maxmin_shares_of(maxmin, number);

    shares[flow->shares] = (struct cs_maxmin_share){.weight = 1, .resource = holder};
    flow->state = HELD;
    flow->holder = holder;
    cs_maxmin_note_moved(maxmin, number);
    for (uint32_t i = 0; i <= flow->shares; i++) {
        struct cs_maxmin_resource *resource = &maxmin->resources[shares[i].resource];

        resource->flows++;
        resource->weight += shares[i].weight;
        maxmin_join_group(maxmin, number * maxmin->stride + i, shares[i].resource, holder);
    }
}

void cs_maxmin_disengage(struct cs_maxmin *maxmin, uint32_t number)
{
    const struct cs_maxmin_flow *flow = &maxmin->flows[number];
    const struct cs_maxmin_share *shares = maxmin_shares_of(maxmin, number);

    for (uint32_t i = 0; i <= flow->shares; i++) {
        struct cs_maxmin_resource *resource = &maxmin->resources[shares[i].resource];

        resource->weight -= shares[i].weight;
        if (--resource->flows == 0)
            resource->weight = 0;
        maxmin_leave_group(maxmin, number * maxmin->stride + i);
        if (resource->flows == 0)
            resource->taken_Bps = resource->fastest_Bps = 0;
    }
}

void cs_maxmin_change_holder(struct cs_maxmin *maxmin, uint32_t number, uint32_t holder)
{
    struct cs_maxmin_flow *flow = &maxmin->flows[number];
    const struct cs_maxmin_share *shares = maxmin_shares_of(maxmin, number);

    cs_maxmin_note_moved(maxmin, number);
    flow->holder = holder;
    for (uint32_t i = 0; i <= flow->shares; i++) {
        maxmin_leave_group(maxmin, number * maxmin->stride + i);
        maxmin_join_group(maxmin, number * maxmin->stride + i, shares[i].resource, holder);
    }
}
