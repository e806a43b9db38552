#include "tests/unit/topo/machine.h"

#define TIER(number, speed, down, more)                                          \
    "Tier " number "\nDownlink_speed_Gbps " speed "\nRadix_Down " down "\n" more \
    "Downlink_Latency_ns 1000\nSwitch_Latency_ns 100\n"
#define THREE                                                                        \
    "# a tree\nNodes 16\nTiers 3\nPodsize 8\n" TIER("0", "100", "4", "RADIX_UP 2\n") \
        TIER("1", "200", "2", "Radix_Up 2\nQueue_Up 0\n") TIER("2", "400", "4", "Bundle 2\n")

MACHINE_TEST(a_node_is_a_rank_below_leaves_spines_and_cores)
{
    machine_open(m, (struct cs_topo_request){.spec = "m"}, THREE);
    assert_int_equal(m->graph.rank_count, 16);
    assert_int_equal(m->graph.device_count, 16 + 4 + 4 + 2);
    machine_route(m, 0, 3, 12.5, 2);
    machine_route(m, 0, 4, 12.5, 4);
    machine_route(m, 0, 15, 12.5, 6);
}

MACHINE_TEST(latencies_are_those_of_links_and_switches)
{
    uint64_t sum_ps = 0;

    machine_open(m, (struct cs_topo_request){.spec = "m"}, THREE);
    for (uint32_t w = 0; w < m->graph.wire_count; w++)
        if (cs_graph_wire(&m->graph, w).a < 1)
            sum_ps += cs_graph_wire(&m->graph, w).latency_ps;
    assert_int_equal(sum_ps, 1050000);
}

MACHINE_TEST(nodes_are_adapters_of_a_platform)
{
    machine_open(m, (struct cs_topo_request){.spec = "m", .platform = "dgx-h100"}, THREE);
    assert_int_equal(m->graph.rank_count, 16);
    machine_route(m, 0, 8, 12.5, 10);
    machine_open(m, (struct cs_topo_request){.spec = "m", .platform = "dgx-h100", .hosts = "node1"},
                 THREE);
    assert_int_equal(m->graph.rank_count, 8);
}

/* Nothing but the nodes of the file is on its switches: a server as another node would
 * be behind the last port. */
MACHINE_TEST(a_server_needs_a_cpu_of_a_platform)
{
    struct cs_topo_request request = {.spec = "m", .agents = 1};

    assert_int_equal(machine_try(m, request, THREE), CS_EINPUT);
    assert_string_equal(m->err.text, "no CPU for a parameter server in the hosts of a fabric's "
                                     "file; --platform MACHINE says what is inside");
    request.platform = "dgx-h100";
    machine_open(m, request, THREE);
    assert_int_equal(m->graph.agent_count, 1);
}

MACHINE_TEST(wrong_trees_are_named_with_the_line)
{
    machine_refused(
        "Nodes 4\nTiers 2\nTier 0\nRadx_Up 2\n",
        "m:4: 'Radx_Up' is no key of a .topo file of htsim with a value; did you mean 'Radix_Up'?");
    machine_refused("Nodes 4\nTiers 2\nTier 2\n",
                    "m:3: 'Tier 2' of 2 tiers; expected 0 to 1, behind 'Tiers'");
    machine_refused(
        "Nodes 4\nTiers 2\n" TIER("0", "100", "2", "Radix_Up 2\n") TIER("1", "100", "4", ""),
        "m:9: 2 switches with 4 ports down of Tier 1, and 4 ports up below; expected as many");
    machine_refused(
        "Nodes 4\nTiers 2\nTier 0\nRadix_Down 2\nTier 1\n",
        "m:3: a tier lacks Downlink_speed_Gbps, Radix_Down or, but for the last, Radix_Up");
    assert_int_equal(
        machine_try(m, (struct cs_topo_request){.spec = "m", .hosts = "node99"}, THREE), CS_EINPUT);
    assert_string_equal(m->err.text,
                        "--hosts: no host called 'node99' in m; did you mean 'node9'?");
}
