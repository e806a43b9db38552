/* Ring swap: all circuits of tori, hypercubes and meshes. */
#include "algorithms/shared/rings/search.h"

#include "tests/test.h"

#include <stdbool.h>

enum {
    RINGS_MAX = 32
};

struct world {
    uint32_t nodes;
    uint32_t *lanes;
};

static struct world new_world(uint32_t nodes)
{
    return (struct world){nodes, calloc((size_t)nodes * nodes, sizeof(uint32_t))};
}

static void join(struct world *world, uint32_t a, uint32_t b, uint32_t width)
{
    world->lanes[(size_t)a * world->nodes + b] += width;
    world->lanes[(size_t)b * world->nodes + a] += width;
}

/* The rings share no lane, and there are `count`; frees the world. */
static void expect_rings(struct world world, uint32_t count)
{
    struct cs_ring_lanes lanes = {.nodes = world.nodes, .lanes = world.lanes};
    uint32_t n = world.nodes;
    uint32_t *order = calloc((size_t)RINGS_MAX * n, sizeof(*order));
    bool *seen = calloc(n, sizeof(*seen));

    assert_int_equal(cs_ring_swap(&lanes, RINGS_MAX, order), count);
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t *ring = &order[(size_t)c * n];

            assert_int_equal(seen[ring[i]], c % 2);
            seen[ring[i]] = !seen[ring[i]];
            assert_true(world.lanes[ring[i] * n + ring[(i + 1) % n]]-- > 0);
        }
    free(order);
    free(seen);
    free(world.lanes);
}

static struct world cube(uint32_t dims, uint32_t width)
{
    struct world world = new_world(1U << dims);

    for (uint32_t i = 0; i < world.nodes; i++)
        for (uint32_t d = 0; d < dims; d++)
            if (i < (i ^ 1U << d))
                join(&world, i, i ^ 1U << d, width);
    return world;
}

TEST(hypercubes_have_a_ring_for_each_lane)
{
    for (uint32_t dims = 4; dims <= 8; dims += 2)
        expect_rings(cube(dims, 1), dims);
    for (uint32_t dims = 4; dims <= 8; dims++)
        expect_rings(cube(dims, 2), 2 * dims);
}

TEST(tori_have_a_ring_for_each_lane)
{
    static const uint32_t dims[][3] = {{3, 3, 1},   {3, 5, 1}, {16, 16, 1},
                                       {31, 33, 1}, {3, 4, 5}, {8, 8, 8}};

    for (size_t i = 0; i < sizeof(dims) / sizeof(*dims); i++) {
        uint32_t x = dims[i][0], xy = x * dims[i][1];
        struct world world = new_world(xy * dims[i][2]);

        for (uint32_t v = 0; v < world.nodes; v++) {
            join(&world, v, v - v % x + (v + 1) % x, 1);
            join(&world, v, v - v % xy + (v + x) % xy, 1);
            if (dims[i][2] > 1)
                join(&world, v, (v + xy) % world.nodes, 1);
        }
        expect_rings(world, dims[i][2] > 1 ? 6 : 4);
    }
}

TEST(full_meshes_of_even_degree_have_a_ring_for_each_lane)
{
    for (uint32_t n = 3; n <= 33; n += 2) {
        struct world world = new_world(n);

        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < a; b++)
                join(&world, a, b, 1);
        expect_rings(world, n - 1);
    }
}

TEST(other_graphs_have_no_ring)
{
    struct world world = new_world(4);

    join(&world, 0, 1, 1); /* a line */
    join(&world, 1, 2, 1);
    join(&world, 2, 3, 1);
    expect_rings(world, 0);
    expect_rings(cube(3, 1), 0); /* odd degree */
    world = new_world(3);        /* in one direction only */
    world.lanes[1] = world.lanes[3 + 2] = world.lanes[6] = 2;
    expect_rings(world, 0);
    world = new_world(6); /* two triangles */
    for (uint32_t i = 0; i < 6; i++)
        join(&world, i, i - i % 3 + (i + 1) % 3, 1);
    expect_rings(world, 0);
}
