/*
 * Model `fifo` serves links ahead of time where it can.  Here it is held
 * against the plain method, an event for each message and link, written anew:
 * on random nets and messages both must deliver at the same picoseconds.
 *
 * Where two heads reach a link at the same picosecond the two may differ with
 * good reason: the order is that of handling, and the look-ahead handles
 * sooner.  Random times and odd latencies keep heads apart.  Where everything
 * ties but all routes have as many links, as on a uniform switch, the orders
 * are the same again; the second test says so.
 */
#include "sim/models/serve.h"

#include "tests/prop/world.h"

enum {
    NETS = 3000
};

/* ---- the plain method ---- */

/* When a server is next free, kept apart from what the model keeps. */
static struct cs_delivery plain_advance(struct cs_traffic *traffic, uint32_t number)
{
    struct cs_message *message = &traffic->messages[number];
    const struct cs_net *net = traffic->net;
    uint32_t id = cs_traffic_route(traffic, number)[message->hop];
    const struct cs_net_link *link = &net->links[id];
    uint64_t take_ps = cs_time_up((double)message->bytes * 1e12 / link->rate_Bps);
    uint64_t start_ps = traffic->events.now_ps;
    uint64_t tail_ps;

    if (traffic->resources[link->resource].free_ps > start_ps)
        start_ps = traffic->resources[link->resource].free_ps;
    message->wait_ps += start_ps - traffic->events.now_ps;
    traffic->resources[link->resource].free_ps = start_ps + take_ps;
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

/* ---- what must hold ---- */

static void compare_runs(const struct world *world, const struct run *fifo,
                         const struct run *reference, uint32_t net)
{
    for (uint32_t i = 0; i < MESSAGES; i++) {
        expect(fifo->delivered_ps[i] == reference->delivered_ps[i], net,
               "a message is delivered at another time");
        expect(fifo->messages[i].wait_ps == reference->messages[i].wait_ps, net,
               "a message waits for another time");
        expect(fifo->messages[i].latency_ps == reference->messages[i].latency_ps, net,
               "a message has another latency");
    }
    for (uint32_t i = 0; i < world->net.resource_count; i++)
        expect(fifo->traffic.resources[i].free_ps == reference->traffic.resources[i].free_ps, net,
               "a server is free at another time");
    expect(fifo->events <= reference->events, net, "look-ahead costs events");
}

/* And no server is busy for longer than there was time. */
static void check_conservation(const struct world *world, const struct run *run, uint32_t net)
{
    uint64_t busy_ps[LINKS_MAX] = {0};

    check_links(world, run, net, busy_ps);
    for (uint32_t i = 0; i < world->net.resource_count; i++)
        expect(busy_ps[i] <= run->traffic.resources[i].free_ps + (uint64_t)MESSAGES * ROUTE_HOPS,
               net, "a server served two messages at once");
}

TEST(looking_ahead_changes_no_delivery)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("fifo");
    struct world *world = malloc(sizeof(*world));
    struct run *fifo = malloc(sizeof(*fifo));
    struct run *reference = malloc(sizeof(*reference));
    uint64_t saved = 0;

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
}

/* Everything ties on machines whose ranks are all identical.  Of heads that tie the
 * one that is handled first is served first; without latency that is another one
 * when each hop has an event of its own, which shows where a rank has several
 * lanes. */
enum {
    WITHOUT_LATENCY = 1
};

TEST(looking_ahead_changes_no_collective)
{
    static const char *const specs[] = {"switch:",
                                        "switch:latency=0ps", /* WITHOUT_LATENCY */
                                        "switch:duplex=half,latency=3ns",
                                        "bus:",
                                        "mesh:gamma=1GB/s",
                                        "switch:gamma=10GB/s"};

    for (size_t a = 0; a < cs_algo_count; a++)
        for (size_t s = 0; s < 6; s++)
            for (uint32_t p = 2; p < 14; p++) {
                struct cs_call call = {.ranks = p, .elements = 720720, .element_bytes = 1};
                struct cs_hockney hockney = {1e-6, 25e9, 0};
                struct cs_program program;
                struct cs_exec_result result;
                CS_AT_END(machine_close) struct machine machine = {0};

                if (cs_algo_check(cs_algos[a], &call, NULL))
                    continue;
                cs_algo_resolve(cs_algos[a], &call, &hockney);
                program = cs_algo_program(cs_algos[a], &call);
                if (program.lanes > 1 && s == WITHOUT_LATENCY)
                    continue;
                machine_open(&machine, specs[s], p, program.agents);
                assert_int_equal(
                    cs_exec_run(&program, &machine.net, &plain, &machine.arena, &result, NULL), 0);
                assert_int_equal(machine_run(&machine, &program, "fifo").time_ps, result.time_ps);
            }
}
