#include "sim/models/fluid/maxmin_groups.h"

#include <math.h>
#include <stdlib.h>

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

uint32_t cs_maxmin_limit_holder(struct cs_maxmin *maxmin, double limit_Bps)
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

uint32_t cs_maxmin_find_group(const struct cs_maxmin *maxmin, uint32_t at, uint32_t by)
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

uint32_t cs_maxmin_new_group(struct cs_maxmin *maxmin, uint32_t at, uint32_t by)
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

void cs_maxmin_lighten_group(struct cs_maxmin *maxmin, uint32_t number, double weight)
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

void cs_maxmin_drop_group(struct cs_maxmin *maxmin, uint32_t number)
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
