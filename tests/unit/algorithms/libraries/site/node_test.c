/* Nodes of sites: which devices, wires and ports belong to the node. */
#include "algorithms/libraries/site/node.h"

#include "tests/unit/topo/machine.h"

static const struct cs_topo_request any = {.spec = "m"};

/* Two hosts whose switches have no host, an NVLink domain and a network. */
#define TWO_HOSTS                                             \
    "devices:\n"                                              \
    "  a: {kind: gpu, count: 2, host: 0}\n"                   \
    "  b: {kind: gpu, host: 1}\n"                             \
    "  na: {kind: nic, host: 0}\n"                            \
    "  nb: {kind: nic, host: 1}\n"                            \
    "  plx: {kind: switch}\n"                                 \
    "  leaf: {kind: switch}\n"                                \
    "links:\n"                                                \
    "  - {from: [\"a[*]\", na], to: plx, class: pcie5 x16}\n" \
    "  - {from: b, to: nb, class: pcie5 x16}\n"               \
    "  - {from: [na, nb], to: leaf, class: ib-ndr}\n"

MACHINE_TEST(the_host_with_the_most_ranks_stands_for_all)
{
    struct cs_site_node node;

    machine_open(m, any, TWO_HOSTS);
    cs_site_node_read(&m->graph, &m->arena, &node);
    assert_int_equal(node.nodes, 2);
    assert_int_equal(node.graph.rank_count, 2);
    assert_int_equal(node.rank, 0);
    assert_int_equal(node.domain, CS_NET_NONE);
}

/* PCIe leads to plx; the network's switch stays outside, as a port. */
MACHINE_TEST(switches_without_a_host_belong_to_the_node_that_pcie_joins)
{
    struct cs_site_node node;

    machine_open(m, any, TWO_HOSTS);
    cs_site_node_read(&m->graph, &m->arena, &node);
    assert_int_equal(node.graph.device_count, 4);
    assert_int_equal(node.graph.wire_count, 3);
    assert_int_equal(node.port_count, 1);
    assert_string_equal(node.graph.devices[node.ports[0].device].name, "na");
    assert_int_equal(node.ports[0].parts, 1);
    assert_string_equal(node.ports[0].wire.class_name, "ib-ndr");
}

MACHINE_TEST(links_to_gpus_of_another_host_are_a_domain)
{
    struct cs_site_node node;

    machine_open(m, any, TWO_HOSTS "  - {from: a0, to: b, class: nvlink5 x18}\n");
    cs_site_node_read(&m->graph, &m->arena, &node);
    assert_int_equal(node.domain, CS_NET_NVLINK);
    assert_int_equal(node.graph.wire_count, 3);
    machine_open(m, any, TWO_HOSTS "  - {from: a0, to: b, class: hccs-a3}\n");
    cs_site_node_read(&m->graph, &m->arena, &node);
    assert_int_equal(node.domain, CS_NET_HCCS);
}

/* A network of NVLink or PCIe is a network still. */
TEST(links_of_adapters_are_ports)
{
    static const char *const links[] = {"nvlink4", "pcie5 x16"};

    for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
        struct cs_site_node node;
        CS_AT_END(machine_close) struct machine m = {0};
        char text[1024];

        (void)snprintf(text, sizeof(text), "%s", TWO_HOSTS);
        (void)snprintf(strstr(text, "ib-ndr"), 16, "%s}\n", links[i]);
        machine_open(&m, any, text);
        cs_site_node_read(&m.graph, &m.arena, &node);
        assert_int_equal(node.port_count, 1);
        assert_int_equal(node.domain, CS_NET_NONE);
    }
}

/* Hosts of so many ranks each, in every order. */
TEST(the_hosts_with_the_most_and_the_fewest_ranks_are_found)
{
    static const uint32_t orders[][3] = {{2, 3, 4}, {2, 4, 3}, {3, 2, 4}, {3, 4, 2},
                                         {4, 2, 3}, {4, 3, 2}, {3, 3, 2}, {3, 3, 3}};

    for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
        const uint32_t *ranks = orders[i];
        uint32_t most = 0, least = 0, first[3] = {0, ranks[0], ranks[0] + ranks[1]};
        struct cs_site_node node;
        CS_AT_END(machine_close) struct machine m = {0};
        char text[512];

        for (uint32_t h = 1; h < 3; h++) {
            most = ranks[h] > ranks[most] ? h : most;
            least = ranks[h] < ranks[least] ? h : least;
        }
        (void)snprintf(text, sizeof(text),
                       "devices:\n"
                       "  a: {kind: gpu, count: %u, host: 0}\n"
                       "  b: {kind: gpu, count: %u, host: 1}\n"
                       "  c: {kind: gpu, count: %u, host: 2}\n"
                       "  leaf: {kind: switch}\n"
                       "links:\n"
                       "  - {from: [\"a[*]\", \"b[*]\", \"c[*]\"], to: leaf, class: ib-ndr}\n",
                       ranks[0], ranks[1], ranks[2]);
        machine_open(&m, any, text);
        cs_site_node_read(&m.graph, &m.arena, &node);
        assert_int_equal(node.nodes, 3);
        assert_int_equal(node.rank, first[most]);
        assert_int_equal(node.least, first[least]);
    }
}
