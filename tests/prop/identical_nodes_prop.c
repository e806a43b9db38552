/*
 * Routes of random machines of identical nodes: the search in the smaller form
 * and the search in the whole give the same links.
 *
 * Rates and latencies have few values, so equal paths are frequent.  Fabrics
 * have several levels of switches, nodes with wires to several switches, and
 * paths across a third node.
 */
#include "tests/fixture.h"

#include "topo/graph/replicated.h"
#include "topo/graph/route.h"

enum {
    ROUNDS = 400,
    HOPS_MAX = 256,
};

struct draw {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_random *random;
    uint32_t kinds; /* patterns of a node's plugs */
};

static uint32_t below(struct draw *draw, uint32_t limit)
{
    return (uint32_t)cs_random_below(draw->random, limit);
}

static void device(struct draw *draw, enum cs_device_kind kind)
{
    (void)cs_graph_add_device(&draw->graph, (struct cs_device){.name = "", .kind = kind});
}

static struct cs_wire wire(struct draw *draw, uint32_t a, uint32_t b)
{
    return (struct cs_wire){
        .a = a,
        .b = b,
        .class_name = "",
        .rate_Bps = below(draw, 3) ? 1e9 : 2e9,
        .efficiency = 1,
        .latency_ps = below(draw, 4) ? 1000 : 0,
    };
}

/* A tree of up to seven devices, and additional wires. */
static void draw_node(struct draw *draw)
{
    static const enum cs_device_kind inner[] = {CS_DEVICE_SWITCH, CS_DEVICE_NIC, CS_DEVICE_CPU,
                                                CS_DEVICE_GPU};
    uint32_t devices = 2 + below(draw, 6);
    uint32_t more = below(draw, 3);

    device(draw, CS_DEVICE_CPU);
    device(draw, CS_DEVICE_GPU);
    for (uint32_t d = 2; d < devices; d++)
        device(draw, inner[below(draw, 4)]);
    for (uint32_t d = 1; d < devices; d++)
        (void)cs_graph_add_wire(&draw->graph, wire(draw, below(draw, d), d));
    for (; more; more--)
        (void)cs_graph_add_wire(&draw->graph, wire(draw, 0, 1 + below(draw, devices - 1)));
}

static void copy_node(struct draw *draw, uint32_t k)
{
    struct cs_graph *graph = &draw->graph;
    struct cs_graph_replicas each = graph->identical;

    for (uint32_t d = 0; d < each.devices; d++)
        (void)cs_graph_add_device(graph, graph->devices[d]);
    for (uint32_t w = 0; w < each.wires; w++) {
        struct cs_wire copy = graph->wires[w];

        copy.a += k * each.devices;
        copy.b += k * each.devices;
        (void)cs_graph_add_wire(graph, copy);
    }
}

/* A tree of switches with additional wires, sometimes a bus, and a host. */
static void draw_fabric(struct draw *draw, uint32_t switches)
{
    uint32_t first = draw->graph.device_count;

    for (uint32_t s = 0; s < switches; s++) {
        device(draw, CS_DEVICE_SWITCH);
        if (s)
            (void)cs_graph_add_wire(&draw->graph, wire(draw, first + s, first + below(draw, s)));
        if (s > 1 && below(draw, 2))
            (void)cs_graph_add_wire(&draw->graph, wire(draw, first + s, first + s - 1));
    }
    device(draw, CS_DEVICE_HOST);
    (void)cs_graph_add_wire(&draw->graph, wire(draw, first + switches, first));
}

/* Wires the nodes to the fabric by a pattern of the node's number, in order of
 * nodes or of plugs; half of the wires have the node at end b. */
static void plug(struct draw *draw, uint32_t switches)
{
    struct cs_graph_replicas each = draw->graph.identical;
    uint32_t first = each.count * each.devices;
    uint32_t plugs = 1 + below(draw, 3);
    bool by_plug = below(draw, 2);
    bool in_blocks = below(draw, 2);
    struct cs_wire like[9];

    for (uint32_t i = 0; i < plugs * draw->kinds; i++) {
        like[i] = wire(draw, below(draw, each.devices), first + below(draw, switches));
    }
    for (uint32_t n = 0; n < each.count * plugs; n++) {
        uint32_t k = by_plug ? n % each.count : n / plugs;
        uint32_t p = by_plug ? n / each.count : n % plugs;
        uint32_t kind = in_blocks ? k * draw->kinds / each.count : k % draw->kinds;
        struct cs_wire one = like[kind * plugs + p];

        one.a += k * each.devices;
        if (below(draw, 40) == 0)
            one.latency_ps = 2000; /* a node that differs */
        if (p % 2) {
            uint32_t swap = one.a;

            one.a = one.b;
            one.b = swap;
        }
        (void)cs_graph_add_wire(&draw->graph, one);
    }
}

static void draw_machine(struct draw *draw)
{
    uint32_t nodes = 6 + below(draw, 20);
    uint32_t switches = 1 + below(draw, 4);

    memset(&draw->graph, 0, sizeof(draw->graph));
    cs_graph_init(&draw->graph, &draw->arena);
    draw->kinds = 1 + below(draw, 3);
    draw_node(draw);
    draw->graph.identical = (struct cs_graph_replicas){
        .count = nodes, .devices = draw->graph.device_count, .wires = draw->graph.wire_count};
    for (uint32_t k = 1; k < nodes; k++)
        copy_node(draw, k);
    draw_fabric(draw, switches);
    plug(draw, switches);
    cs_graph_place_all(&draw->graph);
    draw->graph.agent_device = NULL;
    cs_graph_place_servers(&draw->graph);
    draw->graph.hashes_routes = below(draw, 2);
    draw->graph.route_seed = below(draw, 9);
}

static void compare_routes(struct draw *draw)
{
    struct cs_graph plain = draw->graph;
    uint32_t parties = plain.rank_count + plain.agent_count;
    struct cs_routes *by_copies, *by_whole;

    plain.identical = (struct cs_graph_replicas){0};
    by_whole = cs_routes_new(&plain, &draw->arena);
    by_copies = cs_routes_new(&draw->graph, &draw->arena);
    assert_true(cs_routes_max_hops(by_whole) <= HOPS_MAX);
    for (uint32_t n = 0; n < 300; n++) {
        uint32_t src = below(draw, parties);
        uint32_t dst = below(draw, parties);
        uint32_t expected[HOPS_MAX], got[HOPS_MAX], hops;

        if (src == dst)
            continue;
        hops = cs_routes_find(by_whole, src, dst, expected);
        if (cs_routes_find(by_copies, src, dst, got) != hops ||
            memcmp(got, expected, hops * sizeof(*got)) != 0)
            fail_msg("COLLSIM_SEED=%" PRIu64 ": party %u to %u of %u nodes", fixture_seed(), src,
                     dst, draw->graph.identical.count);
    }
}

TEST(a_small_machine_gives_the_routes_of_the_whole)
{
    struct draw draw = {.random = cs_random_open(fixture_seed(), "copies")};
    uint32_t small = 0;

    for (uint32_t n = 0; n < ROUNDS; n++) {
        draw_machine(&draw);
        small += cs_replicated_new(&draw.graph, &draw.arena) != NULL;
        compare_routes(&draw);
        cs_arena_free(&draw.arena);
    }
    assert_true(small > ROUNDS / 5);
    cs_random_close(draw.random);
}
