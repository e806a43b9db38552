#include "topo/graph/in_fabric.h"

#include "tests/fixture.h"

/* Rank 1 of both nodes, agent 1 in their rail's switch. */
TEST(an_agent_is_between_the_ranks_of_a_rail)
{
    static const char *const specs[] = {
        "cluster:node=dgx-h100,nodes=2,fabric=star",
        "cluster:node=dgx-h100,nodes=2,fabric=rail",
    };

    for (int i = 0; i < 2; i++) {
        CS_AT_END(machine_close) struct machine machine;
        uint32_t *whole, *part;
        uint32_t hops, up, down;

        machine_open(&machine, specs[i], 0, 0);
        assert_int_equal(cs_graph_place_fabric(&machine.graph, 8, NULL), 0);
        assert_int_equal(machine.graph.agent_count, 8);
        whole = cs_arena_alloc(&machine.arena, machine.graph.route_max_hops, sizeof(*whole));
        part = cs_arena_alloc(&machine.arena, machine.graph.route_max_hops, sizeof(*part));
        hops = machine.graph.route(machine.graph.route_ctx, 1, 9, whole);
        up = machine.graph.route(machine.graph.route_ctx, 1, 17, part);
        assert_true(up > 0 && up < hops);
        assert_memory_equal(part, whole, up * sizeof(*part));
        down = machine.graph.route(machine.graph.route_ctx, 17, 9, part);
        assert_int_equal(up + down, hops);
        assert_memory_equal(part, &whole[up], down * sizeof(*part));
    }
}

MACHINE_TEST(rails_have_switches_of_their_own)
{
    machine_open(machine, "cluster:node=dgx-h100,nodes=2,fabric=rail", 0, 0);
    assert_int_equal(cs_graph_place_fabric(&machine->graph, 8, NULL), 0);
    for (uint32_t i = 1; i < 8; i++)
        assert_int_not_equal(machine->graph.agent_device[i], machine->graph.agent_device[0]);
}

/* Ranks meet the switch of their node, the heads of a rail the one between the nodes. */
MACHINE_TEST(agents_of_nodes_come_before_those_between)
{
    uint32_t *links;

    machine_open(machine, "cluster:node=dgx-h100,nodes=3,fabric=rail", 0, 0);
    assert_int_equal(cs_graph_place_nodes_and_fabric(&machine->graph, 11, NULL), 0);
    assert_int_equal(machine->graph.agent_count, 11);
    links = cs_arena_alloc(&machine->arena, machine->graph.route_max_hops, sizeof(*links));
    assert_int_equal(machine->graph.route(machine->graph.route_ctx, 9, 25, links), 1);
    assert_true(machine->graph.route(machine->graph.route_ctx, 9, 24 + 3 + 1, links) > 1);
    assert_int_equal(machine->graph.route(machine->graph.route_ctx, 24, 27, links), 0);
}

TEST(nodes_without_a_switch_are_refused)
{
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, "cluster:node=mi300x,nodes=2", 0, 0);
    assert_refused(cs_graph_place_nodes_and_fabric(&machine.graph, 10, &err), CS_EINPUT,
                   "'2 x mi300x (star)' has not one switch for the ranks of each of several nodes");
}

static void expect_no_place(const char *spec, const char *text)
{
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, spec, 0, 0);
    assert_refused(cs_graph_place_fabric(&machine.graph, 8, &err), CS_EINPUT, text);
}

TEST(fabrics_without_a_common_switch_are_refused)
{
    expect_no_place("cluster:node=dgx-h100,nodes=8,fabric=fat-tree,radix=8",
                    "ranks 0 and 8 are on different switches, 'leaf0' and 'leaf2'; reduction "
                    "across nodes needs one switch for a rail");
    expect_no_place("cluster:node=dgx-h100,nodes=3,fabric=ring",
                    "no switch is on the route from rank 0 to rank 8 in another node");
}
