/*
 * Model `fluid` solves only what is affected, and nothing while links have
 * room.  Here it is held against the plain method, written anew: whenever a
 * message starts or ends, the rates of all are found by filling everything.
 */
#include "tests/prop/filling.h"
#include "tests/prop/world.h"

enum {
    NETS = 150,
    /* The plain method rounds each end anew whenever anything changes, and who
     * shares a link is late by as much. */
    SLACK_PS = MESSAGES,
};

/* ---- the plain method ---- */

struct plain {
    struct filling filling; /* message i is flow i */
    double left_bytes[MESSAGES];
    uint64_t ends_ps[MESSAGES];
    uint64_t now_ps; /* of left_bytes */
};

/* A server's capacity is all of its time; a link takes its time for a byte. */
static void plain_open(struct cs_traffic *traffic, struct cs_arena *arena)
{
    struct plain *plain = cs_arena_alloc(arena, 1, sizeof(*plain));

    plain->filling.flows = MESSAGES;
    plain->filling.resources = traffic->net->resource_count;
    for (uint32_t s = 0; s < plain->filling.resources; s++)
        plain->filling.capacity_Bps[s] = 1;
    for (uint32_t f = 0; f < MESSAGES; f++)
        plain->filling.limit_Bps[f] = (double)INFINITY;
    traffic->model = plain;
}

static void plain_close(struct cs_traffic *traffic)
{
    traffic->model = NULL;
}

static struct cs_delivery plain_send(struct cs_traffic *traffic, uint32_t number)
{
    struct cs_message *message = &traffic->messages[number];
    const uint32_t *route = cs_traffic_route(traffic, number);

    for (uint32_t i = 0; i < message->hops; i++)
        message->latency_ps += traffic->net->links[route[i]].latency_ps;
    if (message->bytes == 0)
        return (struct cs_delivery){true, message->sent_ps + message->latency_ps};
    cs_events_add(&traffic->events, message->sent_ps + message->latency_ps, CS_EVENT_MOVE, number);
    return (struct cs_delivery){0};
}

static struct cs_delivery plain_move(struct cs_traffic *traffic, uint32_t number)
{
    struct plain *plain = traffic->model;
    const struct cs_message *message = &traffic->messages[number];
    const uint32_t *route = cs_traffic_route(traffic, number);

    for (uint32_t i = 0; i < message->hops; i++) {
        const struct cs_net_link *link = &traffic->net->links[route[i]];

        plain->filling.weight[number][link->resource] += 1 / link->rate_Bps;
    }
    plain->filling.display[number] = true;
    plain->filling.rate_Bps[number] = 0;
    plain->left_bytes[number] = (double)message->bytes;
    plain->ends_ps[number] = UINT64_MAX;
    cs_events_add(&traffic->events, traffic->events.now_ps, CS_EVENT_MODEL, 0);
    return (struct cs_delivery){0};
}

static void plain_advance(struct cs_traffic *traffic, struct plain *plain)
{
    uint64_t now_ps = traffic->events.now_ps;

    for (uint32_t i = 0; i < MESSAGES; i++) {
        if (!plain->filling.display[i])
            continue;
        plain->left_bytes[i] -=
            plain->filling.rate_Bps[i] * (double)(now_ps - plain->now_ps) / 1e12;
        if (plain->ends_ps[i] > now_ps)
            continue;
        plain->filling.display[i] = false;
        cs_events_add(&traffic->events, now_ps, CS_EVENT_DELIVER, i);
    }
    plain->now_ps = now_ps;
}

static void plain_wake(struct cs_traffic *traffic, uint32_t number)
{
    struct plain *plain = traffic->model;
    uint64_t next_ps = UINT64_MAX;

    (void)number;
    plain_advance(traffic, plain);
    filling_solve(&plain->filling);
    for (uint32_t i = 0; i < MESSAGES; i++) {
        double takes_ps;

        if (!plain->filling.display[i])
            continue;
        takes_ps = plain->left_bytes[i] / plain->filling.rate_Bps[i] * 1e12;
        plain->ends_ps[i] = plain->now_ps + (takes_ps > 0 ? (uint64_t)(takes_ps + 0.5) : 0);
        if (plain->ends_ps[i] < next_ps)
            next_ps = plain->ends_ps[i];
    }
    if (next_ps < UINT64_MAX)
        cs_events_add(&traffic->events, next_ps, CS_EVENT_MODEL, 0);
}

static const struct cs_link_model plain_model = {
    .name = "plain",
    .send = plain_send,
    .move = plain_move,
    .open = plain_open,
    .close = plain_close,
    .wake = plain_wake,
};

/* ---- what must hold ---- */

static bool is_near(uint64_t a_ps, uint64_t b_ps, uint64_t slack_ps)
{
    return a_ps <= b_ps + slack_ps && b_ps <= a_ps + slack_ps;
}

static void compare_runs(const struct run *fluid, const struct run *other, uint64_t slack_ps,
                         uint32_t net, const char *what)
{
    for (uint32_t i = 0; i < MESSAGES; i++)
        expect(is_near(fluid->delivered_ps[i], other->delivered_ps[i], slack_ps), net, what);
}

/* What the message would take alone; a server that it crosses more than once
 * takes all of that. */
static double alone_ps(const struct world *world, uint32_t number)
{
    const struct plan *plan = &world->plans[number];
    const struct world_route *route = &world->routes[plan->src][plan->dst];
    double most_ps = 0;

    for (uint32_t i = 0; i < route->hops; i++) {
        uint32_t resource = world->links[route->links[i]].resource;
        double takes_ps = 0;

        for (uint32_t k = 0; k < route->hops; k++)
            if (world->links[route->links[k]].resource == resource)
                takes_ps += 1e12 * (double)plan->bytes / world->links[route->links[k]].rate_Bps;
        most_ps = fmax(most_ps, takes_ps);
    }
    return most_ps;
}

/* Latency, transfer and waiting add up to the message's time. */
static void check_messages(const struct world *world, const struct run *run, uint32_t net)
{
    for (uint32_t i = 0; i < MESSAGES; i++) {
        const struct cs_message *message = &run->messages[i];
        const struct plan *plan = &world->plans[i];
        const struct world_route *route = &world->routes[plan->src][plan->dst];
        uint64_t flows_ps = run->delivered_ps[i] - message->sent_ps - message->latency_ps;
        uint64_t latency_ps = 0;

        for (uint32_t k = 0; k < route->hops; k++)
            latency_ps += world->links[route->links[k]].latency_ps;
        expect(message->latency_ps == latency_ps, net, "a latency");
        expect(run->delivered_ps[i] >= message->sent_ps + latency_ps, net,
               "a message arrives before its latency has passed");
        expect((double)flows_ps >= alone_ps(world, i) - 1, net, "a message is faster than alone");
        expect(fabs((double)(flows_ps - message->wait_ps) - alone_ps(world, i)) <= 1, net,
               "a message waits for another time");
    }
}

static void check_conservation(const struct world *world, const struct run *run, uint32_t net)
{
    uint64_t busy_ps[LINKS_MAX] = {0};
    uint64_t last_ps = 0;

    check_links(world, run, net, busy_ps);
    for (uint32_t i = 0; i < MESSAGES; i++)
        if (run->delivered_ps[i] > last_ps)
            last_ps = run->delivered_ps[i];
    for (uint32_t i = 0; i < world->net.resource_count; i++)
        expect(busy_ps[i] <= last_ps + (uint64_t)MESSAGES * ROUTE_HOPS, net,
               "a server is over its rate");
}

/* Twice the bytes at twice the rate: nothing else changes, to the bit. */
static void check_scaled(struct world *world, const struct run *fluid, struct run *other,
                         uint32_t net)
{
    for (uint32_t i = 0; i < world->net.link_count; i++)
        world->links[i].rate_Bps *= 2;
    for (uint32_t i = 0; i < MESSAGES; i++)
        world->plans[i].bytes *= 2;
    cs_net_finish(&world->net);
    run_model(world, cs_link_model_find("fluid"), other);
    compare_runs(fluid, other, 0, net, "a time depends on the scale");
}

/* Servers with other numbers. */
static void check_renumbered(struct world *world, const struct run *fluid, struct run *other,
                             uint32_t net)
{
    for (uint32_t i = 0; i < world->net.link_count; i++)
        world->links[i].resource = world->net.resource_count - 1 - world->links[i].resource;
    cs_net_finish(&world->net);
    run_model(world, cs_link_model_find("fluid"), other);
    compare_runs(fluid, other, SLACK_PS, net, "a time depends on numbers");
}

TEST(solving_what_is_affected_changes_no_delivery)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("fluid");
    struct world *world = malloc(sizeof(*world));
    struct run *fluid = malloc(sizeof(*fluid));
    struct run *other = malloc(sizeof(*other));
    uint64_t waits = 0;

    assert_non_null(world);
    assert_non_null(fluid);
    assert_non_null(other);
    for (uint32_t net = 0; net < NETS; net++) {
        world_draw(world, random);
        run_model(world, cs_link_model_find("fluid"), fluid);
        run_model(world, &plain_model, other);
        compare_runs(fluid, other, SLACK_PS, net, "a message is delivered at another time");
        check_messages(world, fluid, net);
        check_conservation(world, fluid, net);
        for (uint32_t i = 0; i < MESSAGES; i++)
            waits += fluid->messages[i].wait_ps > 0;
        check_scaled(world, fluid, other, net);
        check_renumbered(world, fluid, other, net);
        cs_arena_free(&world->arena);
    }
    /* Else nothing was shared, or everything. */
    assert_in_range(waits, NETS * MESSAGES / 4, NETS * MESSAGES / 4 * 3);
    free(world);
    free(fluid);
    free(other);
}

/* Many start at one time; in the other order all the same happens. */
TEST(what_happens_at_one_time_has_no_order)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("ties");
    struct world *world = malloc(sizeof(*world));
    struct run *run = malloc(sizeof(*run));
    struct run *other = malloc(sizeof(*other));

    assert_non_null(world);
    assert_non_null(run);
    assert_non_null(other);
    for (uint32_t net = 0; net < NETS; net++) {
        world_draw(world, random);
        for (uint32_t i = 0; i < MESSAGES; i++) {
            world->plans[i].after = i;
            world->plans[i].wait_ps = 500000 * (uint64_t)(i % 3);
            world->plans[i].bytes = 1000 * (1 + world->plans[i].bytes % 4);
        }
        for (uint32_t i = 0; i < world->net.link_count; i++) {
            world->links[i].latency_ps = 1000;
            world->links[i].rate_Bps = 10e9;
        }
        cs_net_finish(&world->net);
        run_model(world, cs_link_model_find("fluid"), run);
        for (uint32_t i = 0; i < MESSAGES; i++)
            world->plans[i].after = MESSAGES - 1 - i;
        for (uint32_t i = 0; i < MESSAGES / 2; i++) {
            struct plan plan = world->plans[i];

            world->plans[i] = world->plans[MESSAGES - 1 - i];
            world->plans[MESSAGES - 1 - i] = plan;
        }
        run_model(world, cs_link_model_find("fluid"), other);
        /* Sums of other orders round otherwise. */
        for (uint32_t i = 0; i < MESSAGES; i++)
            expect(is_near(run->delivered_ps[i], other->delivered_ps[MESSAGES - 1 - i], 1), net,
                   "a delivery depends on the order of what ties");
        cs_arena_free(&world->arena);
    }
    free(world);
    free(run);
    free(other);
}
