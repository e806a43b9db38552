/* Separate networks for the NICs of a node: rail-only and dual-plane. */
#include "tests/fixture.h"
#include "topo/graph/check.h"

static uint32_t switches_outside(const struct cs_graph *graph)
{
    uint32_t count = 0;

    for (uint32_t d = 0; d < graph->device_count; d++)
        count += graph->devices[d].kind == CS_DEVICE_SWITCH && graph->devices[d].host == CS_NO_HOST;
    return count;
}

/* "rail3" of "rail3.leaf0"; NULL for a device of a node. */
static const char *network_of(const struct cs_graph *graph, uint32_t device)
{
    const char *name = graph->devices[device].name;

    return graph->devices[device].host == CS_NO_HOST
               ? cs_arena_text_n(graph->arena, name, strcspn(name, "."))
               : NULL;
}

/* Every wire between switches stays in one network. */
static void check_apart(const struct cs_graph *graph)
{
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const char *a = network_of(graph, graph->wires[w].a);
        const char *b = network_of(graph, graph->wires[w].b);

        if (a && b)
            assert_string_equal(a, b);
    }
}

static void check_switches(const char *spec, uint32_t switches)
{
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, spec, 0, 0);
    assert_int_equal(switches_outside(&machine.graph), switches);
    check_apart(&machine.graph);
}

/* Up to `radix` nodes one switch, beyond two tiers: 6 ports are 3 leaves of 2, each
 * with a wire to 2 spines; a plane of 4 NICs of 6 nodes has 24 ports. */
TEST(networks_have_the_switches_that_their_ports_take)
{
    check_switches("cluster:node=dgx-h100,nodes=6,fabric=rail-only", 8);
    check_switches("cluster:node=dgx-h100,nodes=6,fabric=rail-only,radix=6", 8);
    check_switches("cluster:node=dgx-h100,nodes=6,fabric=rail-only,radix=4", 8 * (3 + 2));
    check_switches("cluster:node=dgx-h100,nodes=6,fabric=dual-plane", 2);
    check_switches("cluster:node=dgx-h100,nodes=6,fabric=dual-plane,radix=12", 2 * (4 + 6));
}

/* From GPU 0 of a node to GPU 5 of another: over NVLink to GPU 5, then rail 5. */
MACHINE_TEST(a_message_changes_rails_inside_its_node)
{
    uint32_t links[64], hops;
    bool sees_nvswitch = false, sees_rail = false;

    machine_open(machine, "cluster:node=dgx-h100,nodes=2,fabric=rail-only", 0, 0);
    hops = machine->net.route(machine->net.route_ctx, 0, 13, links);
    for (uint32_t i = 0; i < hops; i++) {
        const char *name = machine->graph.devices[machine->net.links[links[i]].to].name;

        sees_nvswitch |= strstr(name, "n0.nvswitch") != NULL;
        sees_rail |= strcmp(name, "rail5.switch0") == 0;
        assert_null(strstr(name, "rail0"));
    }
    assert_true(sees_nvswitch && sees_rail);
}

/* NIC i is in plane i mod 2. */
MACHINE_TEST(adapters_alternate_between_the_planes)
{
    machine_open(machine, "cluster:node=dgx-h100,nodes=2,fabric=dual-plane", 0, 0);
    for (uint32_t w = 0; w < machine->graph.wire_count; w++) {
        const struct cs_wire *wire = &machine->graph.wires[w];
        const char *nic = machine->graph.devices[wire->a].name;
        const char *plane = network_of(&machine->graph, wire->b);

        if (plane)
            assert_int_equal((nic[strlen(nic) - 1] - '0') % 2, plane[5] - '0');
    }
}

static void refuses(const char *spec, const char *text)
{
    struct cs_topo_request request = {.spec = spec};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_graph graph;

    assert_refused_with(cs_topo_open(&request, &graph, &arena, &err), CS_EINPUT, text);
}

TEST(what_does_not_fit_is_refused)
{
    refuses("cluster:node=dgx-h100,nodes=6,fabric=rail-only,radix=4,tiers=1",
            "6 ports on a switch of 4; write tiers=2 or a larger radix");
    refuses("cluster:node=dgx-h100,nodes=6,fabric=dual-plane,rails=4",
            "a dual-plane has 2 planes, not rails=4; leave rails= out");
    refuses("cluster:nodes=6,fabric=dual-plane",
            "the 1 NICs of a node cannot be split among 2 planes");
    refuses("cluster:node=dgx-h100,nodes=6,fabric=dual-plain", "did you mean 'dual-plane'?");
    refuses("cluster:node=dgx-h100,nodes=6,fabric=rail-only,hosts=2",
            "hosts, routers and globals are a dragonfly's, not a rail-only's");
}
