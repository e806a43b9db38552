/* Paths inside a node: the classes of NCCL. */
#include "algorithms/libraries/site/parts.h"

#include "tests/near.h"
#include "tests/unit/topo/machine.h"

static const struct cs_topo_request any = {.spec = "m"};

/* GPUs 0 and 1 below one switch, 2 below a second, 3 on the CPU, 4 on the other
 * socket; 0 - 1 and 1 - 2 are joined by NVLink. */
static const char tree[] = "devices:\n"
                           "  g: {kind: gpu, count: 5}\n"
                           "  s: {kind: switch, count: 3, host: 0}\n"
                           "  c: {kind: cpu, count: 2}\n"
                           "  n: {kind: nic}\n"
                           "links:\n"
                           "  - {from: [g0, g1], to: s0, class: pcie4 x16}\n"
                           "  - {from: [g2, n], to: s1, class: pcie4 x8}\n"
                           "  - {from: [s0, s1], to: s2, class: pcie4 x16}\n"
                           "  - {from: [s2, g3], to: c0, class: pcie4 x16}\n"
                           "  - {from: g4, to: c1, class: pcie4 x16}\n"
                           "  - {from: c0, to: c1, class: upi}\n"
                           "  - {from: g1, to: [g0, g2], class: nvlink3 x4}\n";

MACHINE_TEST(classes_follow_from_switches_and_cpus_on_the_path)
{
    static const enum cs_site_path expected[] = {CS_PATH_LOCAL, CS_PATH_SWITCH, CS_PATH_BRIDGE,
                                                 CS_PATH_HOST, CS_PATH_SOCKET};
    struct cs_site_route *routes;
    struct cs_site_node node;

    machine_open(m, any, tree);
    cs_site_node_read(&m->graph, &m->arena, &node);
    routes = cs_site_routes_from(&node, node.graph.rank_device[0], &m->arena);
    for (uint32_t r = 0; r < 5; r++)
        assert_int_equal(routes[node.graph.rank_device[r]].path, expected[r]);
    /* The eight lanes of GPU 2, and UPI between the sockets. */
    assert_within(routes[node.graph.rank_device[2]].rate_Bps, 12e9, 1);
    assert_within(routes[node.graph.rank_device[4]].rate_Bps, 10e9, 1);
}

MACHINE_TEST(links_come_before_relays_and_relays_before_pcie)
{
    struct cs_site_node node;
    struct cs_site_route *routes;
    const uint32_t *gpu;

    machine_open(m, any, tree);
    cs_site_node_read(&m->graph, &m->arena, &node);
    gpu = node.graph.rank_device;
    routes = cs_site_routes_from(&node, gpu[0], &m->arena);
    assert_int_equal(cs_site_path_of_gpus(&node, gpu[0], gpu[1], routes), CS_PATH_LINKS);
    assert_int_equal(cs_site_path_of_gpus(&node, gpu[0], gpu[2], routes), CS_PATH_RELAY);
    assert_int_equal(cs_site_path_of_gpus(&node, gpu[0], gpu[3], routes), CS_PATH_HOST);
}

MACHINE_TEST(a_path_through_the_package_is_c2c)
{
    struct cs_site_route *routes;
    struct cs_site_node node;

    machine_open(m, any,
                 "devices: {g: {kind: gpu}, c: {kind: cpu}, n: {kind: nic}}\n"
                 "links:\n"
                 "  - {from: g, to: c, class: nvlink-c2c}\n"
                 "  - {from: n, to: c, class: pcie5 x16}\n");
    cs_site_node_read(&m->graph, &m->arena, &node);
    routes = cs_site_routes_from(&node, 0, &m->arena);
    assert_int_equal(routes[2].path, CS_PATH_C2C);
    assert_int_equal(routes[2].hops, 2);
}
