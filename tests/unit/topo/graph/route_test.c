#include "sim/base/random.h"
#include "sim/net/net.h"
#include "tests/test.h"
#include "topo/graph/route.h"

#include <sys/resource.h>

enum {
    HOPS_MAX = 64,
    RING_HOSTS = 1200, /* with a switch each */
};

struct fixture {
    struct cs_arena arena;
    struct cs_graph graph;
};

static void fixture_free(struct fixture *fixture)
{
    cs_arena_free(&fixture->arena);
}

static void open_graph(struct fixture *f)
{
    memset(f, 0, sizeof(*f));
    cs_graph_init(&f->graph, &f->arena);
}

static uint32_t device(struct fixture *f, enum cs_device_kind kind)
{
    return cs_graph_add_device(&f->graph, (struct cs_device){.name = "", .kind = kind});
}

static uint32_t wire(struct fixture *f, uint32_t a, uint32_t b, double rate_Bps,
                     uint64_t latency_ps)
{
    return cs_graph_add_wire(&f->graph, (struct cs_wire){
                                            .a = a,
                                            .b = b,
                                            .class_name = "",
                                            .rate_Bps = rate_Bps,
                                            .efficiency = 1,
                                            .latency_ps = latency_ps,
                                        });
}

static struct cs_routes *routes(struct fixture *f)
{
    cs_graph_place_all(&f->graph);
    return cs_routes_new(&f->graph, &f->arena);
}

#define FIXTURE_TEST(name) TEST_OF(struct fixture, f, fixture_free, name)

FIXTURE_TEST(the_fastest_path_is_selected)
{
    /* Two GPUs on a slow and on a fast switch. */
    uint32_t links[HOPS_MAX];
    struct cs_routes *r;

    open_graph(f);
    device(f, CS_DEVICE_GPU);
    device(f, CS_DEVICE_GPU);
    device(f, CS_DEVICE_SWITCH);
    device(f, CS_DEVICE_SWITCH);
    wire(f, 0, 2, 24e9, 500000);
    wire(f, 1, 2, 24e9, 500000);
    wire(f, 0, 3, 240e9, 1350000);
    wire(f, 1, 3, 240e9, 1350000);
    r = routes(f);
    assert_int_equal(cs_routes_find(r, 0, 1, links), 2);
    assert_int_equal(links[0], 4);
    assert_int_equal(links[1], 7);
    assert_int_equal(cs_routes_find(r, 1, 0, links), 2);
    assert_int_equal(links[0], 6);
    assert_int_equal(links[1], 5);
}

FIXTURE_TEST(among_identical_links_the_shortest_path_is_selected)
{
    uint32_t links[HOPS_MAX];

    open_graph(f);
    device(f, CS_DEVICE_HOST);
    device(f, CS_DEVICE_HOST);
    device(f, CS_DEVICE_SWITCH);
    wire(f, 0, 2, 1e9, 1000);
    wire(f, 1, 2, 1e9, 1000);
    wire(f, 0, 1, 1e9, 1000);
    assert_int_equal(cs_routes_find(routes(f), 0, 1, links), 1);
    assert_int_equal(links[0], 4);
}

FIXTURE_TEST(a_gpu_never_forwards)
{
    /* 0 - 1 - 2 by fast wires; 0 and 2 meet on a slow switch. */
    uint32_t links[HOPS_MAX];
    struct cs_routes *r;

    open_graph(f);
    device(f, CS_DEVICE_GPU);
    device(f, CS_DEVICE_GPU);
    device(f, CS_DEVICE_GPU);
    device(f, CS_DEVICE_SWITCH);
    wire(f, 0, 1, 100e9, 0);
    wire(f, 1, 2, 100e9, 0);
    wire(f, 0, 3, 1e9, 1000);
    wire(f, 2, 3, 1e9, 1000);
    r = routes(f);
    assert_int_equal(cs_routes_find(r, 0, 2, links), 2);
    assert_int_equal(links[0], 4);
    assert_int_equal(links[1], 7);
}

FIXTURE_TEST(a_missing_route_has_no_links)
{
    uint32_t links[HOPS_MAX];

    open_graph(f);
    device(f, CS_DEVICE_GPU);
    device(f, CS_DEVICE_GPU);
    assert_int_equal(cs_routes_find(routes(f), 0, 1, links), 0);
}

/* `k` hosts on one switch, `k` adapters between it and a second switch, `k`
 * hosts there.  Wire k + i is the first switch to adapter i. */
static void open_fan(struct fixture *f, uint32_t k)
{
    uint32_t near, far;

    open_graph(f);
    for (uint32_t i = 0; i < 2 * k; i++)
        device(f, CS_DEVICE_HOST);
    near = device(f, CS_DEVICE_SWITCH);
    far = device(f, CS_DEVICE_SWITCH);
    for (uint32_t i = 0; i < k; i++)
        wire(f, i, near, 1e9, 1000);
    for (uint32_t i = 0; i < k; i++)
        wire(f, near, device(f, CS_DEVICE_NIC), 1e9, 1000);
    for (uint32_t i = 0; i < k; i++)
        wire(f, 2 * k + 2 + i, far, 1e9, 1000);
    for (uint32_t i = 0; i < k; i++)
        wire(f, k + i, far, 1e9, 1000);
}

TEST(ranks_under_a_switch_spread_over_the_nics)
{
    for (uint32_t k = 1; k <= 8; k++) {
        CS_AT_END(fixture_free) struct fixture f;
        struct cs_routes *r;
        uint32_t used = 0;

        open_fan(&f, k);
        r = routes(&f);
        for (uint32_t src = 0; src < k; src++) {
            uint32_t links[HOPS_MAX];

            assert_int_equal(cs_routes_find(r, src, k, links), 4);
            used |= 1U << (links[1] / 2 - k);
        }
        assert_int_equal(used, (1U << k) - 1);
    }
}

FIXTURE_TEST(the_choice_depends_on_the_source_alone)
{
    struct cs_routes *r;

    open_fan(f, 4);
    r = routes(f);
    for (uint32_t src = 0; src < 4; src++) {
        uint32_t first[HOPS_MAX];

        (void)cs_routes_find(r, src, 4, first);
        for (uint32_t dst = 5; dst < 8; dst++) {
            uint32_t links[HOPS_MAX];

            assert_int_equal(cs_routes_find(r, src, dst, links), 4);
            assert_int_equal(links[1], first[1]);
        }
    }
}

/* Four equal paths: over 1000 seeds a pair uses each about equally often, the
 * choice of a seed is repeatable, and pairs of a source are independent. */
TEST(a_seeded_hash_spreads_pairs)
{
    uint32_t taken[2][4] = {{0}};
    uint32_t concurrent = 0;

    for (uint64_t seed = 0; seed < 1000; seed++) {
        uint32_t middle[2];
        CS_AT_END(fixture_free) struct fixture f;

        open_fan(&f, 4);
        f.graph.hashes_routes = true;
        f.graph.route_seed = seed;
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t links[HOPS_MAX];
            struct cs_routes *r = routes(&f);

            assert_int_equal(cs_routes_find(r, 1, 4 + k, links), 4);
            middle[k] = links[1];
            assert_int_equal(cs_routes_find(r, 1, 4 + k, links), 4);
            assert_int_equal(links[1], middle[k]);
            taken[k][links[1] / 2 - 4]++;
        }
        concurrent += middle[0] == middle[1];
    }
    /* 250 expected, with a standard deviation of 14. */
    for (uint32_t i = 0; i < 8; i++)
        assert_in_range(taken[i / 4][i % 4], 180, 320);
    assert_in_range(concurrent, 180, 320);
}

FIXTURE_TEST(ranks_at_a_distance_of_a_power_spread_too)
{
    /* Four hosts reach four; sources 0, 4, 8, 12 of sixteen are used. */
    struct cs_routes *r;
    uint32_t used = 0;

    open_fan(f, 4);
    cs_graph_place_all(&f->graph);
    f->graph.rank_device = (uint32_t[]){0, 9, 9, 9, 1, 9, 9, 9, 2, 9, 9, 9, 3, 9, 9, 9, 4};
    f->graph.rank_count = 17;
    r = cs_routes_new(&f->graph, &f->arena);
    for (uint32_t src = 0; src < 16; src += 4) {
        uint32_t links[HOPS_MAX];

        assert_int_equal(cs_routes_find(r, src, 16, links), 4);
        used |= 1U << (links[1] / 2 - 4);
    }
    assert_int_equal(used, 0xf);
}

FIXTURE_TEST(a_bus_is_a_single_link_of_a_route)
{
    uint32_t links[HOPS_MAX];
    struct cs_routes *r;

    open_graph(f);
    device(f, CS_DEVICE_HOST);
    device(f, CS_DEVICE_HOST);
    device(f, CS_DEVICE_BUS);
    wire(f, 0, 2, 1e9, 1000);
    wire(f, 2, 1, 1e9, 1000);
    r = routes(f);
    assert_int_equal(cs_routes_find(r, 0, 1, links), 1);
    assert_int_equal(links[0], 0);
    assert_int_equal(cs_routes_find(r, 1, 0, links), 1);
    assert_int_equal(links[0], 3);
}

/* A search would keep a tree of 20 kB for each source. */
FIXTURE_TEST(leaves_of_a_common_switch_need_no_memory)
{
    enum {
        LEAVES = 5000
    };
    uint32_t links[HOPS_MAX];
    const struct cs_arena_chunk *before;
    struct cs_routes *r;

    open_graph(f);
    for (uint32_t d = 0; d < LEAVES; d++)
        device(f, CS_DEVICE_GPU);
    device(f, CS_DEVICE_SWITCH);
    for (uint32_t d = 0; d < LEAVES; d++) /* of three kinds */
        wire(f, d, LEAVES, 1e9 * (1 + d * d % 7 % 3), 1000);
    r = routes(f);
    before = f->arena.head;
    for (uint32_t d = 0; d < LEAVES; d++) {
        assert_int_equal(cs_routes_find(r, d, (d + 1) % LEAVES, links), 2);
        assert_int_equal(links[0], 2 * d);
        assert_int_equal(links[1], 2 * ((d + 1) % LEAVES) + 1);
    }
    assert_ptr_equal(f->arena.head, before);
}

FIXTURE_TEST(costs_of_extreme_rates_do_not_overflow)
{
    uint32_t links[HOPS_MAX];

    open_graph(f);
    device(f, CS_DEVICE_HOST);
    device(f, CS_DEVICE_HOST);
    device(f, CS_DEVICE_SWITCH);
    device(f, CS_DEVICE_SWITCH);
    wire(f, 0, 2, 1e-6, UINT64_C(1) << 62);
    wire(f, 2, 1, 1e-6, UINT64_C(1) << 62);
    wire(f, 0, 3, 4e18, 0);
    wire(f, 3, 1, 4e18, 0);
    assert_int_equal(cs_routes_find(routes(f), 0, 1, links), 2);
    assert_int_equal(links[0], 4);
}

/* The cost that route.h states, in the units of this test: rate 1 MiB/ps. */
static uint64_t least_cost(const struct cs_graph *graph, uint32_t src, uint32_t dst)
{
    uint64_t far[HOPS_MAX];

    memset(far, 0x7f, sizeof(far));
    far[src] = 0;
    for (uint32_t round = 0; round < graph->device_count; round++) {
        for (uint32_t link = 0; link < 2 * graph->wire_count; link++) {
            const struct cs_wire *w = &graph->wires[link / 2];
            uint32_t from = link % 2 ? w->b : w->a;
            uint32_t to = link % 2 ? w->a : w->b;
            /* route.c adds 1 to every link, and the rate costs 1. */
            uint64_t cost = far[from] + w->latency_ps + 2;

            if ((from == src || cs_device_forwards(graph->devices[from].kind)) && cost < far[to])
                far[to] = cost;
        }
    }
    return far[dst];
}

/* From 4 to 23 devices, at least two of them ranks, and three wires a device. */
static void open_random(struct fixture *f, struct cs_random *random)
{
    uint32_t n = 4 + (uint32_t)cs_random_below(random, 20);

    open_graph(f);
    for (uint32_t i = 0; i < n; i++)
        device(f, i < 2 || cs_random_below(random, 3) == 0 ? CS_DEVICE_HOST : CS_DEVICE_SWITCH);
    for (uint32_t i = 0; i < 3 * n; i++) {
        uint32_t a = (uint32_t)cs_random_below(random, n);
        uint32_t b = (uint32_t)cs_random_below(random, n - 1);

        wire(f, a, b + (b >= a), 1048576e12, cs_random_below(random, 10));
    }
}

static void assert_cheapest(const struct fixture *f, struct cs_routes *r, uint32_t src,
                            uint32_t dst)
{
    uint32_t links[HOPS_MAX];
    uint32_t at = f->graph.rank_device[src];
    uint64_t least = least_cost(&f->graph, at, f->graph.rank_device[dst]);
    uint64_t cost = 0;
    uint32_t hops = cs_routes_find(r, src, dst, links);

    assert_true(hops <= cs_routes_max_hops(r));
    if (hops == 0) {
        assert_true(least > UINT64_C(1) << 60);
        return;
    }
    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_wire *w = &f->graph.wires[links[i] / 2];

        assert_int_equal(links[i] % 2 ? w->b : w->a, at);
        at = links[i] % 2 ? w->a : w->b;
        cost += w->latency_ps + 2;
    }
    assert_int_equal(at, f->graph.rank_device[dst]);
    assert_int_equal(cost, least);
}

TEST(every_route_of_random_machines_is_a_cheapest_route)
{
    struct cs_random *random = cs_random_open(1, "routes");

    for (int round = 0; round < 200; round++) {
        CS_AT_END(fixture_free) struct fixture f;
        struct cs_routes *r;

        open_random(&f, random);
        f.graph.hashes_routes = round % 2;
        f.graph.route_seed = (uint64_t)round;
        r = routes(&f);
        for (uint32_t src = 0; src < f.graph.rank_count; src++)
            for (uint32_t dst = 0; dst < f.graph.rank_count; dst++)
                if (src != dst)
                    assert_cheapest(&f, r, src, dst);
    }
    cs_random_close(random);
}

/* A ring of hosts' switches. */
static void open_ring(struct fixture *f)
{
    open_graph(f);
    for (uint32_t i = 0; i < 2 * RING_HOSTS; i++)
        device(f, i < RING_HOSTS ? CS_DEVICE_HOST : CS_DEVICE_SWITCH);
    for (uint32_t i = 0; i < RING_HOSTS; i++) {
        wire(f, i, RING_HOSTS + i, 1e9, 1000);
        wire(f, RING_HOSTS + i, RING_HOSTS + (i + 1) % RING_HOSTS, 1e9, 1000);
    }
}

FIXTURE_TEST(searches_of_many_sources_are_kept_in_few_bytes_per_device)
{
    struct cs_route_choice choice = {.by = CS_CHOOSE_NOTHING};
    uint32_t links[RING_HOSTS];
    struct rusage before, after;
    struct cs_routes *r;

    open_ring(f);
    f->graph.choice = &choice;
    r = routes(f);
    (void)getrusage(RUSAGE_SELF, &before);
    for (uint32_t src = 0; src < RING_HOSTS; src++) {
        uint32_t opposite = (src + RING_HOSTS / 2) % RING_HOSTS;

        choice = (struct cs_route_choice){.by = CS_CHOOSE_NUMBER, .number = src};
        assert_int_equal(cs_routes_find(r, src, opposite, links), RING_HOSTS / 2 + 2);
        assert_int_equal(choice.paths, 2);
        choice.by = CS_CHOOSE_NOTHING;
        assert_int_equal(cs_routes_find(r, src, opposite, links), RING_HOSTS / 2 + 2);
    }
    (void)getrusage(RUSAGE_SELF, &after);
    /* Three bytes per source and device, and arrays of the arena. */
    assert_true(after.ru_maxrss - before.ru_maxrss < 4L * RING_HOSTS * 2 * RING_HOSTS / 1024);
}
