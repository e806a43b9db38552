#include "sim/models/fluid/maxmin.h"

#include "sim/models/fluid/maxmin_state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum {
    VISITS_MAX = 16, /* ten times what solves take, whose resources settle */
};

void cs_maxmin_open(struct cs_maxmin *maxmin, const double *capacity_Bps, uint32_t resources)
{
    *maxmin = (struct cs_maxmin){
        .resource_count = resources, .visits_max = VISITS_MAX, .by.unused_group = CS_MAXMIN_NONE};
    while (maxmin->holder_room <= resources)
        maxmin->holder_room = maxmin->holder_room ? 2 * maxmin->holder_room : CS_MAXMIN_ROOM;
    maxmin->resources = cs_grow(NULL, maxmin->holder_room, sizeof(*maxmin->resources));
    maxmin->holder_count = resources;
    for (uint32_t i = 0; i < resources; i++)
        maxmin->resources[i] = (struct cs_maxmin_resource){.capacity_Bps = capacity_Bps[i],
                                                           .row = CS_MAXMIN_NONE,
                                                           .column = CS_MAXMIN_NONE,
                                                           .own = CS_MAXMIN_NONE};
}

void cs_maxmin_resize(struct cs_maxmin *maxmin, uint32_t resource, double capacity_Bps)
{
    assert(maxmin->resources[resource].count == 0);
    maxmin->resources[resource].capacity_Bps = capacity_Bps;
}

void cs_maxmin_free(struct cs_maxmin *maxmin)
{
    for (uint32_t i = 0; i < maxmin->resource_count; i++)
        free(maxmin->resources[i].members);
    free(maxmin->resources);
    free(maxmin->flows);
    free(maxmin->shares);
    free(maxmin->groups);
    free(maxmin->by.group_buckets);
    free(maxmin->by.limit_buckets);
    free(maxmin->fresh);
    free(maxmin->last.moved);
    free(maxmin->last.changed);
    free(maxmin->stale.items);
    free(maxmin->stale.place);
    free(maxmin->above.items);
    *maxmin = (struct cs_maxmin){0};
}

uint32_t cs_maxmin_holder(const struct cs_maxmin *maxmin, uint32_t number)
{
    const struct cs_maxmin_flow *flow = &maxmin->flows[number];

    return flow->state == HELD ? flow->holder : CS_MAXMIN_FREE;
}

double cs_maxmin_level_Bps(const struct cs_maxmin *maxmin, uint32_t holder)
{
    return maxmin->resources[holder].level_Bps;
}

double cs_maxmin_rate_Bps(const struct cs_maxmin *maxmin, uint32_t number)
{
    const struct cs_maxmin_flow *flow = &maxmin->flows[number];

    if (flow->state == FRESH)
        return 0;
    return flow->state == FREE ? flow->limit_Bps
                               : fmin(flow->limit_Bps, maxmin->resources[flow->holder].level_Bps);
}

double cs_maxmin_limit_Bps(const struct cs_maxmin *maxmin, uint32_t number)
{
    return maxmin->flows[number].limit_Bps;
}

/* ---- room ---- */

static uint32_t maxmin_moved_share(uint32_t share, uint32_t from, uint32_t to)
{
    return share == CS_MAXMIN_NONE ? CS_MAXMIN_NONE : share / from * to + share % from;
}

static void maxmin_widen_shares(struct cs_maxmin *maxmin, uint32_t stride)
{
    uint32_t old = maxmin->stride;
    struct cs_maxmin_share *wide = cs_grow(NULL, (size_t)maxmin->flow_room * stride, sizeof(*wide));

    for (uint32_t i = 0; i < maxmin->flow_room * old; i++) {
        struct cs_maxmin_share *share = &wide[maxmin_moved_share(i, old, stride)];

        *share = maxmin->shares[i];
        share->before = maxmin_moved_share(share->before, old, stride);
        share->after = maxmin_moved_share(share->after, old, stride);
    }
    for (uint32_t i = 0; i < maxmin->by.group_count; i++)
        maxmin->groups[i].first = maxmin_moved_share(maxmin->groups[i].first, old, stride);
    free(maxmin->shares);
    maxmin->shares = wide;
    maxmin->stride = stride;
}

/* Room for flow `flow` with so many shares. */
static void maxmin_make_room(struct cs_maxmin *maxmin, uint32_t flow, uint32_t shares)
{
    uint32_t room = maxmin->flow_room ? maxmin->flow_room : CS_MAXMIN_ROOM;
    size_t i;

    if (shares > maxmin->stride && maxmin->flow_room)
        maxmin_widen_shares(maxmin, shares);
    else if (shares > maxmin->stride)
        maxmin->stride = shares;
    if (flow < maxmin->flow_room)
        return;
    while (room <= flow)
        room *= 2;
    assert((uint64_t)room * maxmin->stride < CS_MAXMIN_NONE);
    maxmin->flows = cs_grow(maxmin->flows, room, sizeof(*maxmin->flows));
    maxmin->shares =
        cs_grow(maxmin->shares, (size_t)room * maxmin->stride, sizeof(*maxmin->shares));
    for (i = (size_t)maxmin->flow_room * maxmin->stride; i < (size_t)room * maxmin->stride; i++)
        maxmin->shares[i] =
            (struct cs_maxmin_share){.before = CS_MAXMIN_NONE, .after = CS_MAXMIN_NONE};
    maxmin->fresh = cs_grow(maxmin->fresh, room, sizeof(uint32_t));
    maxmin->last.moved = cs_grow(maxmin->last.moved, room, sizeof(uint32_t));
    maxmin->flow_room = room;
}

/* ---- flows are added and removed ---- */

/* Sums the weights of a resource that the flow crosses more than once. */
static uint32_t maxmin_gather_shares(struct cs_maxmin *maxmin, struct cs_maxmin_share *shares,
                                     const struct cs_maxmin_use *uses, uint32_t count)
{
    uint32_t shared = 0;

    maxmin->added++;
    for (uint32_t i = 0; i < count; i++) {
        struct cs_maxmin_resource *resource = &maxmin->resources[uses[i].resource];

        if (resource->last_added == maxmin->added) {
            shares[resource->last_share].weight += uses[i].weight;
            continue;
        }
        resource->last_added = maxmin->added;
        resource->last_share = shared;
        shares[shared++] = (struct cs_maxmin_share){.weight = uses[i].weight,
                                                    .resource = uses[i].resource,
                                                    .before = CS_MAXMIN_NONE,
                                                    .after = CS_MAXMIN_NONE};
    }
    return shared;
}

/* The parts of the capacity that a flow takes at its limit, rounded up, but not for
 * less than the rounding error of the limit. */
static uint32_t maxmin_parts_of(const struct cs_maxmin_share *share, double limit_Bps,
                                double capacity_Bps)
{
    double parts = share->weight * limit_Bps / capacity_Bps * (double)CS_MAXMIN_WHOLE;

    return (uint32_t)ceil(parts - 1e-3);
}

static void maxmin_join(struct cs_maxmin *maxmin, uint32_t flow, uint32_t number)
{
    struct cs_maxmin_share *share = &maxmin_shares_of(maxmin, flow)[number];
    struct cs_maxmin_resource *resource = &maxmin->resources[share->resource];

    share->demand = maxmin_parts_of(share, maxmin->flows[flow].limit_Bps, resource->capacity_Bps);
    share->member = resource->count;
    if (resource->count == resource->room) {
        resource->room = resource->room ? 2 * resource->room : 4;
        resource->members = cs_grow(resource->members, resource->room, sizeof(*resource->members));
    }
    resource->members[resource->count++] = (struct maxmin_member){flow, number};
    resource->demand += share->demand;
}

double cs_maxmin_add(struct cs_maxmin *maxmin, uint32_t number, const struct cs_maxmin_use *uses,
                     uint32_t count, double limit_Bps)
{
    struct cs_maxmin_share *shares;
    struct cs_maxmin_flow *flow;
    bool unsaturated = true;

    maxmin_make_room(maxmin, number, count + 1);
    shares = maxmin_shares_of(maxmin, number);
    flow = &maxmin->flows[number];
    *flow = (struct cs_maxmin_flow){.limit_Bps = limit_Bps,
                                    .shares = maxmin_gather_shares(maxmin, shares, uses, count)};
    for (uint32_t i = 0; i < flow->shares; i++) {
        double alone_Bps = maxmin->resources[shares[i].resource].capacity_Bps / shares[i].weight;

        if (alone_Bps < flow->limit_Bps)
            flow->limit_Bps = alone_Bps;
    }
    for (uint32_t i = 0; i < flow->shares; i++) {
        maxmin_join(maxmin, number, i);
        unsaturated = unsaturated && maxmin_is_unsaturated(&maxmin->resources[shares[i].resource]);
    }
    if (unsaturated)
        return flow->limit_Bps;
    flow->state = FRESH;
    flow->fresh = maxmin->fresh_count;
    maxmin->fresh[maxmin->fresh_count++] = number;
    return 0;
}

void cs_maxmin_remove(struct cs_maxmin *maxmin, uint32_t number)
{
    const struct cs_maxmin_flow *flow = &maxmin->flows[number];
    const struct cs_maxmin_share *shares = maxmin_shares_of(maxmin, number);

    for (uint32_t i = 0; i < flow->shares; i++) {
        struct cs_maxmin_resource *resource = &maxmin->resources[shares[i].resource];
        struct maxmin_member last = resource->members[--resource->count];

        resource->demand -= shares[i].demand;
        resource->members[shares[i].member] = last;
        maxmin_shares_of(maxmin, last.flow)[last.share].member = shares[i].member;
        if (maxmin_is_unsaturated(resource))
            resource->joined = false;
    }
    if (flow->state == FRESH) {
        uint32_t last = maxmin->fresh[--maxmin->fresh_count];

        maxmin->fresh[flow->fresh] = last;
        maxmin->flows[last].fresh = flow->fresh;
    } else if (flow->state == HELD) {
        cs_maxmin_disengage(maxmin, number);
    }
}
