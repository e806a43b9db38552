/* Sites: what a library finds out about machines whose figures are known. */
#include "algorithms/libraries/site.h"

#include "tests/fixture.h"

#include <stdio.h>

#define GB 1e9

static struct cs_site site_of(const char *spec, uint32_t ranks)
{
    struct machine machine;
    struct cs_site site;
    struct cs_err err = {0};

    machine_open(&machine, spec, ranks, 0);
    if (cs_site_read(&machine.graph, &machine.arena, &site, &err))
        fail_msg("%s: %s", spec, err.text);
    machine_close(&machine);
    return site;
}

/* 18 links of 20.6 GB/s into NVSwitches with multimem. */
static void a_dgx_h100_has_nvls_and_the_rate_of_its_links(void **state)
{
    struct cs_site site = site_of("dgx-h100", 0);

    (void)state;
    assert_int_equal(site.ranks, 8);
    assert_int_equal(site.nodes, 1);
    assert_int_equal(site.maker, CS_MAKER_NVIDIA);
    assert_int_equal(site.generation, 90);
    assert_string_equal(site.gpu, "h100");
    assert_true(site.has_nvls && site.has_switch && site.peer_access);
    assert_false(site.cpu_is_amd || site.cpu_is_arm || site.gdr);
    assert_int_equal(site.gpu_path, CS_PATH_LINKS);
    assert_float_equal(site.link_Bps, 370.8 * GB, 1);
    assert_float_equal(site.ring_Bps, 370.8 * GB, 1);
    assert_float_equal(site.pcie_Bps, 48 * GB, 1);
    assert_float_equal(site.socket_Bps, 22 * GB, 1);
    assert_int_equal(site.net, CS_NET_NONE);
    assert_int_equal(site.net_path, CS_PATH_NONE);
}

/* Six rings of 20 GB/s; a DGX-1's graph in NCCL's logs has as many. */
static void rings_of_a_cube_mesh_carry_what_the_search_finds(void **state)
{
    struct cs_site site = site_of("dgx-1", 0);

    (void)state;
    assert_false(site.has_switch || site.has_nvls);
    assert_int_equal(site.generation, 70);
    assert_int_equal(site.gpu_path, CS_PATH_LINKS);
    assert_float_equal(site.ring_Bps, 120 * GB, 1);
    assert_float_equal(site.socket_Bps, 6 * GB, 1);
    /* GPUs 0 to 3 keep four of the six links. */
    site = site_of("dgx-1", 4);
    assert_int_equal(site.node_ranks, 4);
    assert_float_equal(site.link_Bps, 80 * GB, 1);
    assert_float_equal(site.ring_Bps, 80 * GB, 1);
}

/* Seven circuits of a full mesh of eight, 48 GB/s each. */
static void a_full_mesh_of_xgmi_has_a_ring_for_each_link(void **state)
{
    struct cs_site site = site_of("mi300x", 0);

    (void)state;
    assert_int_equal(site.maker, CS_MAKER_AMD);
    assert_int_equal(site.generation, 942);
    assert_float_equal(site.ring_Bps, 336 * GB, 1);
    /* The link between the sockets is AMD's. */
    assert_true(site.cpu_is_amd);
}

/* Two switches, a socket each: the ring crosses UPI once in each direction. */
static void a_ring_over_pcie_has_the_rate_between_the_sockets(void **state)
{
    struct cs_site site = site_of("pcie-4gpu", 0);

    (void)state;
    assert_int_equal(site.generation, 0);
    assert_null(site.gpu);
    assert_int_equal(site.gpu_path, CS_PATH_SOCKET);
    assert_float_equal(site.link_Bps, 0, 0);
    assert_float_equal(site.ring_Bps, 10 * GB, 1);
    assert_float_equal(site.pcie_Bps, 24 * GB, 1);
    /* Three bytes for each byte that the CPU adds at 68 GB/s. */
    assert_float_equal(site.host_Bps, 204 * GB, 1);
    site = site_of("pcie-4gpu", 2);
    assert_int_equal(site.gpu_path, CS_PATH_SWITCH);
    assert_float_equal(site.ring_Bps, 24 * GB, 1);
}

static void peer_access_is_that_of_the_model_unless_the_machine_has_another(
    void **state)
{
    (void)state;
    assert_false(site_of("rtx4090", 0).peer_access);
    assert_true(site_of("rtx4090-p2p", 0).peer_access);
    assert_true(site_of("l40s", 0).peer_access);
}

/* PCIe 4.0 carries 24 GB/s of HDR's 24.8. */
static void adapters_count_after_the_limits_of_pcie(void **state)
{
    struct cs_site site = site_of("cluster:node=dgx-a100,nodes=3", 0);

    (void)state;
    assert_int_equal(site.ranks, 24);
    assert_int_equal(site.nodes, 3);
    assert_int_equal(site.node_ranks, 8);
    assert_true(site.cpu_is_amd && site.gdr);
    assert_int_equal(site.net, CS_NET_IB);
    assert_int_equal(site.net_path, CS_PATH_SWITCH);
    assert_int_equal(site.adapters, 8);
    assert_float_equal(site.adapter_Bps, 25 * GB * 0.993, 1);
    assert_float_equal(site.node_Bps, 8 * 24 * GB, 1);
    /* Two wires of 665 ns, by one switch. */
    assert_int_equal(site.wire_ps, 1330000);
}

/* Four adapters of 10.625 GB/s behind each GPU's 48. */
static void a_bond_counts_its_adapters(void **state)
{
    struct cs_site site = site_of("cluster:node=p5,nodes=2", 0);
    struct cs_site plain = site_of("cluster:node=p5,nodes=2,stripe=off", 0);

    (void)state;
    assert_int_equal(site.net, CS_NET_EFA);
    assert_int_equal(site.adapters, 32);
    assert_float_equal(site.adapter_Bps, 12.5 * GB * 0.85, 1);
    assert_float_equal(site.node_Bps, 32 * 12.5 * GB * 0.85, 1000);
    assert_int_equal(plain.adapters, 32);
    assert_float_equal(plain.node_Bps, site.node_Bps, 1000);
    /* One GPU has the four adapters of its switch. */
    site = site_of("cluster:node=p5,nodes=2,gpus=1", 0);
    assert_int_equal(site.adapters, 4);
    assert_int_equal(site.gpu_path, CS_PATH_LOCAL);
    assert_float_equal(site.ring_Bps, 0, 0);
}

/* The only adapter hangs on the socket: above NCCL's level of GPUDirect. */
static void an_adapter_behind_the_cpu_does_not_reach_the_gpus(void **state)
{
    struct cs_site site = site_of("cluster:node=ndv2,nodes=2", 0);

    (void)state;
    assert_int_equal(site.net_path, CS_PATH_HOST);
    assert_false(site.gdr);
    assert_int_equal(site.adapters, 1);
    assert_float_equal(site.node_Bps, 12 * GB, 1);
}

static void hosts_without_gpus_are_nodes_of_one_rank(void **state)
{
    struct cs_site site = site_of("10gbe-8", 0);

    (void)state;
    assert_int_equal(site.maker, CS_MAKER_HOST);
    assert_int_equal(site.nodes, 8);
    assert_int_equal(site.node_ranks, 1);
    assert_int_equal(site.net, CS_NET_SOCKET);
    assert_float_equal(site.node_Bps, 1.25 * GB * 1448 / 1538, 1);
    site = site_of("torus:dims=4x4", 0);
    assert_int_equal(site.adapters, 4);
}

static void the_network_follows_from_the_class_of_its_wires(void **state)
{
    static const struct {
        const char *link;
        enum cs_site_net net;
    } cases[] = {
        {"ib-ndr", CS_NET_IB},        {"400gbe-roce", CS_NET_ROCE},
        {"efa-200", CS_NET_EFA},      {"100gbe", CS_NET_SOCKET},
        {"200gbe-tcpx", CS_NET_TCPX}, {"slingshot11", CS_NET_SLINGSHOT}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char spec[80];

        (void)snprintf(spec, sizeof(spec),
                       "cluster:node=dgx-h100,nodes=2,link=%s", cases[i].link);
        assert_int_equal(site_of(spec, 0).net, cases[i].net);
    }
}

/* The folded and the full form have one summary. */
static void a_large_cluster_is_summarised_by_one_node(void **state)
{
    struct cs_site small = site_of("cluster:node=dgx-h100,nodes=2", 0);
    struct cs_site large = site_of("cluster:node=dgx-h100,nodes=2048", 0);

    (void)state;
    assert_int_equal(large.nodes, 2048);
    small.ranks = large.ranks;
    small.nodes = large.nodes;
    assert_memory_equal(&small, &large, sizeof(small));
}

static void a_rack_of_one_nvlink_domain_is_one_node(void **state)
{
    struct cs_site site = site_of("cluster:node=gb200-nvl72,nodes=2", 0);

    (void)state;
    assert_int_equal(site.nodes, 2);
    assert_int_equal(site.node_ranks, 72);
    assert_true(site.cpu_is_arm && site.has_nvls);
    assert_int_equal(site.net_path, CS_PATH_C2C);
    assert_true(site.gdr);
}

/* Four modules with six links a pair: three rings, or six of half the rate. */
static void modules_of_grace_hopper_reach_adapters_through_the_package(
    void **state)
{
    struct cs_site site = site_of("cluster:node=gh200,nodes=2", 0);

    (void)state;
    assert_float_equal(site.ring_Bps, 18 * 20.6 * GB, 1000);
    assert_int_equal(site.gpu_path, CS_PATH_LINKS);
    assert_int_equal(site.net, CS_NET_SLINGSHOT);
    assert_int_equal(site.net_path, CS_PATH_C2C);
    assert_int_equal(site.adapters, 4);
    assert_float_equal(site.pcie_Bps, 359 * GB, 1000);
}

/* A bridge joins GPUs 0 and 1; a ring of all eight leaves the bridges. */
static void bridges_of_pairs_carry_rings_of_a_pair_only(void **state)
{
    struct cs_site pair = site_of("h100-pcie", 2);
    struct cs_site all = site_of("h100-pcie", 0);

    (void)state;
    assert_int_equal(pair.gpu_path, CS_PATH_LINKS);
    assert_float_equal(pair.ring_Bps, 12 * 20.6 * GB, 1000);
    assert_int_equal(all.gpu_path, CS_PATH_SOCKET);
    assert_float_equal(all.ring_Bps, 22 * GB, 1000);
}

static void cores_of_a_node_are_ranks_of_the_node(void **state)
{
    struct cs_site site = site_of("cluster:node=hpc6a,nodes=64", 0);

    (void)state;
    assert_int_equal(site.maker, CS_MAKER_HOST);
    assert_int_equal(site.ranks, 6144);
    assert_int_equal(site.nodes, 64);
    assert_int_equal(site.node_ranks, 96);
    assert_int_equal(site.net, CS_NET_EFA);
    assert_int_equal(site.adapters, 1);
    assert_float_equal(site.node_Bps, 12.5 * GB * 0.85, 1);
    assert_float_equal(site.host_Bps, 204 * GB, 1);
    assert_true(site.cpu_is_amd);
}

static void a_machine_without_ranks_is_refused(void **state)
{
    struct machine machine;
    struct cs_site site;
    struct cs_err err = {0};

    (void)state;
    machine_open(&machine, "dgx-1", 0, 0);
    machine.graph.rank_count = 0;
    assert_int_equal(cs_site_read(&machine.graph, &machine.arena, &site, &err),
                     CS_EINPUT);
    assert_string_equal(err.text,
                        "a machine without ranks has no library to run");
    machine_close(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dgx_h100_has_nvls_and_the_rate_of_its_links),
        cmocka_unit_test(rings_of_a_cube_mesh_carry_what_the_search_finds),
        cmocka_unit_test(a_full_mesh_of_xgmi_has_a_ring_for_each_link),
        cmocka_unit_test(a_ring_over_pcie_has_the_rate_between_the_sockets),
        cmocka_unit_test(
            peer_access_is_that_of_the_model_unless_the_machine_has_another),
        cmocka_unit_test(adapters_count_after_the_limits_of_pcie),
        cmocka_unit_test(a_bond_counts_its_adapters),
        cmocka_unit_test(an_adapter_behind_the_cpu_does_not_reach_the_gpus),
        cmocka_unit_test(hosts_without_gpus_are_nodes_of_one_rank),
        cmocka_unit_test(the_network_follows_from_the_class_of_its_wires),
        cmocka_unit_test(a_large_cluster_is_summarised_by_one_node),
        cmocka_unit_test(a_rack_of_one_nvlink_domain_is_one_node),
        cmocka_unit_test(
            modules_of_grace_hopper_reach_adapters_through_the_package),
        cmocka_unit_test(bridges_of_pairs_carry_rings_of_a_pair_only),
        cmocka_unit_test(cores_of_a_node_are_ranks_of_the_node),
        cmocka_unit_test(a_machine_without_ranks_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
