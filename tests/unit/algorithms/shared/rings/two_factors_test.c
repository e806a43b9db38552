/* Two-factors: two edges of each factor at every node. */
#include "algorithms/shared/rings/two_factors.h"

#include "tests/test.h"

enum {
    NODES = 12
};

static void join(uint32_t *lanes, uint32_t a, uint32_t b)
{
    lanes[a * NODES + b]++;
    lanes[b * NODES + a]++;
}

/* A full mesh without the pairs of opposite nodes: ten lanes at each node. */
ARENA_TEST(every_factor_has_two_edges_at_every_node)
{
    uint32_t lanes[NODES * NODES] = {0};
    struct cs_ring_lanes graph = {.nodes = NODES, .lanes = lanes};
    struct cs_two_factors split;

    for (uint32_t a = 0; a < NODES; a++)
        for (uint32_t b = 0; b < a; b++)
            if (a - b != NODES / 2)
                join(lanes, a, b);
    assert_true(cs_two_factors_of(&graph, &split, arena));
    assert_int_equal(split.factors, 5);
    assert_int_equal(split.edge_count, 5 * NODES);
    for (uint32_t a = 0; a < NODES; a++)
        for (uint32_t f = 0; f < 5; f++) {
            const uint32_t *at = cs_factor_at(&split, a, f);

            assert_int_not_equal(at[0], at[1]);
            for (uint32_t i = 0; i < 2; i++) {
                const struct cs_factor_edge *edge = &split.edges[at[i]];

                assert_int_equal(edge->factor, f);
                assert_true(edge->end[0] == a || edge->end[1] == a);
                assert_int_equal(
                    cs_factor_far_end(&split, at[i], cs_factor_far_end(&split, at[i], a)), a);
            }
        }
}

ARENA_TEST(irregular_and_odd_graphs_have_no_two_factors)
{
    uint32_t lanes[NODES * NODES] = {0};
    struct cs_ring_lanes graph = {.nodes = NODES, .lanes = lanes};
    struct cs_two_factors split;

    assert_false(cs_two_factors_of(&graph, &split, arena)); /* no lane */
    for (uint32_t a = 0; a < NODES; a += 2)
        join(lanes, a, a + 1);
    assert_false(cs_two_factors_of(&graph, &split, arena)); /* one lane */
    for (uint32_t a = 0; a < NODES; a += 2)
        join(lanes, a + 1, (a + 2) % NODES);
    assert_true(cs_two_factors_of(&graph, &split, arena)); /* a ring */
    join(lanes, 0, 1);
    assert_false(cs_two_factors_of(&graph, &split, arena));
    lanes[1] = 1; /* two back, one there */
    assert_false(cs_two_factors_of(&graph, &split, arena));
}
