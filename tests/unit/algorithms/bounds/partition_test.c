/*
 * Cuts and partitions of small machines, against values worked out by hand.
 */
#include "algorithms/bounds/bound.h"
#include "algorithms/bounds/partition.h"
#include "topo/graph/lower.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A wire of the fixtures: rates are full duplex, in units of beta = 1 B/s. */
struct pair {
    uint32_t a, b;
    double rate;
};

struct fixture {
    struct cs_arena arena;
    struct cs_graph graph;
};

/* `ranks` hosts, then `switches` switches, wired as told. */
static void build(struct fixture *f, uint32_t ranks, uint32_t switches,
                  const struct pair *pairs, size_t count)
{
    uint32_t i;

    *f = (struct fixture){0};
    cs_graph_init(&f->graph, &f->arena);
    f->graph.name = "fixture";
    for (i = 0; i < ranks + switches; i++)
        cs_graph_add_device(
            &f->graph,
            (struct cs_device){.name = cs_arena_printf(&f->arena, "d%u", i),
                               .kind = i < ranks ? CS_DEVICE_HOST
                                                 : CS_DEVICE_SWITCH,
                               .host = CS_NO_HOST});
    for (i = 0; i < count; i++)
        cs_graph_add_wire(&f->graph, (struct cs_wire){.a = pairs[i].a,
                                                      .b = pairs[i].b,
                                                      .class_name = "wire",
                                                      .rate_Bps = pairs[i].rate,
                                                      .efficiency = 1,
                                                      .source = "fixture"});
    cs_graph_place_all(&f->graph);
}

static double worst_of(uint32_t ranks, uint32_t switches,
                       const struct pair *pairs, size_t count)
{
    struct fixture f;
    double seconds;

    build(&f, ranks, switches, pairs, count);
    seconds =
        cs_partition_worst(cs_mincut_all(&f.graph, &f.arena), ranks, &f.arena)
            .seconds_per_byte;
    cs_arena_free(&f.arena);
    return seconds;
}

static void assert_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-9)
        fail_msg("%.12g is not %.12g", value, expected);
}

#define COUNT(pairs) (sizeof(pairs) / sizeof(*(pairs)))

static void a_ring_of_four_needs_three_quarters_of_v(void **state)
{
    const struct pair pairs[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}};

    (void)state;
    assert_near(worst_of(4, 0, pairs, COUNT(pairs)), 0.75);
}

static void four_ranks_all_wired_need_half_of_v(void **state)
{
    const struct pair pairs[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1},
                                 {1, 2, 1}, {1, 3, 1}, {2, 3, 1}};

    (void)state;
    assert_near(worst_of(4, 0, pairs, COUNT(pairs)), 0.5);
}

static void a_line_and_a_star_of_four_need_all_of_v(void **state)
{
    const struct pair line[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}};
    const struct pair star[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}};

    (void)state;
    assert_near(worst_of(4, 0, line, COUNT(line)), 1);
    assert_near(worst_of(4, 0, star, COUNT(star)), 1);
}

static void two_fast_pairs_are_bound_by_what_joins_them(void **state)
{
    const struct pair pairs[] = {{0, 1, 10}, {2, 3, 10}, {0, 2, 1}, {1, 3, 1}};

    (void)state;
    assert_near(worst_of(4, 0, pairs, COUNT(pairs)), 0.5);
}

static void a_switch_is_put_where_it_binds_most(void **state)
{
    /* Two switches with two ranks each at rate 4, joined at rate 1. */
    const struct pair pairs[] = {
        {0, 4, 4}, {1, 4, 4}, {2, 5, 4}, {3, 5, 4}, {4, 5, 1}};
    struct fixture f;
    const double *rates;

    (void)state;
    build(&f, 4, 2, pairs, COUNT(pairs));
    rates = cs_mincut_all(&f.graph, &f.arena);
    assert_near(rates[0x1], 4);
    assert_near(rates[0x3], 1);
    assert_near(rates[0x5], 8);
    assert_near(rates[0x7], 4);
    cs_arena_free(&f.arena);
}

static void a_shared_medium_counts_once(void **state)
{
    /* Four ranks on a bus of rate 4, one of them beside it too. */
    const struct pair pairs[] = {
        {0, 4, 4}, {1, 4, 4}, {2, 4, 4}, {3, 4, 4}, {0, 1, 3}};
    struct fixture f;
    const double *rates;
    size_t i;

    (void)state;
    build(&f, 4, 1, pairs, COUNT(pairs));
    f.graph.devices[4].kind = CS_DEVICE_BUS;
    for (i = 0; i < 4; i++)
        f.graph.wires[i].duplex = CS_DUPLEX_BUS;
    rates = cs_mincut_all(&f.graph, &f.arena);
    assert_near(rates[0x3], 4);
    assert_near(rates[0x8], 4);
    assert_near(rates[0x1], 7);
    f.graph.wires[4].down = true;
    assert_near(cs_mincut_all(&f.graph, &f.arena)[0x1], 4);
    cs_arena_free(&f.arena);
}

static void a_bound_names_the_ranks_on_both_sides(void **state)
{
    const struct pair pairs[] = {{0, 1, 10}, {2, 3, 10}, {0, 2, 1}, {1, 3, 1}};
    struct cs_bound_request request = {.collective = &cs_collective_allreduce,
                                       .vector_bytes = 8};
    struct fixture f;
    struct cs_net net;
    struct cs_bound bound;

    (void)state;
    build(&f, 4, 0, pairs, COUNT(pairs));
    cs_lower(&f.graph, &net, &f.arena);
    bound = cs_bound_of(&f.graph, &net, &request, &f.arena);
    assert_near(bound.time_s, 4);
    assert_string_equal(bound.why, "links between 2 groups of ranks (wire)");
    request.collective = &cs_collective_broadcast;
    bound = cs_bound_of(&f.graph, &net, &request, &f.arena);
    assert_near(bound.time_s, 4);
    cs_arena_free(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_four_needs_three_quarters_of_v),
        cmocka_unit_test(four_ranks_all_wired_need_half_of_v),
        cmocka_unit_test(a_line_and_a_star_of_four_need_all_of_v),
        cmocka_unit_test(two_fast_pairs_are_bound_by_what_joins_them),
        cmocka_unit_test(a_switch_is_put_where_it_binds_most),
        cmocka_unit_test(a_shared_medium_counts_once),
        cmocka_unit_test(a_bound_names_the_ranks_on_both_sides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
