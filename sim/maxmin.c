#include "sim/maxmin.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A server's demand, all of its flows at their limits, is counted in whole
 * parts of the capacity so that adding and removing leaves nothing behind.
 * As many parts as make the halves, thirds, ... sixteenths of it whole.
 */
#define WHOLE UINT64_C(2952069120) /* 4096 * lcm(1..16) */

/* A flow of a server, and which of the flow's shares it is. */
struct member {
    uint32_t flow;
    uint32_t share;
};

struct cs_maxmin_server {
    double capacity_Bps;
    uint64_t demand;
    struct member *members;
    uint32_t count, room;
    bool stale;
    bool visited;
    uint32_t last_share; /* of the flow that was added as number... */
    uint64_t last_added;
    /* While solving: flows whose rate is still open, their weights, and what
     * the others take. */
    uint32_t open;
    double open_weight;
    double taken_Bps;
};

struct cs_maxmin_share {
    double weight;
    uint32_t server;
    uint32_t member; /* index in the server's members */
    uint32_t demand;
};

enum state {
    AT_REST,
    OPEN,
    HELD,
};

struct cs_maxmin_flow {
    double rate_Bps;
    double limit_Bps;
    uint32_t shares;
    uint32_t state; /* enum state */
};

void cs_maxmin_open(struct cs_maxmin *maxmin, const double *capacity_Bps,
                    uint32_t servers, struct cs_arena *arena)
{
    uint32_t i;

    *maxmin = (struct cs_maxmin){.server_count = servers};
    maxmin->servers = cs_arena_alloc(arena, servers, sizeof(*maxmin->servers));
    maxmin->stale = cs_arena_alloc(arena, servers, sizeof(*maxmin->stale));
    maxmin->visited_servers =
        cs_arena_alloc(arena, servers, sizeof(*maxmin->visited_servers));
    maxmin->full.items =
        cs_arena_alloc(arena, servers, sizeof(*maxmin->full.items));
    for (i = 0; i < servers; i++)
        maxmin->servers[i].capacity_Bps = capacity_Bps[i];
}

void cs_maxmin_free(struct cs_maxmin *maxmin)
{
    uint32_t i;

    for (i = 0; i < maxmin->server_count; i++)
        free(maxmin->servers[i].members);
    free(maxmin->flows);
    free(maxmin->shares);
    free(maxmin->changed);
    free(maxmin->visited_flows);
    free(maxmin->limits.items);
    *maxmin = (struct cs_maxmin){0};
}

double cs_maxmin_rate_Bps(const struct cs_maxmin *maxmin, uint32_t number)
{
    return maxmin->flows[number].rate_Bps;
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

static bool is_roomy(const struct cs_maxmin_server *server)
{
    return server->demand <= WHOLE;
}

/* ---- room ---- */

static void widen_shares(struct cs_maxmin *maxmin, uint32_t stride)
{
    struct cs_maxmin_share *wide =
        cs_grow(NULL, (size_t)maxmin->flow_room * stride, sizeof(*wide));
    uint32_t i;

    for (i = 0; i < maxmin->flow_room; i++)
        memcpy(&wide[(size_t)i * stride], shares_of(maxmin, i),
               maxmin->stride * sizeof(*wide));
    free(maxmin->shares);
    maxmin->shares = wide;
    maxmin->stride = stride;
}

static void make_room(struct cs_maxmin *maxmin, uint32_t flow, uint32_t shares)
{
    uint32_t room = maxmin->flow_room ? maxmin->flow_room : 64;

    if (shares > maxmin->stride && maxmin->flow_room)
        widen_shares(maxmin, shares);
    else if (shares > maxmin->stride)
        maxmin->stride = shares;
    if (flow < maxmin->flow_room)
        return;
    while (room <= flow)
        room *= 2;
    maxmin->flows = cs_grow(maxmin->flows, room, sizeof(*maxmin->flows));
    maxmin->shares = cs_grow(maxmin->shares, (size_t)room * maxmin->stride,
                             sizeof(*maxmin->shares));
    maxmin->changed = cs_grow(maxmin->changed, room, sizeof(uint32_t));
    maxmin->visited_flows =
        cs_grow(maxmin->visited_flows, room, sizeof(uint32_t));
    maxmin->limits.items =
        cs_grow(maxmin->limits.items, room, sizeof(*maxmin->limits.items));
    maxmin->flow_room = room;
}

/* ---- flows come and go ---- */

static void make_stale(struct cs_maxmin *maxmin, uint32_t id)
{
    struct cs_maxmin_server *server = &maxmin->servers[id];

    if (server->stale)
        return;
    server->stale = true;
    maxmin->stale[maxmin->stale_count++] = id;
}

/* Sums up the weights of a server that the flow crosses more than once. */
static uint32_t gather_shares(struct cs_maxmin *maxmin,
                              struct cs_maxmin_share *shares,
                              const struct cs_maxmin_use *uses, uint32_t count)
{
    uint32_t shared = 0;
    uint32_t i;

    maxmin->added++;
    for (i = 0; i < count; i++) {
        struct cs_maxmin_server *server = &maxmin->servers[uses[i].server];

        if (server->last_added == maxmin->added) {
            shares[server->last_share].weight += uses[i].weight;
            continue;
        }
        server->last_added = maxmin->added;
        server->last_share = shared;
        shares[shared++] = (struct cs_maxmin_share){.weight = uses[i].weight,
                                                    .server = uses[i].server};
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

static void join(struct cs_maxmin *maxmin, uint32_t flow, uint32_t number)
{
    struct cs_maxmin_share *share = &shares_of(maxmin, flow)[number];
    struct cs_maxmin_server *server = &maxmin->servers[share->server];

    share->demand =
        parts_of(share, maxmin->flows[flow].limit_Bps, server->capacity_Bps);
    share->member = server->count;
    if (server->count == server->room) {
        server->room = server->room ? 2 * server->room : 4;
        server->members =
            cs_grow(server->members, server->room, sizeof(*server->members));
    }
    server->members[server->count++] = (struct member){flow, number};
    server->demand += share->demand;
}

double cs_maxmin_add(struct cs_maxmin *maxmin, uint32_t number,
                     const struct cs_maxmin_use *uses, uint32_t count,
                     double limit_Bps)
{
    struct cs_maxmin_share *shares;
    struct cs_maxmin_flow *flow;
    bool roomy = true;
    uint32_t i;

    make_room(maxmin, number, count);
    shares = shares_of(maxmin, number);
    flow = &maxmin->flows[number];
    *flow = (struct cs_maxmin_flow){
        .limit_Bps = limit_Bps,
        .shares = gather_shares(maxmin, shares, uses, count)};
    for (i = 0; i < flow->shares; i++) {
        double alone_Bps =
            maxmin->servers[shares[i].server].capacity_Bps / shares[i].weight;

        if (alone_Bps < flow->limit_Bps)
            flow->limit_Bps = alone_Bps;
    }
    for (i = 0; i < flow->shares; i++) {
        join(maxmin, number, i);
        if (is_roomy(&maxmin->servers[shares[i].server]))
            continue;
        make_stale(maxmin, shares[i].server);
        roomy = false;
    }
    if (roomy)
        flow->rate_Bps = flow->limit_Bps;
    return flow->rate_Bps;
}

void cs_maxmin_remove(struct cs_maxmin *maxmin, uint32_t number)
{
    const struct cs_maxmin_flow *flow = &maxmin->flows[number];
    const struct cs_maxmin_share *shares = shares_of(maxmin, number);
    uint32_t i;

    for (i = 0; i < flow->shares; i++) {
        struct cs_maxmin_server *server = &maxmin->servers[shares[i].server];
        struct member last = server->members[--server->count];

        if (!is_roomy(server))
            make_stale(maxmin, shares[i].server);
        server->demand -= shares[i].demand;
        server->members[shares[i].member] = last;
        shares_of(maxmin, last.flow)[last.share].member = shares[i].member;
    }
}

/* ---- who is affected ---- */

static void visit_server(struct cs_maxmin *maxmin, uint32_t id)
{
    struct cs_maxmin_server *server = &maxmin->servers[id];

    if (server->visited)
        return;
    server->visited = true;
    server->open = 0;
    server->open_weight = 0;
    server->taken_Bps = 0;
    maxmin->visited_servers[maxmin->visited_server_count++] = id;
}

/* Positive numbers are in the order of their bits. */
static uint64_t key_of(double rate_Bps)
{
    uint64_t key;

    memcpy(&key, &rate_Bps, sizeof(key));
    return key;
}

static double rate_of(uint64_t key)
{
    double rate_Bps;

    memcpy(&rate_Bps, &key, sizeof(rate_Bps));
    return rate_Bps;
}

/* A flow that takes all of a server that is not roomy is held by that, at its
 * limit or before; only others need their limit looked after. */
static void visit_flow(struct cs_maxmin *maxmin, uint32_t number)
{
    struct cs_maxmin_flow *flow = &maxmin->flows[number];
    const struct cs_maxmin_share *shares = shares_of(maxmin, number);
    bool limited = true;
    uint32_t i;

    if (flow->state != AT_REST)
        return;
    flow->state = OPEN;
    maxmin->visited_flows[maxmin->visited_flow_count++] = number;
    for (i = 0; i < flow->shares; i++) {
        struct cs_maxmin_server *server = &maxmin->servers[shares[i].server];

        if (is_roomy(server))
            continue;
        visit_server(maxmin, shares[i].server);
        server->open++;
        server->open_weight += shares[i].weight;
        limited = limited && shares[i].demand < WHOLE;
    }
    if (limited)
        maxmin->limits.items[maxmin->limits.count++] = (struct cs_heap_item){
            .key = key_of(flow->limit_Bps), .tie = number, .number = number};
}

/* All flows that the stale servers reach. */
static void visit(struct cs_maxmin *maxmin)
{
    uint32_t i;
    uint32_t k;

    for (i = 0; i < maxmin->stale_count; i++) {
        maxmin->servers[maxmin->stale[i]].stale = false;
        visit_server(maxmin, maxmin->stale[i]);
    }
    maxmin->stale_count = 0;
    for (i = 0; i < maxmin->visited_server_count; i++) {
        uint32_t id = maxmin->visited_servers[i];

        for (k = 0; k < maxmin->servers[id].count; k++)
            visit_flow(maxmin, maxmin->servers[id].members[k].flow);
    }
}

/* ---- progressive filling ---- */

/* The rate of open flows at which the server is full. */
static double full_at(const struct cs_maxmin_server *server)
{
    return (server->capacity_Bps - server->taken_Bps) / server->open_weight;
}

static void begin_filling(struct cs_maxmin *maxmin)
{
    uint32_t i;

    for (i = 0; i < maxmin->visited_server_count; i++) {
        uint32_t id = maxmin->visited_servers[i];
        const struct cs_maxmin_server *server = &maxmin->servers[id];

        if (!is_roomy(server))
            maxmin->full.items[maxmin->full.count++] = (struct cs_heap_item){
                .key = key_of(full_at(server)), .tie = id, .number = id};
    }
    cs_heap_order(&maxmin->full);
    cs_heap_order(&maxmin->limits);
}

/* The rate at which the next server is full, which is the top of the heap
 * then; INFINITY if none is left.  A server is full later, not sooner, than
 * when it was last looked at: rates that were held since are smaller. */
static double next_full(struct cs_maxmin *maxmin)
{
    struct cs_heap *full = &maxmin->full;

    while (full->count) {
        const struct cs_maxmin_server *server =
            &maxmin->servers[full->items[0].number];
        double now_Bps;

        if (server->open == 0) {
            cs_heap_remove(full, 0);
            continue;
        }
        now_Bps = full_at(server);
        if (!(now_Bps > rate_of(full->items[0].key)))
            return rate_of(full->items[0].key);
        cs_heap_change(full, 0, key_of(now_Bps));
    }
    return (double)INFINITY;
}

static double next_limit(struct cs_maxmin *maxmin)
{
    struct cs_heap *limits = &maxmin->limits;

    while (limits->count &&
           maxmin->flows[limits->items[0].number].state == HELD)
        cs_heap_remove(limits, 0);
    return limits->count ? rate_of(limits->items[0].key) : (double)INFINITY;
}

static void hold(struct cs_maxmin *maxmin, uint32_t number, double rate_Bps)
{
    struct cs_maxmin_flow *flow = &maxmin->flows[number];
    const struct cs_maxmin_share *shares = shares_of(maxmin, number);
    uint32_t i;

    if (rate_Bps > flow->limit_Bps)
        rate_Bps = flow->limit_Bps;
    flow->state = HELD;
    if (rate_Bps != flow->rate_Bps)
        maxmin->changed[maxmin->changed_count++] = number;
    flow->rate_Bps = rate_Bps;
    for (i = 0; i < flow->shares; i++) {
        struct cs_maxmin_server *server = &maxmin->servers[shares[i].server];

        if (is_roomy(server))
            continue;
        server->open--;
        server->open_weight -= shares[i].weight;
        server->taken_Bps += shares[i].weight * rate_Bps;
    }
}

/* Holds the open flows of a full server and returns how many. */
static uint32_t hold_members(struct cs_maxmin *maxmin, uint32_t id,
                             double rate_Bps)
{
    const struct cs_maxmin_server *server = &maxmin->servers[id];
    uint32_t held = server->open;
    uint32_t i;

    for (i = 0; i < server->count; i++)
        if (maxmin->flows[server->members[i].flow].state == OPEN)
            hold(maxmin, server->members[i].flow, rate_Bps);
    return held;
}

/* What is left of a server may come out a little low; the level never falls. */
static void fill(struct cs_maxmin *maxmin)
{
    uint32_t open = maxmin->visited_flow_count;
    double level_Bps = 0;

    while (open > 0) {
        double full_Bps = next_full(maxmin);
        double limit_Bps = next_limit(maxmin);

        assert(maxmin->full.count || maxmin->limits.count);
        if (limit_Bps <= full_Bps) {
            hold(maxmin, maxmin->limits.items[0].number, limit_Bps);
            open--;
        } else {
            if (full_Bps > level_Bps)
                level_Bps = full_Bps;
            open -=
                hold_members(maxmin, maxmin->full.items[0].number, level_Bps);
        }
    }
}

void cs_maxmin_solve(struct cs_maxmin *maxmin)
{
    uint32_t i;

    maxmin->changed_count = 0;
    maxmin->visited_flow_count = 0;
    maxmin->visited_server_count = 0;
    maxmin->full.count = 0;
    maxmin->limits.count = 0;
    visit(maxmin);
    begin_filling(maxmin);
    fill(maxmin);
    for (i = 0; i < maxmin->visited_server_count; i++)
        maxmin->servers[maxmin->visited_servers[i]].visited = false;
    for (i = 0; i < maxmin->visited_flow_count; i++)
        maxmin->flows[maxmin->visited_flows[i]].state = AT_REST;
}
