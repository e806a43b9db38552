/*
 * Model `packet` on random nets, and on machines against the other models.
 *
 * The nets are without circles, so that everything arrives: the inner nodes of
 * a route have rising numbers.  Servers are shared at random.  That credits are
 * neither made nor lost is asserted where they are kept (sim/models/packet/credits.c).
 */
#include "sim/engine/model.h"
#include "sim/models/params/params.h"

#include "tests/fixture.h"

enum {
    PARTIES = 6,
    INNER = 8,
    NODES = PARTIES + INNER,
    LINKS_MAX = NODES * NODES,
    MESSAGES = 80,
    NETS = 600,
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
    uint64_t at_ps;
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
};

static uint64_t below(struct world *world, uint64_t limit)
{
    return cs_random_below(world->random, limit);
}

static uint32_t draw_resource(struct world *world)
{
    if (world->net.link_count && below(world, 5) == 0)
        return world->links[below(world, world->net.link_count)].resource;
    return world->net.resource_count++;
}

static uint32_t link_between(struct world *world, uint32_t from, uint32_t to)
{
    uint32_t *id = &world->link_of[from][to];

    if (*id != NOT_A_LINK)
        return *id;
    world->links[world->net.link_count] = (struct cs_net_link){
        .rate_Bps = 1e9 * (1 + 40 * cs_random_unit(world->random)),
        .latency_ps = below(world, 4) ? below(world, 500000) : 0,
        .resource = draw_resource(world),
        .from = from,
        .to = to,
    };
    *id = world->net.link_count++;
    return *id;
}

static void draw_route(struct world *world, uint32_t src, uint32_t dst)
{
    struct world_route *route = &world->routes[src][dst];
    uint32_t at = src;
    uint32_t inner = PARTIES + (uint32_t)below(world, 3);

    while (route->hops < ROUTE_HOPS - 1 && inner < NODES && below(world, 4)) {
        route->links[route->hops++] = link_between(world, at, inner);
        at = inner;
        inner += 1 + (uint32_t)below(world, 4);
    }
    route->links[route->hops++] = link_between(world, at, dst);
}

static uint64_t draw_bytes(struct world *world)
{
    switch (below(world, 6)) {
    case 0:
        return below(world, 3);
    case 1:
        return below(world, 200000);
    default:
        return below(world, 20000);
    }
}

static void draw_plans(struct world *world)
{
    for (uint32_t i = 0; i < MESSAGES; i++) {
        uint32_t src = (uint32_t)below(world, PARTIES);

        world->plans[i] = (struct plan){
            .src = src,
            .dst = (src + 1 + (uint32_t)below(world, PARTIES - 1)) % PARTIES,
            .channel = (uint32_t)below(world, 2),
            .bytes = draw_bytes(world),
            .at_ps = below(world, 3) ? below(world, 20000000) : 0,
        };
    }
}

static void world_draw(struct world *world, struct cs_random *random)
{
    *world = (struct world){.random = random};
    memset(world->link_of, 0xff, sizeof(world->link_of));
    for (uint32_t src = 0; src < PARTIES; src++) {
        world->parties[src].node = src;
        for (uint32_t dst = 0; dst < PARTIES; dst++)
            if (dst != src)
                draw_route(world, src, dst);
    }
    world->net.links = world->links;
    world->net.parties = world->parties;
    world->net.party_count = PARTIES;
    world->net.node_count = NODES;
    world->net.max_hops = ROUTE_HOPS;
    world->params.packet = (struct cs_packet_params){
        .payload_bytes = below(world, 2) ? 1 + (uint32_t)below(world, 4000) : 0,
        .header_bytes = (uint32_t)(below(world, 2) * below(world, 100)),
        .buffer_bytes = below(world, 2) * below(world, 20000),
    };
    if (world->params.packet.payload_bytes && world->params.packet.payload_bytes < 64)
        world->params.packet.payload_bytes += 64;
    cs_net_finish(&world->net);
    draw_plans(world);
}

/* ---- a run ---- */

struct run {
    struct cs_traffic traffic;
    struct cs_message messages[MESSAGES];
    uint64_t delivered_ps[MESSAGES];
    uint32_t order[MESSAGES]; /* of delivery */
    uint32_t delivered;
    uint32_t forgotten[MESSAGES]; /* times that the model has done with it */
};

static void start_message(const struct world *world, struct run *run,
                          const struct cs_link_model *model, uint32_t number)
{
    const struct plan *plan = &world->plans[number];
    const struct world_route *route = &world->routes[plan->src][plan->dst];

    run->messages[number] = (struct cs_message){.bytes = plan->bytes,
                                                .sent_ps = plan->at_ps,
                                                .src = plan->src,
                                                .dst = plan->dst,
                                                .channel = plan->channel,
                                                .hops = route->hops,
                                                .route = route->links};
    model->send(&run->traffic, number);
}

static void run_packets(struct world *world, struct run *run)
{
    const struct cs_link_model *model = cs_link_model_find("packet");
    const struct cs_net *net = &world->net;
    struct cs_arena *arena = &world->arena;
    struct cs_event event;

    memset(run, 0, sizeof(*run));
    run->traffic = (struct cs_traffic){
        .net = net,
        .params = &world->params,
        .messages = run->messages,
        .resources = cs_arena_alloc(arena, net->resource_count, sizeof(struct cs_resource)),
        .use = cs_arena_alloc(arena, net->link_count, sizeof(struct cs_link_use)),
    };
    model->open(&run->traffic, arena);
    for (uint32_t i = 0; i < MESSAGES; i++)
        cs_events_add(&run->traffic.events, world->plans[i].at_ps, EVENT_SEND, i);
    while (cs_events_next(&run->traffic.events, &event)) {
        if (event.kind == EVENT_SEND) {
            start_message(world, run, model, event.number);
        } else if (event.kind == CS_EVENT_DELIVER) {
            run->delivered_ps[event.number] = event.at_ps;
            if (run->delivered < MESSAGES)
                run->order[run->delivered] = event.number;
            run->delivered++;
        } else if (event.kind == CS_EVENT_FORGET) {
            run->forgotten[event.number]++;
        } else {
            model->wake(&run->traffic, event.number);
        }
    }
    model->close(&run->traffic);
    cs_events_free(&run->traffic.events);
}

/* ---- what must hold ---- */

static void expect(bool holds, uint32_t net, const char *what)
{
    if (!holds)
        fail_msg("COLLSIM_SEED=%" PRIu64 ", net %u: %s", fixture_seed(), net, what);
}

/* Of a message, with the headers of its packets. */
static uint64_t wire_bytes(const struct world *world, uint64_t bytes)
{
    uint32_t payload =
        world->params.packet.payload_bytes ? world->params.packet.payload_bytes : 4096;
    uint64_t count = bytes ? (bytes + payload - 1) / payload : 1;

    return bytes + count * world->params.packet.header_bytes;
}

static uint64_t take_ps(const struct world *world, uint32_t message, uint32_t link)
{
    return cs_time_up((double)wire_bytes(world, world->plans[message].bytes) *
                      world->links[link].ps_per_byte);
}

/* Once, and its number may be used again once, if the model keeps it. */
static void check_delivery(const struct world *world, const struct run *run, uint32_t net)
{
    bool lossy = world->params.packet.loss == CS_PACKET_DROP;
    bool seen[MESSAGES] = {false};

    expect(run->delivered == MESSAGES, net, "not all is delivered once");
    for (uint32_t i = 0; i < MESSAGES; i++) {
        expect(!seen[run->order[i]], net, "a message is delivered twice");
        seen[run->order[i]] = true;
        expect(run->messages[i].lingers == lossy, net, "lingers");
        expect(run->forgotten[i] == lossy, net, "is not forgotten once");
    }
}

/* No message is quicker than alone, and the parts of its time add up. */
static void check_times(const struct world *world, const struct run *run, uint32_t net)
{
    for (uint32_t i = 0; i < MESSAGES; i++) {
        const struct cs_message *message = &run->messages[i];
        const struct world_route *route = &world->routes[message->src][message->dst];
        uint64_t latency_ps = 0;
        uint64_t slowest_ps = 0;

        for (uint32_t k = 0; k < route->hops; k++) {
            uint64_t link_ps = take_ps(world, i, route->links[k]);

            latency_ps += world->links[route->links[k]].latency_ps;
            slowest_ps = link_ps > slowest_ps ? link_ps : slowest_ps;
        }
        expect(message->latency_ps == latency_ps, net, "latency");
        expect(run->delivered_ps[i] >= message->sent_ps + latency_ps + slowest_ps, net,
               "a message is quicker than light");
        expect(run->delivered_ps[i] ==
                   message->sent_ps + latency_ps + slowest_ps + message->wait_ps,
               net, "the parts of a time do not add up");
    }
}

/* To the byte and to the picosecond: a message's packets are rounded together. */
static void check_conservation(const struct world *world, const struct run *run, uint32_t net)
{
    struct cs_link_use use[LINKS_MAX] = {{0}};
    uint64_t busy_ps[LINKS_MAX] = {0};

    for (uint32_t i = 0; i < MESSAGES; i++) {
        const struct plan *plan = &world->plans[i];
        const struct world_route *route = &world->routes[plan->src][plan->dst];

        for (uint32_t k = 0; k < route->hops; k++) {
            uint32_t link = route->links[k];

            use[link].bytes += plan->bytes;
            use[link].messages++;
            use[link].busy_ps += take_ps(world, i, link);
            busy_ps[world->links[link].resource] += take_ps(world, i, link);
        }
    }
    expect(memcmp(use, run->traffic.use, world->net.link_count * sizeof(*use)) == 0, net,
           "use of the links");
    for (uint32_t i = 0; i < world->net.resource_count; i++)
        expect(busy_ps[i] <= run->traffic.resources[i].free_ps, net,
               "a server is quicker than its rate");
}

static void check_order(const struct world *world, const struct run *run, uint32_t net)
{
    for (uint32_t i = 0; i < MESSAGES; i++)
        for (uint32_t k = i + 1; k < MESSAGES; k++) {
            const struct plan *a = &world->plans[run->order[i]];
            const struct plan *b = &world->plans[run->order[k]];

            expect(a->src != b->src || a->dst != b->dst || a->channel != b->channel ||
                       a->at_ps < b->at_ps || (a->at_ps == b->at_ps && a < b),
                   net, "messages overtake each other");
        }
}

/* What is lost crosses links again; nothing else is different. */
static void check_repeats(const struct world *world, const struct run *run, uint32_t net)
{
    uint64_t bytes[LINKS_MAX] = {0};
    bool more = false;

    for (uint32_t i = 0; i < MESSAGES; i++) {
        const struct plan *plan = &world->plans[i];
        const struct world_route *route = &world->routes[plan->src][plan->dst];

        for (uint32_t k = 0; k < route->hops; k++)
            bytes[route->links[k]] += plan->bytes;
    }
    for (uint32_t i = 0; i < world->net.link_count; i++) {
        expect(run->traffic.use[i].bytes >= bytes[i], net, "bytes are missing");
        more |= run->traffic.use[i].bytes > bytes[i];
    }
    expect(run->traffic.packets_resent >= run->traffic.packets_dropped, net,
           "a lost packet is not sent again");
    expect(run->traffic.packets_resent || !more, net, "bytes out of nothing");
}

/* Every message arrives once, in order, as late as it has to at least. */
static void check_distributions(enum cs_packet_loss loss, uint32_t nets)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "packet");
    uint64_t dropped = 0;
    struct world *world = malloc(sizeof(*world));
    struct run *run = malloc(sizeof(*run));
    struct run *again = malloc(sizeof(*again));

    assert_non_null(world);
    assert_non_null(run);
    assert_non_null(again);
    for (uint32_t net = 0; net < nets; net++) {
        world_draw(world, random);
        world->params.packet.loss = loss;
        run_packets(world, run);
        check_delivery(world, run, net);
        check_times(world, run, net);
        if (loss == CS_PACKET_DROP)
            check_repeats(world, run, net);
        else
            check_conservation(world, run, net);
        dropped += run->traffic.packets_dropped;
        check_order(world, run, net);
        run_packets(world, again);
        expect(memcmp(run->delivered_ps, again->delivered_ps, sizeof(run->delivered_ps)) == 0 &&
                   memcmp(run->order, again->order, sizeof(run->order)) == 0,
               net, "a second run differs");
        cs_arena_free(&world->arena);
    }
    assert_int_equal(dropped > 0, loss == CS_PACKET_DROP);
    free(world);
    free(run);
    free(again);
    cs_random_close(random);
}

TEST(packets_keep_the_distributions)
{
    check_distributions(CS_PACKET_CREDITS, NETS);
}

TEST(paused_packets_keep_the_distributions)
{
    check_distributions(CS_PACKET_PFC, NETS);
}

TEST(packets_that_get_lost_arrive_all_the_same)
{
    check_distributions(CS_PACKET_DROP, NETS / 2);
}
