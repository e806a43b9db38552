#include "topo/graph/equal_wires.h"

#include "tests/fixture.h"

static uint32_t wire_between(const struct cs_graph *graph, const char *a, const char *b)
{
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (!strcmp(graph->devices[graph->wires[w].a].name, a) &&
            !strcmp(graph->devices[graph->wires[w].b].name, b))
            return w;
    fail_msg("no wire %s-%s", a, b);
    return 0;
}

MACHINE_TEST(ports_of_all_adapters_are_equal)
{
    const struct cs_graph *graph = &machine->graph;
    uint32_t port;

    machine_open(machine, "cluster:node=dgx-h100,nodes=2", 0, 0);
    port = wire_between(graph, "n0.nic0", "switch0");
    assert_true(cs_wires_are_equal(graph, port, wire_between(graph, "n1.nic7", "switch0")));
    assert_false(cs_wires_are_equal(graph, port, wire_between(graph, "n0.nic0", "n0.plx0")));
}
