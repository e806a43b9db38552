#include "sim/models/fluid/maxmin_state.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/*
 * A server's demand, all of its flows at their limits, is counted in whole
 * parts of the capacity so that adding and removing leaves nothing behind.
 * As many parts as make the halves, thirds, ... sixteenths of it whole.
 */
#define WHOLE UINT64_C(2952069120) /* 4096 * lcm(1..16) */

/* Levels that differ by less than this part are the same: more than rounding
 * can make of them.  Should a solve not end, it doubles; beyond SLACK_MAX the
 * rates would not be those of the model, and the solve fails. */
#define SLACK     1e-12
#define SLACK_MAX 1e-9

enum {
    TOLERANCE = 64, /* times that each server is looked at before that */
    SUMS_MAX = 256, /* sums into `taken_Bps` before it is summed up anew */
};

void cs_maxmin_open(struct cs_maxmin *maxmin, const double *capacity_Bps,
                    uint32_t resources)
{
    uint32_t i;

    *maxmin = (struct cs_maxmin){.resource_count = resources,
                                 .tolerance = TOLERANCE,
                                 .unused_group = CS_MAXMIN_NONE};
    while (maxmin->holder_room <= resources)
        maxmin->holder_room =
            maxmin->holder_room ? 2 * maxmin->holder_room : CS_MAXMIN_ROOM;
    maxmin->resources =
        cs_grow(NULL, maxmin->holder_room, sizeof(*maxmin->resources));
    maxmin->holder_count = resources;
    for (i = 0; i < resources; i++)
        maxmin->resources[i] =
            (struct cs_maxmin_resource){.capacity_Bps = capacity_Bps[i],
                                        .row = CS_MAXMIN_NONE,
                                        .column = CS_MAXMIN_NONE,
                                        .own = CS_MAXMIN_NONE};
}

void cs_maxmin_resize(struct cs_maxmin *maxmin, uint32_t resource,
                      double capacity_Bps)
{
    assert(maxmin->resources[resource].count == 0);
    maxmin->resources[resource].capacity_Bps = capacity_Bps;
}

void cs_maxmin_free(struct cs_maxmin *maxmin)
{
    uint32_t i;

    for (i = 0; i < maxmin->resource_count; i++)
        free(maxmin->resources[i].members);
    free(maxmin->resources);
    free(maxmin->flows);
    free(maxmin->shares);
    free(maxmin->groups);
    free(maxmin->group_buckets);
    free(maxmin->limit_buckets);
    free(maxmin->fresh);
    free(maxmin->moved);
    free(maxmin->changed);
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
    return flow->state == FREE
               ? flow->limit_Bps
               : fmin(flow->limit_Bps,
                      maxmin->resources[flow->holder].level_Bps);
}

double cs_maxmin_limit_Bps(const struct cs_maxmin *maxmin, uint32_t number)
{
    return maxmin->flows[number].limit_Bps;
}

static struct cs_maxmin_share *shares_of(const struct cs_maxmin *maxmin,
                                         uint32_t flow)
{
    return &maxmin->shares[(size_t)flow * maxmin->stride];
}

static bool is_unsaturated(const struct cs_maxmin_resource *resource)
{
    return resource->demand <= WHOLE;
}

/* More than the level, and not for rounding. */
static double maxmin_above(const struct cs_maxmin *maxmin, double level_Bps)
{
    return level_Bps * (1 + maxmin->slack);
}

/* A level need not be told, and a limit is not passed, by so much less that
 * the two together do not go round in a circle. */
static double maxmin_near(const struct cs_maxmin *maxmin, double level_Bps)
{
    return level_Bps * maxmin->slack / 100;
}

static bool is_limit(const struct cs_maxmin *maxmin, uint32_t holder)
{
    return holder >= maxmin->resource_count;
}

/* ---- room ---- */

static uint32_t moved_share(uint32_t share, uint32_t from, uint32_t to)
{
    return share == CS_MAXMIN_NONE ? CS_MAXMIN_NONE
                                   : share / from * to + share % from;
}

static void widen_shares(struct cs_maxmin *maxmin, uint32_t stride)
{
    uint32_t old = maxmin->stride;
    struct cs_maxmin_share *wide =
        cs_grow(NULL, (size_t)maxmin->flow_room * stride, sizeof(*wide));
    uint32_t i;

    for (i = 0; i < maxmin->flow_room * old; i++) {
        struct cs_maxmin_share *share = &wide[moved_share(i, old, stride)];

        *share = maxmin->shares[i];
        share->before = moved_share(share->before, old, stride);
        share->after = moved_share(share->after, old, stride);
    }
    for (i = 0; i < maxmin->group_count; i++)
        maxmin->groups[i].first =
            moved_share(maxmin->groups[i].first, old, stride);
    free(maxmin->shares);
    maxmin->shares = wide;
    maxmin->stride = stride;
}

/* Room for flow `flow` with so many shares. */
static void maxmin_make_room(struct cs_maxmin *maxmin, uint32_t flow,
                             uint32_t shares)
{
    uint32_t room = maxmin->flow_room ? maxmin->flow_room : CS_MAXMIN_ROOM;
    size_t i;

    if (shares > maxmin->stride && maxmin->flow_room)
        widen_shares(maxmin, shares);
    else if (shares > maxmin->stride)
        maxmin->stride = shares;
    if (flow < maxmin->flow_room)
        return;
    while (room <= flow)
        room *= 2;
    assert((uint64_t)room * maxmin->stride < CS_MAXMIN_NONE);
    maxmin->flows = cs_grow(maxmin->flows, room, sizeof(*maxmin->flows));
    maxmin->shares = cs_grow(maxmin->shares, (size_t)room * maxmin->stride,
                             sizeof(*maxmin->shares));
    for (i = (size_t)maxmin->flow_room * maxmin->stride;
         i < (size_t)room * maxmin->stride; i++)
        maxmin->shares[i] = (struct cs_maxmin_share){.before = CS_MAXMIN_NONE,
                                                     .after = CS_MAXMIN_NONE};
    maxmin->fresh = cs_grow(maxmin->fresh, room, sizeof(uint32_t));
    maxmin->moved = cs_grow(maxmin->moved, room, sizeof(uint32_t));
    maxmin->flow_room = room;
}

/* The lists of servers are made when the first is not roomy any more. */
static void make_lists(struct cs_maxmin *maxmin)
{
    uint32_t room = maxmin->holder_room;
    uint32_t i;

    if (maxmin->changed)
        return;
    maxmin->changed = cs_grow(NULL, room, sizeof(uint32_t));
    maxmin->stale.items = cs_grow(NULL, room, sizeof(*maxmin->stale.items));
    maxmin->stale.place = cs_grow(NULL, room, sizeof(uint32_t));
    for (i = 0; i < room; i++)
        maxmin->stale.place[i] = CS_HEAP_NOWHERE;
}

/* ---- who must be set right ---- */

/* What the flows that the server holds would go at; 0 or less: nothing is left
 * for them.  INFINITY if it holds none. */
static double own_level(const struct cs_maxmin *maxmin, uint32_t id,
                        double *weight)
{
    const struct cs_maxmin_resource *resource = &maxmin->resources[id];

    *weight = resource->own == CS_MAXMIN_NONE
                  ? 0
                  : maxmin->groups[resource->own].weight;
    return resource->own == CS_MAXMIN_NONE
               ? (double)INFINITY
               : (resource->capacity_Bps - resource->taken_Bps) / *weight;
}

/* Near where its level will be: not below that if all its flows were its own. */
static double guess_level(const struct cs_maxmin *maxmin, uint32_t id)
{
    const struct cs_maxmin_resource *resource = &maxmin->resources[id];
    double weight;
    double level_Bps = own_level(maxmin, id, &weight);
    double least_Bps = resource->capacity_Bps / resource->weight;

    if (is_limit(maxmin, id))
        return resource->level_Bps;
    return level_Bps < (double)INFINITY && level_Bps > least_Bps ? level_Bps
                                                                 : least_Bps;
}

static void make_stale(struct cs_maxmin *maxmin, uint32_t id)
{
    struct cs_heap *stale = &maxmin->stale;
    uint32_t at = stale->place[id];
    uint64_t key;

    if (maxmin->resources[id].flows == 0) {
        if (at != CS_HEAP_NOWHERE)
            cs_heap_remove(stale, at);
        return;
    }
    key = cs_heap_key(guess_level(maxmin, id));
    if (at == CS_HEAP_NOWHERE)
        cs_heap_add(stale,
                    (struct cs_heap_item){.key = key, .tie = id, .number = id});
    else if (stale->items[at].key != key)
        cs_heap_change(stale, at, key);
}

/* What flows of others take of it has changed, to `level_Bps` each. */
static void maxmin_take(struct cs_maxmin *maxmin, uint32_t id, double more_Bps,
                        double level_Bps)
{
    struct cs_maxmin_resource *resource = &maxmin->resources[id];

    if (is_limit(maxmin, id)) {
        if (level_Bps >
            resource->level_Bps + maxmin_near(maxmin, resource->level_Bps))
            make_stale(maxmin, id);
        return;
    }
    resource->taken_Bps += more_Bps;
    resource->sums++;
    if (level_Bps > resource->fastest_Bps)
        resource->fastest_Bps = level_Bps;
    if (resource->taken_Bps > maxmin_above(maxmin, resource->capacity_Bps) ||
        resource->sums > SUMS_MAX || resource->own != CS_MAXMIN_NONE)
        make_stale(maxmin, id);
}

/* ---- flows change their holder ---- */

static void leave_group(struct cs_maxmin *maxmin, uint32_t index)
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
    group->weight -= share->weight;
    if (--group->count == 0)
        cs_maxmin_drop_group(maxmin, share->group);
    if (at == by)
        make_stale(maxmin, at);
    else
        maxmin_take(maxmin, at, -share->weight * level_Bps, 0);
}

static void maxmin_join_group(struct cs_maxmin *maxmin, uint32_t index,
                              uint32_t at, uint32_t by)
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
    group->count++;
    if (at == by)
        make_stale(maxmin, at);
    else
        maxmin_take(maxmin, at, share->weight * level_Bps, level_Bps);
}

static void note_moved(struct cs_maxmin *maxmin, uint32_t number)
{
    if (!maxmin->flows[number].moved)
        maxmin->moved[maxmin->moved_count++] = number;
    maxmin->flows[number].moved = true;
}

/* The flow's first holder is its limit. */
static void maxmin_engage(struct cs_maxmin *maxmin, uint32_t number)
{
    struct cs_maxmin_flow *flow = &maxmin->flows[number];
    uint32_t holder = cs_maxmin_limit_holder(maxmin, flow->limit_Bps);
    struct cs_maxmin_share *shares = shares_of(maxmin, number);
    uint32_t i;

    shares[flow->shares] =
        (struct cs_maxmin_share){.weight = 1, .resource = holder};
    flow->state = HELD;
    flow->holder = holder;
    note_moved(maxmin, number);
    for (i = 0; i <= flow->shares; i++) {
        struct cs_maxmin_resource *resource =
            &maxmin->resources[shares[i].resource];

        resource->flows++;
        resource->weight += shares[i].weight;
        maxmin_join_group(maxmin, number * maxmin->stride + i,
                          shares[i].resource, holder);
    }
}

static void maxmin_disengage(struct cs_maxmin *maxmin, uint32_t number)
{
    const struct cs_maxmin_flow *flow = &maxmin->flows[number];
    const struct cs_maxmin_share *shares = shares_of(maxmin, number);
    uint32_t i;

    for (i = 0; i <= flow->shares; i++) {
        struct cs_maxmin_resource *resource =
            &maxmin->resources[shares[i].resource];

        resource->weight -= shares[i].weight;
        if (--resource->flows == 0)
            resource->weight = 0;
        leave_group(maxmin, number * maxmin->stride + i);
        if (resource->flows == 0)
            resource->taken_Bps = resource->fastest_Bps = 0;
    }
}

static void change_holder(struct cs_maxmin *maxmin, uint32_t number,
                          uint32_t holder)
{
    struct cs_maxmin_flow *flow = &maxmin->flows[number];
    const struct cs_maxmin_share *shares = shares_of(maxmin, number);
    uint32_t i;

    note_moved(maxmin, number);
    flow->holder = holder;
    for (i = 0; i <= flow->shares; i++) {
        leave_group(maxmin, number * maxmin->stride + i);
        maxmin_join_group(maxmin, number * maxmin->stride + i,
                          shares[i].resource, holder);
    }
}

/* ---- flows come and go ---- */

/* Sums up the weights of a server that the flow crosses more than once. */
static uint32_t gather_shares(struct cs_maxmin *maxmin,
                              struct cs_maxmin_share *shares,
                              const struct cs_maxmin_use *uses, uint32_t count)
{
    uint32_t shared = 0;
    uint32_t i;

    maxmin->added++;
    for (i = 0; i < count; i++) {
        struct cs_maxmin_resource *resource =
            &maxmin->resources[uses[i].resource];

        if (resource->last_added == maxmin->added) {
            shares[resource->last_share].weight += uses[i].weight;
            continue;
        }
        resource->last_added = maxmin->added;
        resource->last_share = shared;
        shares[shared++] =
            (struct cs_maxmin_share){.weight = uses[i].weight,
                                     .resource = uses[i].resource,
                                     .before = CS_MAXMIN_NONE,
                                     .after = CS_MAXMIN_NONE};
    }
    return shared;
}

/* The parts of the capacity that a flow takes at its limit, rounded up, but
 * not for less than what rounding of the limit may have made of it. */
static uint32_t parts_of(const struct cs_maxmin_share *share, double limit_Bps,
                         double capacity_Bps)
{
    double parts = share->weight * limit_Bps / capacity_Bps * (double)WHOLE;

    return (uint32_t)ceil(parts - 1e-3);
}

static void maxmin_join(struct cs_maxmin *maxmin, uint32_t flow,
                        uint32_t number)
{
    struct cs_maxmin_share *share = &shares_of(maxmin, flow)[number];
    struct cs_maxmin_resource *resource = &maxmin->resources[share->resource];

    share->demand =
        parts_of(share, maxmin->flows[flow].limit_Bps, resource->capacity_Bps);
    share->member = resource->count;
    if (resource->count == resource->room) {
        resource->room = resource->room ? 2 * resource->room : 4;
        resource->members = cs_grow(resource->members, resource->room,
                                    sizeof(*resource->members));
    }
    resource->members[resource->count++] = (struct member){flow, number};
    resource->demand += share->demand;
}

double cs_maxmin_add(struct cs_maxmin *maxmin, uint32_t number,
                     const struct cs_maxmin_use *uses, uint32_t count,
                     double limit_Bps)
{
    struct cs_maxmin_share *shares;
    struct cs_maxmin_flow *flow;
    bool unsaturated = true;
    uint32_t i;

    maxmin_make_room(maxmin, number, count + 1);
    shares = shares_of(maxmin, number);
    flow = &maxmin->flows[number];
    *flow = (struct cs_maxmin_flow){
        .limit_Bps = limit_Bps,
        .shares = gather_shares(maxmin, shares, uses, count)};
    for (i = 0; i < flow->shares; i++) {
        double alone_Bps = maxmin->resources[shares[i].resource].capacity_Bps /
                           shares[i].weight;

        if (alone_Bps < flow->limit_Bps)
            flow->limit_Bps = alone_Bps;
    }
    for (i = 0; i < flow->shares; i++) {
        maxmin_join(maxmin, number, i);
        unsaturated = unsaturated &&
                      is_unsaturated(&maxmin->resources[shares[i].resource]);
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
    const struct cs_maxmin_share *shares = shares_of(maxmin, number);
    uint32_t i;

    for (i = 0; i < flow->shares; i++) {
        struct cs_maxmin_resource *resource =
            &maxmin->resources[shares[i].resource];
        struct member last = resource->members[--resource->count];

        resource->demand -= shares[i].demand;
        resource->members[shares[i].member] = last;
        shares_of(maxmin, last.flow)[last.share].member = shares[i].member;
        if (is_unsaturated(resource))
            resource->joined = false;
    }
    if (flow->state == FRESH) {
        uint32_t last = maxmin->fresh[--maxmin->fresh_count];

        maxmin->fresh[flow->fresh] = last;
        maxmin->flows[last].fresh = flow->fresh;
    } else if (flow->state == HELD) {
        maxmin_disengage(maxmin, number);
    }
}

/* ---- solving ---- */

/* All flows of a server that is not roomy any more take part. */
static void maxmin_join_all(struct cs_maxmin *maxmin, uint32_t id)
{
    uint32_t i;

    if (maxmin->resources[id].joined)
        return;
    maxmin->resources[id].joined = true;
    for (i = 0; i < maxmin->resources[id].count; i++) {
        uint32_t flow = maxmin->resources[id].members[i].flow;

        if (maxmin->flows[flow].state != HELD)
            maxmin_engage(maxmin, flow);
    }
}

/* Flows that came while a server was not roomy take part if one still is not;
 * else they are free. */
static void maxmin_let_in(struct cs_maxmin *maxmin)
{
    uint32_t i;
    uint32_t k;

    for (i = 0; i < maxmin->fresh_count; i++) {
        uint32_t number = maxmin->fresh[i];
        struct cs_maxmin_flow *flow = &maxmin->flows[number];
        const struct cs_maxmin_share *shares = shares_of(maxmin, number);

        for (k = 0; k < flow->shares; k++)
            if (!is_unsaturated(&maxmin->resources[shares[k].resource])) {
                make_lists(maxmin);
                maxmin_join_all(maxmin, shares[k].resource);
                if (flow->state == FRESH)
                    maxmin_engage(maxmin, number);
            }
        if (flow->state == FRESH) {
            flow->state = FREE;
            note_moved(maxmin, number);
        }
    }
    maxmin->fresh_count = 0;
}

/* Sums up what others take of it, and lists whom it might take over. */
static void maxmin_look_around(struct cs_maxmin *maxmin, uint32_t id,
                               double level_Bps)
{
    struct cs_maxmin_resource *resource = &maxmin->resources[id];
    uint32_t i;

    maxmin->above.count = 0;
    resource->taken_Bps = 0;
    resource->fastest_Bps = 0;
    resource->sums = 0;
    for (i = resource->row; i != CS_MAXMIN_NONE;
         i = maxmin->groups[i].row_after) {
        const struct cs_maxmin_group *group = &maxmin->groups[i];
        double other_Bps = maxmin->resources[group->by].level_Bps;

        if (group->by == id)
            continue;
        resource->taken_Bps += group->weight * other_Bps;
        if (other_Bps > resource->fastest_Bps)
            resource->fastest_Bps = other_Bps;
        if (other_Bps > level_Bps)
            maxmin->above.items[maxmin->above.count++] = (struct cs_heap_item){
                .key = ~cs_heap_key(other_Bps), .tie = group->by, .number = i};
    }
    cs_heap_order(&maxmin->above);
}

/* The server holds the flows of that group from now on. */
static void take_over(struct cs_maxmin *maxmin, uint32_t group, uint32_t id)
{
    uint32_t count = maxmin->groups[group].count;

    while (count-- > 0)
        change_holder(maxmin, maxmin->groups[group].first / maxmin->stride, id);
}

/* A limit lets nobody pass it. */
static void set_limit_right(struct cs_maxmin *maxmin, uint32_t id)
{
    double level_Bps = maxmin->resources[id].level_Bps;
    uint32_t i;

    maxmin_look_around(maxmin, id, level_Bps + maxmin_near(maxmin, level_Bps));
    for (i = 0; i < maxmin->above.count; i++)
        take_over(maxmin, maxmin->above.items[i].number, id);
}

/* Tells all that are crossed by flows that it holds. */
static void maxmin_report(struct cs_maxmin *maxmin, uint32_t id,
                          double level_Bps)
{
    struct cs_maxmin_resource *resource = &maxmin->resources[id];
    double before_Bps = resource->level_Bps;
    uint32_t i;

    if (fabs(level_Bps - before_Bps) <= maxmin_near(maxmin, level_Bps))
        return;
    resource->level_Bps = level_Bps;
    if (!resource->changed)
        maxmin->changed[maxmin->changed_count++] = id;
    resource->changed = true;
    for (i = resource->column; i != CS_MAXMIN_NONE;
         i = maxmin->groups[i].column_after)
        if (maxmin->groups[i].at != id)
            maxmin_take(maxmin, maxmin->groups[i].at,
                        maxmin->groups[i].weight * (level_Bps - before_Bps),
                        level_Bps);
}

/* The level at which the server is full, when it has taken over those that
 * would be above it. */
static void set_right(struct cs_maxmin *maxmin, uint32_t id)
{
    struct cs_maxmin_resource *resource = &maxmin->resources[id];
    double weight;
    double level_Bps = own_level(maxmin, id, &weight);

    if (weight > 0 && resource->sums <= SUMS_MAX &&
        resource->fastest_Bps <= maxmin_above(maxmin, level_Bps)) {
        maxmin_report(maxmin, id, level_Bps);
        return;
    }
    maxmin_look_around(maxmin, id, weight > 0 ? fmax(level_Bps, 0) : 0);
    level_Bps = own_level(maxmin, id, &weight);
    while (maxmin->above.count) {
        uint32_t group = maxmin->above.items[0].number;
        double other_Bps =
            maxmin->resources[maxmin->groups[group].by].level_Bps;

        if (weight > 0 ? other_Bps <= maxmin_above(maxmin, level_Bps)
                       : resource->taken_Bps <=
                             maxmin_above(maxmin, resource->capacity_Bps))
            break;
        cs_heap_remove(&maxmin->above, 0);
        take_over(maxmin, group, id);
        maxmin_look_around(maxmin, id, 0);
        level_Bps = own_level(maxmin, id, &weight);
    }
    if (weight > 0)
        maxmin_report(maxmin, id, level_Bps);
}

/* The stale server that is next is set right. */
static void settle_one(struct cs_maxmin *maxmin)
{
    uint32_t id = maxmin->stale.items[0].number;

    cs_heap_remove(&maxmin->stale, 0);
    maxmin->looked++;
    if (is_limit(maxmin, id))
        set_limit_right(maxmin, id);
    else
        set_right(maxmin, id);
    /* What it does to itself, it knows. */
    if (maxmin->stale.place[id] != CS_HEAP_NOWHERE)
        cs_heap_remove(&maxmin->stale, maxmin->stale.place[id]);
}

bool cs_maxmin_solve(struct cs_maxmin *maxmin)
{
    uint64_t tolerance;
    uint32_t i;

    maxmin->moved_count = 0;
    maxmin->changed_count = 0;
    maxmin->slack = SLACK;
    maxmin_let_in(maxmin);
    tolerance = maxmin->tolerance * (uint64_t)maxmin->holder_count;
    while (maxmin->stale.count && maxmin->slack <= SLACK_MAX) {
        if (tolerance-- == 0) {
            maxmin->slack *= 2;
            tolerance = maxmin->tolerance * (uint64_t)maxmin->holder_count;
        }
        settle_one(maxmin);
    }
    for (i = 0; i < maxmin->moved_count; i++)
        maxmin->flows[maxmin->moved[i]].moved = false;
    for (i = 0; i < maxmin->changed_count; i++)
        maxmin->resources[maxmin->changed[i]].changed = false;
    return maxmin->stale.count == 0;
}
