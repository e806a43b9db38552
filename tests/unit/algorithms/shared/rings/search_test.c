/* Ring search: the known numbers of circuits. */
#include "algorithms/shared/rings/search.h"

#include "sim/base/mem.h"
#include "tests/test.h"

#include <stdbool.h>

enum {
    NODES_MAX = 64,
    RINGS_MAX = 32
};

struct world {
    uint32_t nodes;
    uint32_t lanes[NODES_MAX * NODES_MAX];
    uint32_t order[RINGS_MAX * NODES_MAX];
};

static void join(struct world *world, uint32_t a, uint32_t b, uint32_t width)
{
    world->lanes[a * world->nodes + b] += width;
    world->lanes[b * world->nodes + a] += width;
}

/* Removes the lanes of the rings; every lane must exist. */
static void take(struct world *world, uint32_t count)
{
    uint32_t n = world->nodes;

    for (uint32_t c = 0; c < count; c++) {
        const uint32_t *ring = &world->order[(size_t)c * n];
        bool seen[NODES_MAX] = {false};

        assert_int_equal(ring[0], 0);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t *lane = &world->lanes[ring[i] * n + ring[(i + 1) % n]];

            assert_false(seen[ring[i]]);
            seen[ring[i]] = true;
            assert_true(*lane > 0);
            --*lane;
        }
    }
}

static void expect_rings(struct world *world, uint32_t most, uint32_t count)
{
    struct cs_ring_lanes lanes = {.nodes = world->nodes, .lanes = world->lanes};

    assert_int_equal(cs_ring_search(&lanes, most, world->order), count);
    take(world, count);
}

static void make_mesh(struct world *world, uint32_t nodes, uint32_t width)
{
    *world = (struct world){.nodes = nodes};
    for (uint32_t a = 0; a < nodes; a++)
        for (uint32_t b = 0; b < a; b++)
            join(world, a, b, width);
}

TEST(meshes_have_a_ring_for_each_route_out_but_of_4_and_6)
{
    static struct world world;

    for (uint32_t n = 2; n <= 15; n++) {
        make_mesh(&world, n, 1);
        expect_rings(&world, RINGS_MAX, n == 4 || n == 6 ? n - 2 : n - 1);
    }
}

TEST(wide_wires_have_a_ring_for_each_lane)
{
    static struct world world;

    make_mesh(&world, 2, 12);
    expect_rings(&world, RINGS_MAX, 12);
    make_mesh(&world, 3, 4);
    expect_rings(&world, RINGS_MAX, 8);
    make_mesh(&world, 3, 4);
    expect_rings(&world, 5, 5);
}

static void make_torus(struct world *world, uint32_t x, uint32_t y)
{
    *world = (struct world){.nodes = x * y};
    for (uint32_t i = 0; i < x * y; i++) {
        join(world, i, i - i % x + (i + 1) % x, 1);
        join(world, i, (i + x) % (x * y), 1);
    }
}

TEST(tori_have_four_rings)
{
    static struct world world;

    make_torus(&world, 3, 3);
    expect_rings(&world, RINGS_MAX, 4);
    make_torus(&world, 4, 8);
    expect_rings(&world, RINGS_MAX, 4);
    make_torus(&world, 8, 8);
    expect_rings(&world, RINGS_MAX, 4);
}

/* The cube mesh of a DGX-1 with V100: every lane is used. */
TEST(the_cube_mesh_has_six_rings)
{
    static const uint32_t wires[][3] = {
        {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 5, 2}, {2, 3, 2}, {4, 7, 2}, {5, 6, 2}, {6, 7, 2},
        {0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {3, 7, 1}, {4, 5, 1}, {5, 7, 1}, {2, 6, 1}, {4, 6, 1}};
    static struct world world;

    world = (struct world){.nodes = 8};
    for (size_t i = 0; i < sizeof(wires) / sizeof(*wires); i++)
        join(&world, wires[i][0], wires[i][1], wires[i][2]);
    expect_rings(&world, RINGS_MAX, 6);
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(world.lanes[i], 0);
}

TEST(graphs_without_a_circuit_have_no_ring)
{
    static struct world world;

    world = (struct world){.nodes = 4}; /* a line */
    join(&world, 0, 1, 3);
    join(&world, 1, 2, 3);
    join(&world, 2, 3, 3);
    expect_rings(&world, RINGS_MAX, 0);
    world = (struct world){.nodes = 3}; /* in one direction only */
    world.lanes[0 * 3 + 1] = world.lanes[1 * 3 + 2] = 1;
    expect_rings(&world, RINGS_MAX, 0);
    world.lanes[2 * 3 + 0] = 1;
    expect_rings(&world, RINGS_MAX, 1);
}

TEST(the_search_is_deterministic)
{
    static struct world first, second;

    make_mesh(&first, 16, 1); /* ends at the limit of steps */
    second = first;
    cs_ring_search(&(struct cs_ring_lanes){.nodes = 16, .lanes = first.lanes}, RINGS_MAX,
                   first.order);
    cs_ring_search(&(struct cs_ring_lanes){.nodes = 16, .lanes = second.lanes}, RINGS_MAX,
                   second.order);
    assert_memory_equal(first.order, second.order, sizeof(first.order));
}

static bool stop_at_three(void *ctx, const struct cs_progress *progress)
{
    (void)progress;
    return ++*(uint32_t *)ctx < 3;
}

/* A ring of 512 nodes, which is not found where the monitor stops on the way round. */
ARENA_TEST(a_search_can_be_stopped)
{
    enum {
        LONG = 512
    };
    uint32_t asked = 0;
    const struct cs_monitor monitor = {stop_at_three, &asked};
    uint32_t *lanes = cs_arena_alloc(arena, (size_t)LONG * LONG, sizeof(*lanes));
    uint32_t *order = cs_arena_alloc(arena, LONG, sizeof(*order));
    struct cs_ring_lanes graph = {LONG, lanes, &monitor};

    for (uint32_t i = 0; i < LONG; i++) {
        lanes[i * LONG + (i + 1) % LONG] = 1;
        lanes[(i + 1) % LONG * LONG + i] = 1;
    }
    assert_int_equal(cs_ring_search(&graph, 1, order), 0);
    assert_in_range(asked, 3, 4);
    graph.monitor = NULL;
    assert_int_equal(cs_ring_search(&graph, 1, order), 1);
}
