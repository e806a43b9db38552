/* Tree graph: capacities of routes, and their grants to pairs of ranks. */
#include "algorithms/shared/trees/graph.h"

#include "tests/fixture.h"

static struct cs_tree_graph graph_of(struct machine *machine, bool direct)
{
    struct cs_tree_routes routes = {&machine->net, machine->graph.rank_count, false, direct};

    return cs_tree_graph_of(&routes, &machine->arena);
}

static void supply_all(struct cs_tree_graph *graph, double each)
{
    for (uint32_t r = 0; r < graph->ranks; r++)
        cs_tree_graph_supply(graph, r, each);
}

/* Stops at the third question. */
static bool stop_at_third(void *ctx, const struct cs_progress *progress)
{
    (void)progress;
    return ++*(uint32_t *)ctx < 3;
}

MACHINE_TEST(a_stopped_search_asks_no_more)
{
    struct cs_tree_graph graph;
    uint32_t asked = 0;
    const struct cs_monitor monitor = {stop_at_third, &asked};

    machine_open(machine, "switch:ranks=16,bandwidth=1GB/s", 0, 0);
    machine->net.monitor = &monitor;
    graph = graph_of(machine, false);
    supply_all(&graph, 1);
    cs_tree_graph_scale(&graph, 15e-9, true);
    (void)cs_tree_graph_grant(&graph, 16);
    assert_int_equal(asked, 3);
    assert_true(graph.stopped);
}

MACHINE_TEST(a_switch_is_shared_among_all_pairs)
{
    struct cs_tree_graph graph;

    machine_open(machine, "switch:ranks=4,bandwidth=1GB/s", 0, 0);
    graph = graph_of(machine, false);
    supply_all(&graph, 1);
    cs_tree_graph_scale(&graph, 3e-9, true);
    assert_true(cs_tree_graph_grant(&graph, 4));
    assert_int_equal(graph.pair_count, 12);
    for (uint32_t i = 0; i < graph.pair_count; i++)
        assert_within(graph.pair[i].granted, 1, 0);
}

/* Three units out of the root are one and two to the two others, which pass on what they
 * have: more than the half of a port that is a pair's fair share. */
MACHINE_TEST(a_pair_may_have_more_than_its_fair_share)
{
    struct cs_tree_graph graph;

    machine_open(machine, "switch:ranks=3,bandwidth=1GB/s", 0, 0);
    graph = graph_of(machine, false);
    cs_tree_graph_supply(&graph, 0, 3);
    cs_tree_graph_scale(&graph, 3e-9, true);
    assert_true(cs_tree_graph_grant(&graph, 3));
}

/* Three blocks into each rank need three units of the port. */
MACHINE_TEST(ports_below_the_demand_lack_a_unit)
{
    struct cs_tree_graph graph;

    machine_open(machine, "switch:ranks=4,bandwidth=1GB/s", 0, 0);
    graph = graph_of(machine, false);
    supply_all(&graph, 1);
    cs_tree_graph_scale(&graph, 2.9e-9, true);
    assert_within(cs_tree_graph_lack(&graph, 4, 4), 1, 0);
    assert_false(cs_tree_graph_grant(&graph, 4));
}

TEST(pairs_without_a_wire_are_left_out_of_direct_routes)
{
    struct machine machine;

    machine_open(&machine, "switch:ranks=4", 0, 0);
    assert_int_equal(graph_of(&machine, true).pair_count, 0);
    machine_close(&machine);
    machine_open(&machine, "ring:ranks=5", 0, 0);
    assert_int_equal(graph_of(&machine, true).pair_count, 10);
    /* The other pairs have a third rank on the route. */
    assert_int_equal(graph_of(&machine, false).pair_count, 10);
    machine_close(&machine);
}

/* The directions of a half-duplex wire share an arc between open ones. */
MACHINE_TEST(a_shared_wire_is_an_arc_of_its_own)
{
    struct cs_tree_graph graph;

    machine_open(machine, "mesh:ranks=2,duplex=half", 0, 0);
    graph = graph_of(machine, false);
    assert_int_equal(graph.pair_count, 2);
    assert_int_equal(graph.pair[0].arcs, 3);
    assert_int_equal(graph.steps[graph.pair[0].first + 1], graph.steps[graph.pair[1].first + 1]);
}
