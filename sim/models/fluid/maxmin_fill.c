#include "sim/models/fluid/maxmin_fill.h"

#include "sim/models/fluid/maxmin_holders.h"

#include <math.h>
#include <stdlib.h>

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

void cs_maxmin_fill(struct cs_maxmin *maxmin)
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
