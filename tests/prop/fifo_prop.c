/*
 * Model `fifo` serves links ahead of time where it can.  Here it is held
 * against the plain way, an event for each message and link, written anew:
 * on random nets and messages both must deliver at the same picoseconds.
 *
 * Where two heads reach a link at the same picosecond the two may differ with
 * good reason: the order is that of handling, and the look-ahead handles
 * sooner.  Random times and odd latencies keep heads apart.  Where everything
 * ties but all routes have as many links, as on a uniform switch, the orders
 * are the same again; the second test says so.
 */
#include "sim/link_serve.h"

#include "tests/fixture.h"

enum {
    PARTIES = 6,
    NODES = 12,
    LINKS_MAX = NODES * NODES,
    MESSAGES = 60,
    NETS = 3000,
    NOT_A_LINK = UINT32_MAX,
    EVENT_SEND = CS_EVENT_KINDS, /* a message starts */
};

/* ---- the plain way ---- */

/* When a server is next free, kept apart from what the model keeps. */
static struct cs_delivery plain_advance(struct cs_traffic *traffic,
                                        uint32_t number)
{
    struct cs_message *message = &traffic->messages[number];
    const struct cs_net *net = traffic->net;
    uint32_t id = cs_traffic_route(traffic, number)[message->hop];
    const struct cs_net_link *link = &net->links[id];
    uint64_t take_ps =
        (uint64_t)((double)message->bytes * 1e12 / link->rate_Bps + 0.5);
    uint64_t start_ps = traffic->events.now_ps;
    uint64_t tail_ps;

    if (traffic->free_ps[link->server] > start_ps)
        start_ps = traffic->free_ps[link->server];
    message->wait_ps += start_ps - traffic->events.now_ps;
    traffic->free_ps[link->server] = start_ps + take_ps;
    traffic->use[id].busy_ps += take_ps;
    traffic->use[id].bytes += message->bytes;
    traffic->use[id].messages++;
    tail_ps = start_ps + take_ps;
    if (message->tail_ps > tail_ps)
        tail_ps = message->tail_ps;
    message->tail_ps = tail_ps + link->latency_ps;
    message->head_ps = start_ps + link->latency_ps;
    message->latency_ps += link->latency_ps;
    if (++message->hop == message->hops)
        return (struct cs_delivery){true, message->tail_ps};
    cs_events_add(&traffic->events, message->head_ps, CS_EVENT_MOVE, number);
    return (struct cs_delivery){0};
}

static const struct cs_link_model plain = {
    .name = "plain", .send = plain_advance, .move = plain_advance};

/* ---- a random net and what is sent over it ---- */

struct route {
    uint32_t hops;
    uint32_t links[WAY_HOPS];
};

struct plan {
    uint32_t src, dst;
    uint64_t bytes;
    uint32_t after;   /* message whose delivery it follows, or itself */
    uint64_t wait_ps; /* after that, or after the start */
};

struct world {
    struct cs_arena arena;
    struct cs_random *random;
    struct cs_net net;
    struct cs_net_link links[LINKS_MAX];
    struct cs_net_party parties[PARTIES];
    uint32_t link_of[NODES][NODES];
    struct route routes[PARTIES][PARTIES];
    struct plan plans[MESSAGES];
    uint64_t zero_in; /* one link in so many has no latency; 0: none */
};

static uint64_t below(struct world *world, uint64_t limit)
{
    return cs_random_below(world->random, limit);
}

/* Its own server, that of the way back, or that of any link so far. */
static uint32_t draw_server(struct world *world, uint32_t from, uint32_t to)
{
    uint32_t back = world->link_of[to][from];

    switch (below(world, 6)) {
    case 0:
        if (world->net.link_count)
            return world->links[below(world, world->net.link_count)].server;
        return world->net.server_count++;
    case 1:
    case 2:
        if (back != NOT_A_LINK)
            return world->links[back].server;
        return world->net.server_count++;
    default:
        return world->net.server_count++;
    }
}

/* Odd, so that sums of them seldom meet; or nothing. */
static uint64_t draw_latency(struct world *world)
{
    if (world->zero_in && below(world, world->zero_in) == 0)
        return 0;
    return 2 * below(world, 400000) + 1;
}

static uint32_t link_between(struct world *world, uint32_t from, uint32_t to)
{
    uint32_t *id = &world->link_of[from][to];

    if (*id != NOT_A_LINK)
        return *id;
    world->links[world->net.link_count] = (struct cs_net_link){
        .rate_Bps = 1e9 * (1 + 40 * cs_random_unit(world->random)),
        .latency_ps = draw_latency(world),
        .server = draw_server(world, from, to),
        .from = from,
        .to = to,
    };
    *id = world->net.link_count++;
    return *id;
}

/* One to five links over any nodes, other parties' among them. */
static void draw_route(struct world *world, uint32_t src, uint32_t dst)
{
    struct route *route = &world->routes[src][dst];
    uint32_t at = src;

    route->hops = (uint32_t)below(world, WAY_HOPS) + 1;
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

static uint32_t find_route(void *ctx, uint32_t src, uint32_t dst,
                           uint32_t *links)
{
    const struct world *world = ctx;
    const struct route *route = &world->routes[src][dst];

    memcpy(links, route->links, route->hops * sizeof(*links));
    return route->hops;
}

/* Where links are without latency no message is empty: an empty message leaves with the
 * one that it waited behind, and they would tie from then on. */
static uint64_t draw_bytes(struct world *world)
{
    if (world->zero_in)
        return 1 + below(world, 20000);
    return below(world, 8) ? below(world, 20000) : 0;
}

static void draw_plans(struct world *world)
{
    for (uint32_t i = 0; i < MESSAGES; i++) {
        uint32_t src = (uint32_t)below(world, PARTIES);
        uint32_t dst =
            (src + 1 + (uint32_t)below(world, PARTIES - 1)) % PARTIES;

        world->plans[i] = (struct plan){
            .src = src,
            .dst = dst,
            .bytes = draw_bytes(world),
            .after = below(world, 2) ? (uint32_t)below(world, i + 1) : i,
            .wait_ps = below(world, 3000000),
        };
    }
}

static void world_draw(struct world *world, struct cs_random *random)
{
    *world =
        (struct world){.random = random, .zero_in = cs_random_below(random, 5)};
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
    world->net.route = find_route;
    world->net.route_ctx = world;
    world->net.max_hops = WAY_HOPS;
    cs_net_finish(&world->net, &world->arena);
    draw_plans(world);
}

/* ---- a run of one model ---- */

struct run {
    struct cs_traffic traffic;
    struct cs_message messages[MESSAGES];
    uint64_t delivered_ps[MESSAGES];
    uint64_t events;
};

static void start_message(struct world *world, struct run *run,
                          const struct cs_link_model *model, uint32_t number)
{
    const struct plan *plan = &world->plans[number];
    struct cs_message *message = &run->messages[number];
    uint64_t now_ps = run->traffic.events.now_ps;
    struct cs_delivery delivery;

    *message = (struct cs_message){.bytes = plan->bytes,
                                   .sent_ps = now_ps,
                                   .head_ps = now_ps,
                                   .tail_ps = now_ps,
                                   .src = plan->src,
                                   .dst = plan->dst};
    message->hops = find_route(world, plan->src, plan->dst,
                               cs_traffic_route(&run->traffic, number));
    delivery = model->send(&run->traffic, number);
    if (delivery.known)
        cs_events_add(&run->traffic.events, delivery.at_ps, CS_EVENT_DELIVER,
                      number);
}

static void deliver(struct world *world, struct run *run, uint32_t number)
{
    run->delivered_ps[number] = run->traffic.events.now_ps;
    for (uint32_t i = number + 1; i < MESSAGES; i++)
        if (world->plans[i].after == number)
            cs_events_add(&run->traffic.events,
                          run->traffic.events.now_ps + world->plans[i].wait_ps,
                          EVENT_SEND, i);
}

static void run_model(struct world *world, const struct cs_link_model *model,
                      struct run *run)
{
    const struct cs_net *net = &world->net;
    struct cs_event event;
    struct cs_delivery delivery;

    memset(run, 0, sizeof(*run));
    run->traffic = (struct cs_traffic){
        .net = net,
        .messages = run->messages,
        .stride = WAY_HOPS,
        .links = cs_arena_alloc(&world->arena, (size_t)MESSAGES * WAY_HOPS,
                                sizeof(uint32_t)),
        .free_ps =
            cs_arena_alloc(&world->arena, net->server_count, sizeof(uint64_t)),
        .due =
            cs_arena_alloc(&world->arena, net->server_count, sizeof(uint32_t)),
        .use = cs_arena_alloc(&world->arena, net->link_count,
                              sizeof(struct cs_link_use)),
    };
    for (uint32_t i = 0; i < MESSAGES; i++)
        if (world->plans[i].after == i)
            cs_events_add(&run->traffic.events, world->plans[i].wait_ps,
                          EVENT_SEND, i);
    while (cs_events_next(&run->traffic.events, &event)) {
        if (event.kind == EVENT_SEND) {
            start_message(world, run, model, event.number);
        } else if (event.kind == CS_EVENT_DELIVER) {
            deliver(world, run, event.number);
        } else {
            delivery = model->move(&run->traffic, event.number);
            if (delivery.known)
                cs_events_add(&run->traffic.events, delivery.at_ps,
                              CS_EVENT_DELIVER, event.number);
        }
    }
    run->events = run->traffic.events.added;
    cs_events_free(&run->traffic.events);
}

/* ---- what must hold ---- */

static void expect(bool holds, uint32_t net, const char *what)
{
    if (!holds)
        fail_msg("COLLSIM_SEED=%" PRIu64 ", net %u: %s", fixture_seed(), net,
                 what);
}

static void compare_runs(const struct world *world, const struct run *fifo,
                         const struct run *reference, uint32_t net)
{
    for (uint32_t i = 0; i < MESSAGES; i++) {
        expect(fifo->delivered_ps[i] == reference->delivered_ps[i], net,
               "a message is delivered at another time");
        expect(fifo->messages[i].wait_ps == reference->messages[i].wait_ps, net,
               "a message waits for another time");
        expect(fifo->messages[i].latency_ps ==
                   reference->messages[i].latency_ps,
               net, "a message has another latency");
    }
    for (uint32_t i = 0; i < world->net.server_count; i++)
        expect(fifo->traffic.free_ps[i] == reference->traffic.free_ps[i], net,
               "a server is free at another time");
    expect(fifo->events <= reference->events, net, "look-ahead costs events");
}

/* Every link carries the bytes that are routed over it, for as long as its rate
 * takes, and no server is busy for longer than there was time. */
static void check_conservation(const struct world *world, const struct run *run,
                               uint32_t net)
{
    struct cs_link_use use[LINKS_MAX] = {{0}};
    uint64_t busy_ps[LINKS_MAX] = {0};

    for (uint32_t i = 0; i < MESSAGES; i++) {
        const struct plan *plan = &world->plans[i];
        const struct route *route = &world->routes[plan->src][plan->dst];

        for (uint32_t k = 0; k < route->hops; k++) {
            uint32_t link = route->links[k];
            uint64_t take_ps = (uint64_t)((double)plan->bytes * 1e12 /
                                              world->links[link].rate_Bps +
                                          0.5);

            use[link].bytes += plan->bytes;
            use[link].messages++;
            use[link].busy_ps += take_ps;
            busy_ps[world->links[link].server] += take_ps;
        }
    }
    for (uint32_t i = 0; i < world->net.link_count; i++) {
        expect(run->traffic.use[i].bytes == use[i].bytes, net,
               "bytes of a link");
        expect(run->traffic.use[i].messages == use[i].messages, net,
               "messages of a link");
        /* The model multiplies by the time of a byte, which is rounded: a
         * picosecond a message. */
        expect(
            run->traffic.use[i].busy_ps + use[i].messages >= use[i].busy_ps &&
                run->traffic.use[i].busy_ps <= use[i].busy_ps + use[i].messages,
            net, "busy time of a link");
    }
    for (uint32_t i = 0; i < world->net.server_count; i++)
        expect(busy_ps[i] <=
                   run->traffic.free_ps[i] + (uint64_t)MESSAGES * WAY_HOPS,
               net, "a server served two messages at once");
}

static void looking_ahead_changes_no_delivery(void **state)
{
    struct cs_random *random = cs_random_open(fixture_seed(), "fifo");
    struct world *world = malloc(sizeof(*world));
    struct run *fifo = malloc(sizeof(*fifo));
    struct run *reference = malloc(sizeof(*reference));
    uint64_t saved = 0;

    (void)state;
    assert_non_null(world);
    assert_non_null(fifo);
    assert_non_null(reference);
    for (uint32_t net = 0; net < NETS; net++) {
        world_draw(world, random);
        run_model(world, cs_link_model_find("fifo"), fifo);
        run_model(world, &plain, reference);
        compare_runs(world, fifo, reference, net);
        check_conservation(world, fifo, net);
        saved += reference->events - fifo->events;
        cs_arena_free(&world->arena);
    }
    /* Else nothing was looked at ahead of time. */
    assert_true(saved > NETS);
    free(world);
    free(fifo);
    free(reference);
    cs_random_close(random);
}

/* Everything ties on machines whose ranks are all alike.  Of heads that tie the
 * one that is handled first is served first; without latency that is another one
 * when each hop has an event of its own, which shows where a rank has several
 * lanes. */
enum {
    WITHOUT_LATENCY = 1
};

static void looking_ahead_changes_no_collective(void **state)
{
    static const char *const specs[] = {
        "switch:",
        "switch:latency=0ps", /* WITHOUT_LATENCY */
        "switch:duplex=half,latency=3ns",
        "bus:",
        "mesh:gamma=1GB/s",
        "switch:gamma=10GB/s"};

    (void)state;
    for (size_t a = 0; a < cs_algo_count; a++)
        for (size_t s = 0; s < 6; s++)
            for (uint32_t p = 2; p < 14; p++) {
                struct cs_call call = {
                    .ranks = p, .elements = 720720, .element_bytes = 1};
                struct cs_hockney hockney = {1e-6, 25e9, 0};
                struct cs_program program;
                struct cs_exec_result result;
                struct machine machine;

                if (cs_algo_check(cs_algos[a], &call, NULL))
                    continue;
                cs_algo_settle(cs_algos[a], &call, &hockney);
                program = cs_algo_program(cs_algos[a], &call);
                if (program.lanes > 1 && s == WITHOUT_LATENCY)
                    continue;
                machine_open(&machine, specs[s], p, program.agents);
                assert_int_equal(cs_exec_run(&program, &machine.net, &plain,
                                             &machine.arena, &result, NULL),
                                 0);
                assert_int_equal(
                    machine_run(&machine, &program, "fifo").time_ps,
                    result.time_ps);
                machine_close(&machine);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looking_ahead_changes_no_delivery),
        cmocka_unit_test(looking_ahead_changes_no_collective),
    };

    return cmocka_run_group_tests_name("fifo", tests, NULL, NULL);
}
