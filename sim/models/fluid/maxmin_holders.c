
#include "sim/models/fluid/maxmin_state.h"

#include <math.h>
#include <stdlib.h>

/*
 * Groups of flows by the resource that the flows cross and by their holder, and
 * limits as holders.  Both are found by hashing.
 */

/* ---- a limit as a holder ---- */

static void grow_holders(struct cs_maxmin *maxmin)
{
    uint32_t old = maxmin->holder_room;
    uint32_t room = 2 * old;

    maxmin->resources = cs_grow(maxmin->resources, room, sizeof(*maxmin->resources));
    maxmin->last.changed = cs_grow(maxmin->last.changed, room, sizeof(uint32_t));
    maxmin->stale.items = cs_grow(maxmin->stale.items, room, sizeof(*maxmin->stale.items));
    maxmin->stale.place = cs_grow(maxmin->stale.place, room, sizeof(uint32_t));
    for (uint32_t i = old; i < room; i++)
        maxmin->stale.place[i] = CS_HEAP_NOWHERE;
    maxmin->holder_room = room;
    free(maxmin->by.limit_buckets);
    maxmin->by.limit_buckets = NULL;
}

/* Multiplies by an odd number near the golden section of 2^64; the high bits of
 * the product depend on all lower bits. */
static uint32_t maxmin_groups_mix(uint64_t key)
{
    key *= 0x9e3779b97f4a7c15U;
    return (uint32_t)((key ^ (key >> 29)) * 0x9e3779b97f4a7c15U >> 32);
}

/* The bucket of the limit, or the empty bucket where the limit belongs. */
static uint32_t *limit_bucket(const struct cs_maxmin *maxmin, double limit_Bps)
{
    uint32_t mask = 2 * maxmin->holder_room - 1;
    uint32_t i = maxmin_groups_mix(cs_heap_key(limit_Bps)) & mask;

    while (maxmin->by.limit_buckets[i] != CS_MAXMIN_NONE &&
           cs_heap_key(maxmin->resources[maxmin->by.limit_buckets[i]].level_Bps) !=
               cs_heap_key(limit_Bps))
        i = (i + 1) & mask;
    return &maxmin->by.limit_buckets[i];
}

static void make_limit_table(struct cs_maxmin *maxmin)
{
    uint32_t room = 2 * maxmin->holder_room;

    maxmin->by.limit_buckets = cs_grow(NULL, room, sizeof(uint32_t));
    for (uint32_t i = 0; i < room; i++)
        maxmin->by.limit_buckets[i] = CS_MAXMIN_NONE;
    for (uint32_t i = maxmin->resource_count; i < maxmin->holder_count; i++)
        *limit_bucket(maxmin, maxmin->resources[i].level_Bps) = i;
}

/* The holder of flows with that limit, created if missing.  O(1) expected. */
static uint32_t maxmin_limit_holder(struct cs_maxmin *maxmin, double limit_Bps)
{
    uint32_t *bucket;

    if (maxmin->holder_count == maxmin->holder_room)
        grow_holders(maxmin);
    if (!maxmin->by.limit_buckets)
        make_limit_table(maxmin);
    bucket = limit_bucket(maxmin, limit_Bps);
    if (*bucket == CS_MAXMIN_NONE) {
        *bucket = maxmin->holder_count++;
        maxmin->resources[*bucket] = (struct cs_maxmin_resource){.capacity_Bps = (double)INFINITY,
                                                                 .level_Bps = limit_Bps,
                                                                 .row = CS_MAXMIN_NONE,
                                                                 .column = CS_MAXMIN_NONE,
                                                                 .own = CS_MAXMIN_NONE};
    }
    return *bucket;
}

/* ---- groups ---- */

static uint32_t *group_bucket(const struct cs_maxmin *maxmin, uint32_t at, uint32_t by)
{
    return &maxmin->by.group_buckets[maxmin_groups_mix((uint64_t)at << 32 | by) &
                                     (maxmin->by.group_room - 1)];
}

static void grow_groups(struct cs_maxmin *maxmin)
{
    uint32_t room = maxmin->by.group_room ? 2 * maxmin->by.group_room : CS_MAXMIN_ROOM;

    maxmin->groups = cs_grow(maxmin->groups, room, sizeof(*maxmin->groups));
    maxmin->above.items = cs_grow(maxmin->above.items, room, sizeof(*maxmin->above.items));
    free(maxmin->by.group_buckets);
    maxmin->by.group_buckets = cs_grow(NULL, room, sizeof(uint32_t));
    maxmin->by.group_room = room;
    for (uint32_t i = 0; i < room; i++)
        maxmin->by.group_buckets[i] = CS_MAXMIN_NONE;
    /* All groups are in use, else the table would not grow. */
    for (uint32_t i = 0; i < maxmin->by.group_count; i++) {
        uint32_t *bucket = group_bucket(maxmin, maxmin->groups[i].at, maxmin->groups[i].by);

        maxmin->groups[i].chain = *bucket;
        *bucket = i;
    }
}

/* The group of flows that cross `at` and are held by `by`, or CS_MAXMIN_NONE; a
 * new, empty group; and the end of an empty group.  O(1) expected. */
static uint32_t maxmin_find_group(const struct cs_maxmin *maxmin, uint32_t at, uint32_t by)
{
    uint32_t i;

    if (maxmin->by.group_room == 0)
        return CS_MAXMIN_NONE;
    i = *group_bucket(maxmin, at, by);
    while (i != CS_MAXMIN_NONE && (maxmin->groups[i].at != at || maxmin->groups[i].by != by))
        i = maxmin->groups[i].chain;
    return i;
}

/* Puts a new group in the lists of its resource and its holder. */
static void link_group(struct cs_maxmin *maxmin, uint32_t number)
{
    struct cs_maxmin_group *group = &maxmin->groups[number];
    uint32_t *row = &maxmin->resources[group->at].row;
    uint32_t *column = &maxmin->resources[group->by].column;
    uint32_t *bucket = group_bucket(maxmin, group->at, group->by);

    group->row_after = *row;
    group->column_after = *column;
    group->row_before = group->column_before = CS_MAXMIN_NONE;
    if (*row != CS_MAXMIN_NONE)
        maxmin->groups[*row].row_before = number;
    if (*column != CS_MAXMIN_NONE)
        maxmin->groups[*column].column_before = number;
    group->chain = *bucket;
    *row = *column = *bucket = number;
    if (group->at == group->by)
        maxmin->resources[group->at].own = number;
}

static uint32_t maxmin_new_group(struct cs_maxmin *maxmin, uint32_t at, uint32_t by)
{
    uint32_t number = maxmin->by.unused_group;

    if (number != CS_MAXMIN_NONE) {
        maxmin->by.unused_group = maxmin->groups[number].chain;
    } else {
        if (maxmin->by.group_count == maxmin->by.group_room)
            grow_groups(maxmin);
        number = maxmin->by.group_count++;
    }
    maxmin->groups[number] = (struct cs_maxmin_group){.at = at, .by = by, .first = CS_MAXMIN_NONE};
    link_group(maxmin, number);
    return number;
}

/* A share of that weight, already out of the list, has left the group, which is not
 * empty.  The weight is summed anew where the rounding errors of what has left
 * would count: O(1) amortized where weights are similar. */
static void maxmin_lighten_group(struct cs_maxmin *maxmin, uint32_t number, double weight)
{
    struct cs_maxmin_group *group = &maxmin->groups[number];

    group->weight -= weight;
    if (++group->sums <= CS_MAXMIN_SUMS_MAX && group->weight > group->most / CS_MAXMIN_SUMS_MAX)
        return;
    group->weight = 0;
    for (uint32_t i = group->first; i != CS_MAXMIN_NONE; i = maxmin->shares[i].after)
        group->weight += maxmin->shares[i].weight;
    group->most = group->weight;
    group->sums = 0;
}

static void maxmin_drop_group(struct cs_maxmin *maxmin, uint32_t number)
{
    struct cs_maxmin_group *groups = maxmin->groups;
    struct cs_maxmin_group *group = &groups[number];
    uint32_t *bucket = group_bucket(maxmin, group->at, group->by);

    while (*bucket != number)
        bucket = &groups[*bucket].chain;
    *bucket = group->chain;
    if (group->at == group->by)
        maxmin->resources[group->at].own = CS_MAXMIN_NONE;
    if (group->row_before == CS_MAXMIN_NONE)
        maxmin->resources[group->at].row = group->row_after;
    else
        groups[group->row_before].row_after = group->row_after;
    if (group->row_after != CS_MAXMIN_NONE)
        groups[group->row_after].row_before = group->row_before;
    if (group->column_before == CS_MAXMIN_NONE)
        maxmin->resources[group->by].column = group->column_after;
    else
        groups[group->column_before].column_after = group->column_after;
    if (group->column_after != CS_MAXMIN_NONE)
        groups[group->column_after].column_before = group->column_before;
    group->chain = maxmin->by.unused_group;
    maxmin->by.unused_group = number;
}

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
        maxmin_drop_group(maxmin, share->group);
    else
        maxmin_lighten_group(maxmin, share->group, share->weight);
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
    uint32_t number = maxmin_find_group(maxmin, at, by);

    if (number == CS_MAXMIN_NONE)
        number = maxmin_new_group(maxmin, at, by);
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
    uint32_t holder = maxmin_limit_holder(maxmin, flow->limit_Bps);
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
