/* Limits of machines as NCCL counts them. */
#include "algorithms/libraries/nccl/comm.h"

#include "tests/fixture.h"

static struct cs_site cards(double pcie_Bps, enum cs_site_path path)
{
    return (struct cs_site){.ranks = 8,
                            .nodes = 1,
                            .node_ranks = 8,
                            .maker = CS_MAKER_NVIDIA,
                            .generation = 89,
                            .peer_access = true,
                            .gpu_path = path,
                            .net_path = CS_PATH_NONE,
                            .pcie_Bps = pcie_Bps};
}

static double counted_pcie_of(double pcie_Bps)
{
    struct cs_site site = cards(pcie_Bps, CS_PATH_SWITCH);

    return cs_nccl_limits_read(&site, 0).pcie_GBps;
}

static double counted_adapter_of(double adapter_Bps)
{
    struct cs_site site = cards(24e9, CS_PATH_SWITCH);

    site.nodes = 2;
    site.adapters = 1;
    site.adapter_Bps = adapter_Bps;
    return cs_nccl_limits_read(&site, 0).adapter_GBps;
}

TEST(pcie_counts_by_generation_and_adapters_by_port)
{
    assert_true(counted_pcie_of(12.3e9) == 12);
    assert_true(counted_pcie_of(26e9) == 24);
    assert_true(counted_pcie_of(53e9) == 48);
    assert_true(counted_pcie_of(6.4e9) == 6);
    assert_true(counted_pcie_of(359e9) == 359); /* C2C */
    assert_true(counted_adapter_of(48.3e9) == 50);
    assert_true(counted_adapter_of(12.1e9) == 12.5);
    assert_true(counted_adapter_of(1.18e9) == 1.25);
    assert_true(counted_adapter_of(17e9) == 17); /* no such port */
}

/* Four adapters of 200 Gb/s in slots of PCIe 3.0 x16, or in pairs behind one:
 * channels of 12 GB/s, as many as slots. */
TEST(channels_across_fit_the_slots_of_adapters)
{
    struct cs_site site = cards(48e9, CS_PATH_SWITCH);
    struct cs_nccl_limits limits;

    site.nodes = 2;
    site.adapters = 4;
    site.adapter_Bps = 25e9;
    limits = cs_nccl_limits_read(&site, 0);
    assert_int_equal(cs_nccl_channels_across(&limits, 12), 8);
    site.slot_Bps = 12.3e9;
    site.slot_adapters = 1;
    limits = cs_nccl_limits_read(&site, 0);
    assert_int_equal(cs_nccl_channels_across(&limits, 12), 4);
    assert_int_equal(cs_nccl_channels_across(&limits, 15), 0);
    site.slot_adapters = 2;
    limits = cs_nccl_limits_read(&site, 0);
    assert_int_equal(cs_nccl_channels_across(&limits, 12), 2);
}

/* 24 GB/s hold one ring of 20 with the packets of Intel's root port. */
TEST(rings_through_an_intel_root_port_count_six_fifths)
{
    struct cs_site site = cards(24e9, CS_PATH_HOST);
    struct cs_nccl_limits limits = cs_nccl_limits_read(&site, 0);

    assert_int_equal(cs_nccl_rings_inside(&limits, 12), 1);
    site.cpu_is_amd = true;
    limits = cs_nccl_limits_read(&site, 0);
    assert_int_equal(cs_nccl_rings_inside(&limits, 12), 2);
}

/* Four GPUs below a switch of 24 GB/s without access to each other: 6 GB/s each,
 * of which 5 remain on Intel. */
TEST(gpus_that_meet_in_the_cpu_share_the_link_of_their_switch)
{
    struct cs_site site = cards(24e9, CS_PATH_SOCKET);
    struct cs_nccl_limits limits;

    site.ring_uplink_Bps = 6e9;
    limits = cs_nccl_limits_read(&site, 0);
    assert_true(isinf(limits.uplink_GBps));
    site.peer_access = false;
    limits = cs_nccl_limits_read(&site, 0);
    assert_int_equal(cs_nccl_rings_inside(&limits, 5), 1);
    assert_int_equal(cs_nccl_rings_inside(&limits, 6), 0);
}

TEST(sockets_limit_rings_by_the_vendor_of_the_cpu)
{
    struct cs_site site = cards(48e9, CS_PATH_SOCKET);

    assert_true(isinf(cs_nccl_limits_read(&site, 0).socket_GBps)); /* unknown */
    site.socket_Bps = 9e9;
    assert_true(cs_nccl_limits_read(&site, 0).socket_GBps == 6);
    site.socket_Bps = 10e9;
    assert_true(cs_nccl_limits_read(&site, 0).socket_GBps == 10);
    site.socket_Bps = 41e9;
    assert_true(cs_nccl_limits_read(&site, 0).socket_GBps == 40);
    site.socket_Bps = 22e9;
    assert_true(cs_nccl_limits_read(&site, 0).socket_GBps == 22);
    site.cpu_is_amd = true;
    assert_true(cs_nccl_limits_read(&site, 0).socket_GBps == 16);
    site.socket_Bps = 45e9;
    assert_true(cs_nccl_limits_read(&site, 23005).socket_GBps == 24);
    assert_true(cs_nccl_limits_read(&site, 23004).socket_GBps == 16);
    site.host_Bps = 576e9;
    assert_true(cs_nccl_limits_read(&site, 0).socket_GBps == 32);
    site.maker = CS_MAKER_AMD;
    assert_true(cs_nccl_limits_read(&site, 0).socket_GBps == 16);
    site.cpu_is_amd = false;
    site.cpu_is_arm = true;
    assert_true(cs_nccl_limits_read(&site, 0).socket_GBps == 6);
    site.gpu_path = CS_PATH_HOST;
    assert_true(isinf(cs_nccl_limits_read(&site, 0).socket_GBps));
}

/* Two chains of two GPUs share a path; a head of NVLS counts twice. */
TEST(trees_of_two_and_heads_count_their_directions)
{
    struct cs_site site = cards(48e9, CS_PATH_LINKS);
    struct cs_nccl_limits limits;

    site.has_switch = true;
    site.generation = 90;
    site.link_Bps = site.ring_Bps = 370.8e9;
    limits = cs_nccl_limits_read(&site, 0);
    assert_int_equal(cs_nccl_rings_inside(&limits, 30), 12);
    assert_int_equal(cs_nccl_trees_inside(&limits, 30), 12);
    assert_int_equal(cs_nccl_heads_inside(&limits, 40), 8);
    site.node_ranks = site.ranks = 2;
    limits = cs_nccl_limits_read(&site, 0);
    assert_int_equal(cs_nccl_trees_inside(&limits, 60), 12);
}

TEST(links_of_a_mesh_are_not_cut_across)
{
    struct cs_site site = cards(12e9, CS_PATH_LINKS);
    struct cs_nccl_limits limits;

    site.generation = 70;
    site.link_Bps = site.ring_Bps = 120e9;
    limits = cs_nccl_limits_read(&site, 0);
    assert_int_equal(cs_nccl_rings_inside(&limits, 40), 0);
    assert_int_equal(cs_nccl_rings_inside(&limits, 20), 6);
    assert_int_equal(cs_nccl_rings_inside(&limits, 12), 6);
    limits = cs_nccl_limits_read(&site, 20804); /* 22 GB/s a link */
    assert_int_equal(cs_nccl_rings_inside(&limits, 22), 6);
}

/* topo.h of NVIDIA/nccl and ROCm/rccl: ten links to seven peers are one to a peer. */
TEST(a_pair_of_a_mesh_has_one_link_of_its_generation)
{
    static const struct {
        enum cs_site_maker maker;
        uint32_t generation;
        double link_GBps;
    } links[] = {
        {CS_MAKER_NVIDIA, 60, 18}, {CS_MAKER_NVIDIA, 70, 20},   {CS_MAKER_NVIDIA, 80, 20},
        {CS_MAKER_NVIDIA, 86, 12}, {CS_MAKER_NVIDIA, 90, 20.6}, {CS_MAKER_NVIDIA, 100, 40.1},
        {CS_MAKER_AMD, 906, 24},   {CS_MAKER_AMD, 910, 36},     {CS_MAKER_AMD, 942, 48}};

    for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
        struct cs_site site = cards(12e9, CS_PATH_LINKS);

        site.maker = links[i].maker;
        site.generation = links[i].generation;
        site.link_Bps = site.ring_Bps = 10e9 * links[i].link_GBps;
        assert_true(cs_nccl_limits_read(&site, 0).pair_GBps == links[i].link_GBps);
    }
}
