/*
 * Maximum flows against the least cut of all sets of nodes.
 */
#include "algorithms/bounds/flow.h"

#include "tests/fixture.h"

enum {
    NODES_MAX = 7,
    ARCS_MAX = 24,
    NETWORKS = 300,
    RUNS = 4,
};

struct arc {
    uint32_t from, to;
    double capacity;
};

struct drawn {
    struct cs_flow flow;
    struct arc arcs[ARCS_MAX];
    uint32_t arc_count, nodes;
    double supply[NODES_MAX], drain[NODES_MAX];
};

static void draw_network(struct drawn *drawn, struct cs_random *random, struct cs_arena *arena)
{
    *drawn = (struct drawn){.nodes = 2 + (uint32_t)cs_random_below(random, NODES_MAX - 1)};
    cs_flow_init(&drawn->flow, drawn->nodes, ARCS_MAX / 2, arena);
    for (uint32_t i = 0; i < ARCS_MAX / 2; i++) {
        uint32_t a = (uint32_t)cs_random_below(random, drawn->nodes);
        uint32_t b = (uint32_t)cs_random_below(random, drawn->nodes);
        double there = (double)cs_random_below(random, 9);
        double back = (double)cs_random_below(random, 4);

        if (a == b)
            continue;
        cs_flow_add(&drawn->flow, a, b, there, back);
        drawn->arcs[drawn->arc_count++] = (struct arc){a, b, there};
        drawn->arcs[drawn->arc_count++] = (struct arc){b, a, back};
    }
}

static void draw_ends(struct drawn *drawn, struct cs_random *random)
{
    cs_flow_clear_drains(&drawn->flow);
    for (uint32_t n = 0; n < drawn->nodes; n++) {
        drawn->supply[n] = (double)cs_random_below(random, 12) - 4;
        drawn->drain[n] = (double)cs_random_below(random, 12) - 6;
        if (drawn->supply[n] < 0)
            drawn->supply[n] = 0;
        if (drawn->drain[n] < 0)
            drawn->drain[n] = 0;
        cs_flow_supply(&drawn->flow, n, drawn->supply[n]);
        cs_flow_drain(&drawn->flow, n, drawn->drain[n]);
    }
}

/* Arcs into the set, supplies inside, drains outside. */
static double cut_of(const struct drawn *drawn, uint32_t set)
{
    double sum = 0;

    for (uint32_t i = 0; i < drawn->arc_count; i++)
        if (!(set >> drawn->arcs[i].from & 1) && (set >> drawn->arcs[i].to & 1))
            sum += drawn->arcs[i].capacity;
    for (uint32_t n = 0; n < drawn->nodes; n++)
        sum += set >> n & 1 ? drawn->supply[n] : drawn->drain[n];
    return sum;
}

static void check_run(struct drawn *drawn)
{
    double flow = cs_flow_run(&drawn->flow);
    double least = (double)INFINITY;
    uint32_t smallest = UINT32_MAX;
    uint32_t inside = 0;

    for (uint32_t set = 0; set < 1u << drawn->nodes; set++)
        least = fmin(least, cut_of(drawn, set));
    for (uint32_t set = 0; set < 1u << drawn->nodes; set++)
        if (cut_of(drawn, set) <= least)
            smallest &= set;
    for (uint32_t n = 0; n < drawn->nodes; n++)
        inside |= (uint32_t)cs_flow_is_inside(&drawn->flow, n) << n;
    if (flow != least || inside != smallest)
        fail_msg("COLLSIM_SEED=%" PRIu64 ": flow %.17g, least cut %.17g; side %x, not %x",
                 fixture_seed(), flow, least, inside, smallest);
}

/* Whole numbers are exact; the same network serves several runs. */
TEST(a_flow_is_the_least_cut_and_leaves_the_smallest_side)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("flow");
    struct drawn drawn;

    for (uint32_t i = 0; i < NETWORKS; i++) {
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

        draw_network(&drawn, random, &arena);
        for (uint32_t run = 0; run < RUNS; run++) {
            draw_ends(&drawn, random);
            check_run(&drawn);
        }
    }
}

ARENA_TEST(an_endless_supply_is_limited_by_arcs)
{
    struct cs_flow flow;

    cs_flow_init(&flow, 3, 2, arena);
    cs_flow_add(&flow, 0, 1, 5, 0);
    cs_flow_add(&flow, 1, 2, 0.3, 0);
    cs_flow_supply(&flow, 0, (double)INFINITY);
    cs_flow_drain(&flow, 2, (double)INFINITY);
    assert_true(cs_flow_run(&flow) == 0.3);
    assert_true(cs_flow_is_inside(&flow, 2));
    assert_false(cs_flow_is_inside(&flow, 1));
    cs_flow_drain(&flow, 2, 0.25);
    assert_true(cs_flow_run(&flow) == 0.25);
}
