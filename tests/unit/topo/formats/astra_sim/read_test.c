#include "tests/unit/topo/machine.h"

static const struct cs_topo_request any = {.spec = "m"};

#define GIB (1.073741824)

#define NETWORK(shapes, sizes, rates, latencies)                          \
    "topology: [" shapes "]\nnpus_count: [" sizes "]\nbandwidth: [" rates \
    "]\nlatency: [" latencies "]\n"

static uint64_t latency_ps(const struct machine *m, uint32_t src, uint32_t dst)
{
    uint32_t links[64];
    uint32_t count = m->net.route(m->net.route_ctx, src, dst, links);
    uint64_t sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += m->net.links[links[i]].latency_ps;
    return sum;
}

MACHINE_TEST(a_switch_is_two_links_of_the_given_latency)
{
    machine_open(m, any, NETWORK("Switch", "8", "400.0", "936.25"));
    assert_int_equal(m->graph.rank_count, 8);
    machine_route(m, 0, 7, 400 * GIB, 2);
    assert_int_equal(latency_ps(m, 0, 7), 2 * 936250);
    assert_int_equal(machine_notes(m, "2^30"), 1);
}

MACHINE_TEST(a_ring_leads_both_routes_round)
{
    machine_open(m, any, NETWORK("Ring", "5", "50", "500"));
    assert_int_equal(latency_ps(m, 0, 1), 500000);
    assert_int_equal(latency_ps(m, 0, 4), 500000);
    assert_int_equal(latency_ps(m, 0, 3), 1000000);
    machine_route(m, 0, 3, 50 * GIB, 4);
}

MACHINE_TEST(two_in_a_ring_have_one_link)
{
    machine_open(m, any, NETWORK("Ring", "2", "50", "500"));
    assert_int_equal(m->graph.wire_count, 3);
}

MACHINE_TEST(every_pair_of_fully_connected_has_a_link)
{
    machine_open(m, any, NETWORK("FullyConnected", "6", "50", "500"));
    assert_int_equal(m->graph.wire_count, 15);
    machine_route(m, 1, 4, 50 * GIB, 1);
}

MACHINE_TEST(the_first_dimension_is_inside)
{
    machine_open(m, any, NETWORK("Ring, Switch", "2, 3", "200, 50", "10, 1000"));
    assert_int_equal(m->graph.rank_count, 6);
    assert_int_equal(latency_ps(m, 0, 1), 10000);
    assert_int_equal(latency_ps(m, 0, 2), 2000000);
    assert_int_equal(latency_ps(m, 0, 3), 2010000);
}

TEST(wrong_networks_are_reported_by_line)
{
    machine_refused(NETWORK("Rign", "4", "1", "1"),
                    "m:1: no topology called 'Rign'; did you mean 'Ring'?");
    machine_refused(NETWORK("Ring, Ring", "4", "1", "1"),
                    "m:2: 'npus_count' has 1 values, but there are 2 dimensions");
    machine_refused(NETWORK("Ring", "4", "tbd", "1"),
                    "m:3: 'bandwidth', a number of GB/s of 2^30 bytes: 'tbd GiB/s' is not a rate "
                    "such as 25 GB/s or 400 Gb/s");
    machine_refused(NETWORK("Ring, Ring", "60000, 60000", "1, 1", "1, 1"), "m:1: over 65536 NPUs");
    machine_refused(NETWORK("FullyConnected", "60000", "1", "1"),
                    "m:1: 1799970000 links; at most 1048576");
    machine_refused("topology: [Ring]\nnpus_count: [4]\nbandwidth: [1]\n",
                    "m:1: 'latency' is missing");
}

#define FIRST(shapes, sizes, rates, latencies, more)                            \
    "{\"topology-name\": \"Hierarchical\",\n\"topologies-per-dim\": "           \
    "[" shapes "],\n\"units-count\": [" sizes "],\n\"link-bandwidth\": [" rates \
    "],\n\"link-latency\": [" latencies "]" more "}\n"

MACHINE_TEST(the_first_version_counts_links_and_nics)
{
    machine_open(m, any,
                 FIRST("\"Ring\", \"FullyConnected\", \"Switch\"", "4, 3, 2", "250, 25, 12.5",
                       "500, 400, 300",
                       ",\n\"links-count\": [4, 2, 3],\n\"nic-latency\": [0, 0, "
                       "50],\n\"router-latency\": [0, 0, 40],\n"
                       "\"hbm-scale\": [0, 0, 0]"));
    assert_int_equal(m->graph.rank_count, 24);
    machine_route(m, 0, 1, 500, 3);
    machine_route(m, 0, 4, 25, 3);
    machine_route(m, 0, 12, 37.5, 4);
    assert_int_equal(latency_ps(m, 0, 12), 2 * 370000);
    assert_int_equal(machine_notes(m, "10^9 bytes"), 1);
    assert_int_equal(machine_notes(m, "memory of NPUs"), 1);
}

MACHINE_TEST(links_of_the_first_version_are_checked)
{
    machine_refused(
        FIRST("\"FullyConnected\"", "5", "1", "1", ",\n\"links-count\": [3]"),
        "m:6: 3 links of an NPU for 4 neighbours in dimension 1; expected at least as many");
    machine_refused(FIRST("\"Ring\"", "5", "fast", "1", ""),
                    "m:4: 'bandwidth', a number of GB/s of 10^9 bytes: 'fast GB/s' is not a rate "
                    "such as 25 GB/s or 400 Gb/s");
    machine_open(m, any, FIRST("\"AllToAll\"", "3", "10", "1", ",\n\"links-count\": [5]"));
    machine_route(m, 0, 1, 20, 1);
    assert_int_equal(machine_notes(m, "1 of 5 links"), 1);
}
