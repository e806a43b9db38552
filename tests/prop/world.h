/*
 * What property tests of network models share: random nets, messages sent over
 * them at random times, and a run of a model on them without an executor.
 *
 * Links have random rates and latencies, some share a server with the route back
 * or with any other link, and routes cross other parties' nodes and at times
 * the same server twice.
 */
#pragma once

#include "tests/fixture.h"

enum {
    PARTIES = 6,
    NODES = 12,
    LINKS_MAX = NODES * NODES,
    MESSAGES = 60,
    NOT_A_LINK = UINT32_MAX,
    EVENT_SEND = CS_EVENT_KINDS, /* a message starts */
};

/* ---- a random net and what is sent over it ---- */

struct world_route {
    uint32_t hops;
    uint32_t links[ROUTE_HOPS];
};

struct plan {
    uint32_t src, dst, channel;
    uint64_t bytes;
    uint32_t after;   /* message whose delivery it follows, or itself */
    uint64_t wait_ps; /* after that, or after the start */
};

struct world {
    struct cs_arena arena;
    struct cs_random *random;
    struct cs_net net;
    struct cs_model_params params;
    struct cs_net_link links[LINKS_MAX];
    struct cs_net_party parties[PARTIES];
    uint32_t link_of[NODES][NODES];
    struct world_route routes[PARTIES][PARTIES];
    struct plan plans[MESSAGES];
    uint64_t zero_in; /* one link in so many has no latency; 0: none */
};

static inline uint64_t below(struct world *world, uint64_t limit)
{
    return cs_random_below(world->random, limit);
}

/* Its own server, that of the route back, or that of any link so far. */
static inline uint32_t draw_resource(struct world *world, uint32_t from, uint32_t to)
{
    uint32_t back = world->link_of[to][from];

    switch (below(world, 6)) {
    case 0:
        if (world->net.link_count)
            return world->links[below(world, world->net.link_count)].resource;
        return world->net.resource_count++;
    case 1:
    case 2:
        if (back != NOT_A_LINK)
            return world->links[back].resource;
        return world->net.resource_count++;
    default:
        return world->net.resource_count++;
    }
}

/* Odd, so that sums of them seldom meet; or nothing. */
static inline uint64_t draw_latency(struct world *world)
{
    if (world->zero_in && below(world, world->zero_in) == 0)
        return 0;
    return 2 * below(world, 400000) + 1;
}

static inline uint32_t link_between(struct world *world, uint32_t from, uint32_t to)
{
    uint32_t *id = &world->link_of[from][to];

    if (*id != NOT_A_LINK)
        return *id;
    world->links[world->net.link_count] = (struct cs_net_link){
        .rate_Bps = 1e9 * (1 + 40 * cs_random_unit(world->random)),
        .latency_ps = draw_latency(world),
        .resource = draw_resource(world, from, to),
        .from = from,
        .to = to,
    };
    *id = world->net.link_count++;
    return *id;
}

/* One to five links over any nodes, other parties' among them. */
static inline void draw_route(struct world *world, uint32_t src, uint32_t dst)
{
    struct world_route *route = &world->routes[src][dst];
    uint32_t at = src;

    route->hops = (uint32_t)below(world, ROUTE_HOPS) + 1;
    for (uint32_t i = 0; i < route->hops; i++) {
        uint32_t next = dst;

        while (i + 1 < route->hops && (next == dst || next == at))
            next = (uint32_t)below(world, NODES);
        /* The last link must not lead from a node to itself. */
        if (i + 2 == route->hops && next == dst)
            next = (dst + 1) % NODES;
        route->links[i] = link_between(world, at, next);
        at = next;
    }
}

static inline uint32_t world_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct world *world = ctx;
    const struct world_route *route = &world->routes[src][dst];

    memcpy(links, route->links, route->hops * sizeof(*links));
    return route->hops;
}

/* Where links are without latency no message is empty: an empty message leaves with the
 * one that it waited behind, and they would tie from then on. */
static inline uint64_t draw_bytes(struct world *world)
{
    if (world->zero_in)
        return 1 + below(world, 20000);
    return below(world, 8) ? below(world, 20000) : 0;
}

static inline void draw_plans(struct world *world)
{
    for (uint32_t i = 0; i < MESSAGES; i++) {
        uint32_t src = (uint32_t)below(world, PARTIES);
        uint32_t dst = (src + 1 + (uint32_t)below(world, PARTIES - 1)) % PARTIES;

        world->plans[i] = (struct plan){
            .src = src,
            .dst = dst,
            .bytes = draw_bytes(world),
            .after = below(world, 2) ? (uint32_t)below(world, i + 1) : i,
            .wait_ps = below(world, 3000000),
        };
    }
}

/* A net whose routes are drawn so, without messages. */
static inline void world_make(struct world *world, struct cs_random *random, uint64_t zero_in,
                              void (*draw)(struct world *, uint32_t src, uint32_t dst))
{
    *world = (struct world){.random = random, .zero_in = zero_in};
    memset(world->link_of, 0xff, sizeof(world->link_of));
    for (uint32_t src = 0; src < PARTIES; src++) {
        world->parties[src].node = src;
        for (uint32_t dst = 0; dst < PARTIES; dst++)
            if (dst != src)
                draw(world, src, dst);
    }
    world->net.links = world->links;
    world->net.parties = world->parties;
    world->net.party_count = PARTIES;
    world->net.node_count = NODES;
    world->net.route = world_route;
    world->net.route_ctx = world;
    world->net.max_hops = ROUTE_HOPS;
    cs_net_finish(&world->net);
}

static inline void world_draw(struct world *world, struct cs_random *random)
{
    world_make(world, random, cs_random_below(random, 5), draw_route);
    draw_plans(world);
}

/* ---- a run of one model ---- */

struct run {
    struct cs_traffic traffic;
    struct cs_message messages[MESSAGES];
    uint64_t delivered_ps[MESSAGES];
    uint32_t order[MESSAGES]; /* of delivery */
    uint32_t delivered;
    uint32_t forgotten[MESSAGES]; /* times that the model has done with it */
    uint64_t events;
};

static inline void start_message(struct world *world, struct run *run,
                                 const struct cs_link_model *model, uint32_t number)
{
    const struct plan *plan = &world->plans[number];
    const struct world_route *route = &world->routes[plan->src][plan->dst];
    uint64_t now_ps = run->traffic.events.now_ps;
    struct cs_delivery delivery;

    run->messages[number] = (struct cs_message){.bytes = plan->bytes,
                                                .sent_ps = now_ps,
                                                .head_ps = now_ps,
                                                .tail_ps = now_ps,
                                                .src = plan->src,
                                                .dst = plan->dst,
                                                .channel = plan->channel,
                                                .hops = route->hops,
                                                .route = route->links};
    delivery = model->send(&run->traffic, number);
    if (delivery.kind != CS_IN_FLIGHT)
        cs_events_add(&run->traffic.events, delivery.at_ps, cs_delivery_event(delivery.kind),
                      number);
}

static inline void deliver(struct world *world, struct run *run, uint32_t number)
{
    run->delivered_ps[number] = run->traffic.events.now_ps;
    if (run->delivered < MESSAGES)
        run->order[run->delivered] = number;
    run->delivered++;
    for (uint32_t i = number + 1; i < MESSAGES; i++)
        if (world->plans[i].after == number)
            cs_events_add(&run->traffic.events,
                          run->traffic.events.now_ps + world->plans[i].wait_ps, EVENT_SEND, i);
}

static inline void run_model(struct world *world, const struct cs_link_model *model,
                             struct run *run)
{
    const struct cs_net *net = &world->net;
    struct cs_event event;
    struct cs_delivery delivery;

    memset(run, 0, sizeof(*run));
    run->traffic = (struct cs_traffic){
        .net = net,
        .params = &world->params,
        .messages = run->messages,
        .resources = cs_arena_alloc(&world->arena, net->resource_count, sizeof(struct cs_resource)),
        .use = cs_arena_alloc(&world->arena, net->link_count, sizeof(struct cs_link_use)),
    };
    if (model->open)
        model->open(&run->traffic, &world->arena);
    for (uint32_t i = 0; i < MESSAGES; i++)
        if (world->plans[i].after == i)
            cs_events_add(&run->traffic.events, world->plans[i].wait_ps, EVENT_SEND, i);
    while (cs_events_next(&run->traffic.events, &event)) {
        if (event.kind == EVENT_SEND) {
            start_message(world, run, model, event.number);
        } else if (event.kind == CS_EVENT_DELIVER) {
            deliver(world, run, event.number);
        } else if (event.kind == CS_EVENT_FORGET) {
            run->forgotten[event.number]++;
        } else if (event.kind == CS_EVENT_MODEL) {
            model->wake(&run->traffic, event.number);
        } else {
            delivery = model->move(&run->traffic, event.number);
            if (delivery.kind != CS_IN_FLIGHT)
                cs_events_add(&run->traffic.events, delivery.at_ps,
                              cs_delivery_event(delivery.kind), event.number);
        }
    }
    run->events = run->traffic.events.added;
    if (model->close)
        model->close(&run->traffic);
    cs_events_free(&run->traffic.events);
}

/* ---- what must hold ---- */

static inline void expect(bool holds, uint32_t net, const char *what)
{
    if (!holds)
        fail_msg("COLLSIM_SEED=%" PRIu64 ", net %u: %s", fixture_seed(), net, what);
}

/* Every link carries the bytes that are routed over it, for as long as its rate
 * takes.  Sums how long each server was busy. */
static inline void check_links(const struct world *world, const struct run *run, uint32_t net,
                               uint64_t busy_ps[LINKS_MAX])
{
    struct cs_link_use use[LINKS_MAX] = {{0}};

    for (uint32_t i = 0; i < MESSAGES; i++) {
        const struct plan *plan = &world->plans[i];
        const struct world_route *route = &world->routes[plan->src][plan->dst];

        for (uint32_t k = 0; k < route->hops; k++) {
            uint32_t link = route->links[k];
            uint64_t take_ps = cs_time_up((double)plan->bytes * 1e12 / world->links[link].rate_Bps);

            use[link].bytes += plan->bytes;
            use[link].messages++;
            use[link].busy_ps += take_ps;
            busy_ps[world->links[link].resource] += take_ps;
        }
    }
    for (uint32_t i = 0; i < world->net.link_count; i++) {
        expect(run->traffic.use[i].bytes == use[i].bytes, net, "bytes of a link");
        expect(run->traffic.use[i].messages == use[i].messages, net, "messages of a link");
        /* The model multiplies by the time of a byte, which is rounded: a
         * picosecond a message. */
        expect(run->traffic.use[i].busy_ps + use[i].messages >= use[i].busy_ps &&
                   run->traffic.use[i].busy_ps <= use[i].busy_ps + use[i].messages,
               net, "busy time of a link");
    }
}
