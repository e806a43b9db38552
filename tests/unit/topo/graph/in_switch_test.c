#include "topo/graph/in_switch.h"

#include "tests/fixture.h"

/*
 * Leaves 4, 5 with ranks 0, 1 and 2, 3; switch 6 above both.
 *
 *     wires 0 .. 3 of the ranks, 4: 4 - 6, 5: 6 - 5
 */
static void build(struct machine *machine)
{
    static const char *const names[] = {"r0", "r1", "r2", "r3", "l0", "l1", "top"};
    static const uint32_t ends[][2] = {{0, 4}, {1, 4}, {2, 5}, {3, 5}, {4, 6}, {6, 5}};

    *machine = (struct machine){0};
    cs_graph_init(&machine->graph, &machine->arena);
    machine->graph.name = "tree";
    for (uint32_t i = 0; i < 7; i++)
        cs_graph_add_device(&machine->graph,
                            (struct cs_device){.name = names[i],
                                               .kind = i < 4 ? CS_DEVICE_GPU : CS_DEVICE_SWITCH,
                                               .host = CS_NO_HOST});
    for (uint32_t i = 0; i < 6; i++)
        cs_graph_add_wire(&machine->graph, (struct cs_wire){.a = ends[i][0],
                                                            .b = ends[i][1],
                                                            .class_name = "w",
                                                            .rate_Bps = 1e9,
                                                            .efficiency = 1,
                                                            .latency_ps = 1000,
                                                            .source = "test"});
    cs_graph_place_all(&machine->graph);
}

static void expect_route(const struct machine *machine, uint32_t src, uint32_t dst, uint32_t hops,
                         const uint32_t *expected)
{
    const struct cs_graph *graph = &machine->graph;
    uint32_t links[8];

    assert_true(graph->route_max_hops <= 8);
    assert_int_equal(graph->route(graph->route_ctx, src, dst, links), hops);
    assert_memory_equal(links, expected, hops * sizeof(*links));
}

/* Link 2w leads from a to b, 2w + 1 back. */
MACHINE_TEST(a_route_between_neighbours_of_the_tree_is_a_link)
{
    build(machine);
    assert_int_equal(cs_graph_place_tree(&machine->graph, 3, NULL), 0);
    assert_int_equal(machine->graph.agent_device[0], 4);
    assert_int_equal(machine->graph.agent_device[1], 5);
    assert_int_equal(machine->graph.agent_device[2], 6);
    expect_route(machine, 1, 4, 1, (uint32_t[]){2});
    expect_route(machine, 4, 1, 1, (uint32_t[]){3});
    expect_route(machine, 4, 6, 1, (uint32_t[]){8});
    expect_route(machine, 6, 5, 1, (uint32_t[]){10});
    expect_route(machine, 5, 6, 1, (uint32_t[]){11});
}

TEST(a_node_has_an_agent_in_its_switch)
{
    struct machine machine;

    build(&machine);
    assert_int_equal(cs_graph_place_nodes(&machine.graph, 2, NULL), 0);
    assert_int_equal(machine.graph.agent_device[0], 4);
    assert_int_equal(machine.graph.agent_device[1], 5);
    expect_route(&machine, 1, 4, 1, (uint32_t[]){2});
    expect_route(&machine, 4, 1, 1, (uint32_t[]){3});
    expect_route(&machine, 0, 2, 4, (uint32_t[]){0, 8, 10, 5});
    machine_close(&machine);
    build(&machine);
    assert_refused_with(cs_graph_place_nodes(&machine.graph, 4, &err), CS_EINPUT,
                        "as is the group of 1 ranks before it");
    machine_close(&machine);
}

MACHINE_TEST(other_routes_go_up_and_down_the_tree)
{
    build(machine);
    assert_int_equal(cs_graph_place_tree(&machine->graph, 3, NULL), 0);
    expect_route(machine, 0, 5, 3, (uint32_t[]){0, 8, 10});
    expect_route(machine, 5, 0, 3, (uint32_t[]){11, 9, 1});
    expect_route(machine, 4, 5, 2, (uint32_t[]){8, 10});
    expect_route(machine, 5, 4, 2, (uint32_t[]){11, 9});
    expect_route(machine, 0, 2, 4, (uint32_t[]){0, 8, 10, 5});
}

/* Bytes of a wire that leads backwards go from b to a alone; r0's wire 0 has a
 * second one, 6, for the other direction, and so has the leaf's wire 4. */
MACHINE_TEST(one_way_wires_are_used_in_their_direction)
{
    struct cs_wire back;

    build(machine);
    back = machine->graph.wires[0];
    machine->graph.wires[0].backwards = true; /* l0 -> r0 */
    back.a = 4;
    back.b = 0;
    back.backwards = true; /* r0 -> l0 */
    cs_graph_add_wire(&machine->graph, back);
    machine->graph.wires[4].backwards = true; /* top -> l0 */
    back.a = 6;
    back.b = 4;
    cs_graph_add_wire(&machine->graph, back); /* l0 -> top */
    assert_int_equal(cs_graph_place_tree(&machine->graph, 3, NULL), 0);
    expect_route(machine, 0, 4, 1, (uint32_t[]){13});
    expect_route(machine, 4, 0, 1, (uint32_t[]){1});
    expect_route(machine, 4, 6, 1, (uint32_t[]){15});
    expect_route(machine, 6, 4, 1, (uint32_t[]){9});
}

MACHINE_TEST(the_fastest_of_parallel_wires_is_used)
{
    struct cs_wire slow;

    build(machine);
    slow = machine->graph.wires[0];
    slow.rate_Bps /= 2;
    cs_graph_add_wire(&machine->graph, slow);
    assert_int_equal(cs_graph_place_tree(&machine->graph, 3, NULL), 0);
    expect_route(machine, 0, 4, 1, (uint32_t[]){0});
    expect_route(machine, 4, 0, 1, (uint32_t[]){1});
}

static void expect_no_tree(struct machine *machine, uint32_t agents, const char *text)
{
    assert_refused(cs_graph_place_tree(&machine->graph, agents, &err), CS_EINPUT, text);
    machine_close(machine);
}

MACHINE_TEST(a_machine_without_a_tree_is_rejected)
{
    build(machine);
    expect_no_tree(machine, 5, "rank 1 is on 'l0', as is the group of 1 ranks before it");
    build(machine);
    expect_no_tree(machine, 2,
                   "no wire leads from 'r2' straight to 'l0', as reduction in the switch needs");
    build(machine);
    machine->graph.wire_count = 4;
    expect_no_tree(machine, 3, "'tree' has no switch above that of its ranks");
    build(machine);
    machine->graph.wire_count = 5;
    expect_no_tree(machine, 3,
                   "no wire leads from 'l1' straight to 'top', as reduction in the switch needs: "
                   "its tree has two levels, leaves and one switch above all");
    build(machine);
    machine->graph.wires[3].backwards = true;
    expect_no_tree(machine, 3,
                   "no wire leads from 'r3' straight to 'l1', as reduction in the switch needs");
    build(machine);
    machine->graph.wires[5].backwards = true;
    expect_no_tree(machine, 3,
                   "no wire leads from 'top' straight to 'l1', as reduction in the switch needs: "
                   "its tree has two levels, leaves and one switch above all");
    build(machine);
    machine->graph.wire_count = 0;
    expect_no_tree(machine, 3, "'tree' has no switch that its ranks are wired to");
}
