/* Networks of sites: adapters in use, rates, kinds. */
#include "algorithms/libraries/site/parts.h"

#include "tests/site.h"

#define GB 1e9

/* PCIe 4.0 carries 24 GB/s of HDR's 24.8. */
TEST(adapters_count_after_the_limits_of_pcie)
{
    struct cs_site site = site_of("cluster:node=dgx-a100,nodes=3", 0);

    assert_int_equal(site.ranks, 24);
    assert_int_equal(site.nodes, 3);
    assert_int_equal(site.node_ranks, 8);
    assert_true(site.cpu_is_amd && site.gdr);
    assert_int_equal(site.net, CS_NET_IB);
    assert_int_equal(site.net_path, CS_PATH_SWITCH);
    assert_int_equal(site.adapters, 8);
    assert_within(site.adapter_Bps, 25 * GB * 0.993, 1);
    assert_within(site.node_Bps, 8 * 24 * GB, 1);
}

/* Each adapter of a DGX-1 has a slot of PCIe 3.0 x16, which a port of 25 GB/s
 * does not widen. */
TEST(slots_of_adapters_do_not_depend_on_the_network)
{
    struct cs_site site = site_of("cluster:node=dgx-1,nodes=2,bandwidth=25GB/s,latency=5us", 0);

    assert_int_equal(site.adapters, 4);
    assert_within(site.slot_Bps, 12 * GB, 1);
    assert_int_equal(site.slot_adapters, 1);
    assert_within(site.node_Bps, 4 * 12 * GB, 1);
    /* A bond of four. */
    site = site_of("cluster:node=p5,nodes=2", 0);
    assert_within(site.slot_Bps, 48 * GB, 1000);
    assert_int_equal(site.slot_adapters, 4);
}

/* Four adapters of 12.4 GB/s behind each GPU's 48. */
TEST(a_bond_counts_its_adapters)
{
    struct cs_site site = site_of("cluster:node=p5,nodes=2", 0);
    struct cs_site plain = site_of("cluster:node=p5,nodes=2,stripe=off", 0);

    assert_int_equal(site.net, CS_NET_EFA2);
    assert_int_equal(site.adapters, 32);
    assert_within(site.adapter_Bps, 12.4 * GB, 1);
    assert_within(site.node_Bps, 8 * 48 * GB, 1000);
    assert_int_equal(plain.adapters, 32);
    assert_within(plain.node_Bps, site.node_Bps, 1000);
    /* One GPU has the four adapters of its switch. */
    site = site_of("cluster:node=p5,nodes=2,gpus=1", 0);
    assert_int_equal(site.adapters, 4);
    assert_int_equal(site.gpu_path, CS_PATH_LOCAL);
    assert_within(site.ring_Bps, 0, 0);
}

/* The only adapter hangs on the socket: above NCCL's level of GPUDirect. */
TEST(an_adapter_behind_the_cpu_does_not_reach_the_gpus)
{
    struct cs_site site = site_of("cluster:node=ndv2,nodes=2", 0);

    assert_int_equal(site.net_path, CS_PATH_HOST);
    assert_false(site.gdr);
    assert_int_equal(site.adapters, 1);
    assert_within(site.node_Bps, 12 * GB, 1);
}

TEST(the_network_follows_from_the_class_of_its_wires)
{
    static const struct {
        const char *link;
        enum cs_network_id net;
    } cases[] = {{"ib-ndr", CS_NET_IB},        {"400gbe-roce", CS_NET_ROCE},
                 {"efa-100", CS_NET_EFA1},     {"efa2-100", CS_NET_EFA2},
                 {"efa-200", CS_NET_EFA3},     {"efa-400", CS_NET_EFA4},
                 {"100gbe", CS_NET_SOCKET},    {"200gbe-tcpxo", CS_NET_TCPXO},
                 {"200gbe-tcpx", CS_NET_TCPX}, {"slingshot11", CS_NET_SLINGSHOT},
                 {"400gbe-gib", CS_NET_GIB},   {"omni-path", CS_NET_OMNI_PATH}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char spec[80];

        (void)snprintf(spec, sizeof(spec), "cluster:node=dgx-h100,nodes=2,link=%s", cases[i].link);
        assert_int_equal(site_of(spec, 0).net, cases[i].net);
    }
}

/* But for clusters, and nodes without adapters. */
TEST(machines_of_the_library_state_their_network)
{
    static const char others[] = "100gbe-8 10gbe-8 25gbe-8 gbe-4 ib-2xdgx nvlink-pair pcie-4gpu";
    char spec[80];

    for (size_t i = 0; i < cs_machine_file_count; i++) {
        (void)snprintf(spec, sizeof(spec), "cluster:node=%s,nodes=2", cs_machine_files[i].name);
        if (!strstr(others, cs_machine_files[i].name) && site_of(spec, 0).net_is_assumed)
            fail_msg("%s does not state its network", cs_machine_files[i].name);
    }
}

/* The adapters behind the GPUs' own PCIe switches come before those through the package. */
TEST(part_of_a_rack_reaches_its_adapters_through_their_switches)
{
    struct cs_site site = site_of("cluster:node=gb300-nvl72,nodes=2,gpus=4", 0);

    assert_int_equal(site.net_path, CS_PATH_SWITCH);
    assert_int_equal(site.adapters, 4);
    assert_true(site.node_Bps >= 4 * 96 * GB);
}

/* Four modules with six links a pair: three rings, or six of half the rate. */
TEST(modules_of_grace_hopper_reach_adapters_through_the_package)
{
    struct cs_site site = site_of("cluster:node=gh200,nodes=2", 0);

    assert_within(site.ring_Bps, 18 * 20.6 * GB, 1000);
    assert_int_equal(site.gpu_path, CS_PATH_LINKS);
    assert_int_equal(site.net, CS_NET_SLINGSHOT);
    assert_int_equal(site.net_path, CS_PATH_C2C);
    assert_int_equal(site.adapters, 4);
    assert_within(site.pcie_Bps, 359 * GB, 1000);
}

/* Node 1 has a single GPU, behind 24 GB/s of PCIe. */
TEST(the_node_with_the_fewest_ranks_limits_the_adapters)
{
    struct cs_site site = site_of("cluster:node=dgx-a100,nodes=2", 9);

    assert_int_equal(site.nodes, 2);
    assert_int_equal(site.node_ranks, 8);
    assert_within(site.node_Bps, 24 * GB, 1);
}

/* One adapter for two sockets, and one for each. */
TEST(ranks_without_an_adapter_at_their_socket_are_away)
{
    assert_int_equal(site_of("cluster:node=rtxpro6000,nodes=2", 0).away_ranks, 4);
    assert_int_equal(site_of("cluster:node=dgx-1,nodes=2", 0).away_ranks, 0);
    assert_int_equal(site_of("rtxpro6000", 0).away_ranks, 0);
}
