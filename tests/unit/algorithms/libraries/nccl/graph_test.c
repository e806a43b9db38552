/* NCCL's graph search against graphs of published logs. */

#include "algorithms/libraries/nccl/comm.h"
#include "tests/fixture.h"

static struct cs_site nvlink_site(uint32_t generation, uint32_t gpus, double link_GBps)
{
    return (struct cs_site){.ranks = gpus,
                            .nodes = 1,
                            .node_ranks = gpus,
                            .maker = CS_MAKER_NVIDIA,
                            .generation = generation,
                            .has_switch = true,
                            .has_nvls = generation >= 90,
                            .peer_access = true,
                            .gpu_path = CS_PATH_LINKS,
                            .net_path = CS_PATH_NONE,
                            .link_Bps = link_GBps * 1e9,
                            .ring_Bps = link_GBps * 1e9,
                            .pcie_Bps = 50e9};
}

static struct cs_site pcie_site(uint32_t gpus, double pcie_GBps, enum cs_site_path path)
{
    return (struct cs_site){.ranks = gpus,
                            .nodes = 1,
                            .node_ranks = gpus,
                            .maker = CS_MAKER_NVIDIA,
                            .generation = 89,
                            .gpu_path = path,
                            .net_path = CS_PATH_NONE,
                            .pcie_Bps = pcie_GBps * 1e9};
}

static struct cs_site mesh_site(uint32_t generation, uint32_t gpus, double link_GBps,
                                double ring_GBps)
{
    struct cs_site site = nvlink_site(generation, gpus, link_GBps);

    site.has_switch = false;
    site.has_nvls = false;
    site.ring_Bps = ring_GBps * 1e9;
    site.pcie_Bps = 12.5e9;
    return site;
}

static struct cs_site across(struct cs_site site, uint32_t nodes, uint32_t adapters,
                             double adapter_GBps, enum cs_site_path path)
{
    site.nodes = nodes;
    site.ranks = nodes * site.node_ranks;
    site.adapters = adapters;
    site.adapter_Bps = adapter_GBps * 1e9;
    site.net_path = path;
    site.net = CS_NET_IB;
    site.gdr = true;
    return site;
}

static void expect_graph(const struct cs_nccl_graph *graph, uint32_t channels, double intra,
                         double inter)
{
    if (graph->channels != channels || !(fabs(graph->intra_GBps - intra) <= 1e-6) ||
        !(fabs(graph->inter_GBps - inter) <= 1e-6))
        fail_msg("%u x %g/%g, expected %u x %g/%g", graph->channels, graph->intra_GBps,
                 graph->inter_GBps, channels, intra, inter);
}

static struct cs_nccl_comm comm_of(const struct cs_site *site, uint32_t version)
{
    struct cs_nccl_comm comm;

    assert_done(cs_nccl_comm_read(site, version, &comm, &err));
    return comm;
}

/* waynehacking8/nccl-collectives-bench results/scaling_attributed: the log
 * prints the channels of the communicator; its table fixes the graphs. */
TEST(parts_of_a_hopper_node_have_the_graphs_of_their_logs)
{
    static const struct {
        uint32_t gpus;
        double tree_GBps, nvls_GBps;
    } parts[] = {{2, 60, 60}, {4, 30, 60}, {6, 30, 50}, {8, 30, 40}};

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        struct cs_site site = nvlink_site(90, parts[i].gpus, 18 * 20.6);
        struct cs_nccl_comm comm = comm_of(&site, 22902);

        expect_graph(&comm.ring, 12, 30, 30);
        expect_graph(&comm.tree, 12, parts[i].tree_GBps, parts[i].tree_GBps);
        expect_graph(&comm.nvls, parts[i].gpus, parts[i].nvls_GBps, 60);
        assert_int_equal(comm.channels, 24);
        assert_int_equal(comm.nvls_channels, 16);
    }
}

/* Logs of A100 SXM4 pairs (public text 54131308947 and 71034775641). */
TEST(two_amperes_behind_switches_have_twelve_rings)
{
    struct cs_site site = nvlink_site(80, 2, 240);
    struct cs_nccl_comm comm;

    site.pcie_Bps = 25e9;
    comm = comm_of(&site, 22005);
    expect_graph(&comm.ring, 12, 20, 20);
    assert_true(comm.ring.same_channels);
    assert_int_equal(comm.tree.channels, 12);
    assert_true(comm.tree.intra_GBps == 40);
    assert_false(comm.tree.same_channels);
    assert_int_equal(comm.channels, 24);
    assert_int_equal(comm.nvls_channels, 0);
}

/* UCBerkeley-Spring2022-CS267-project/blinkplus-nccl-base graph.xml,
 * graph0123.xml: NCCL of their time counted 22 and 21 GB/s a link. */
TEST(meshes_of_volta_count_links_by_version)
{
    struct cs_site eight = mesh_site(70, 8, 120, 120);
    struct cs_site four = mesh_site(70, 4, 80, 80);
    struct cs_nccl_comm comm = comm_of(&eight, 20804);

    expect_graph(&comm.ring, 6, 22, 22);
    expect_graph(&comm.tree, 6, 22, 22);
    assert_false(comm.ring.same_channels);
    comm = comm_of(&four, 20708);
    expect_graph(&comm.ring, 4, 21, 21);
    comm = comm_of(&eight, 0);
    expect_graph(&comm.ring, 6, 20, 20);
}

/* A Mac Pro's ring of four cards (public text 69520194736), and a card behind
 * four lanes of PCIe 4 (57129709323). */
TEST(radeon_cards_have_the_rings_of_rccl)
{
    struct cs_site ring = mesh_site(906, 4, 48, 48);
    struct cs_site pair = pcie_site(2, 6.5, CS_PATH_HOST);
    struct cs_nccl_comm comm;

    ring.maker = pair.maker = CS_MAKER_AMD;
    pair.generation = 1100;
    pair.cpu_is_amd = true;
    comm = comm_of(&ring, 0);
    expect_graph(&comm.ring, 2, 24, 24);
    comm = comm_of(&pair, 0);
    expect_graph(&comm.ring, 1, 6, 6);
    expect_graph(&comm.tree, 1, 6, 6);
}

/* Two RTX 4090 under two root ports (69288456035), four RTX A6000 over two
 * sockets (zy-uestc/yccl graph.xml). */
TEST(pcie_cards_have_one_ring)
{
    struct cs_site pair = pcie_site(2, 25, CS_PATH_HOST);
    struct cs_site four = pcie_site(4, 12.5, CS_PATH_SOCKET);
    struct cs_nccl_comm comm;

    comm = comm_of(&pair, 0);
    expect_graph(&comm.ring, 1, 20, 20);
    four.generation = 86;
    four.socket_Bps = 20e9;
    comm = comm_of(&four, 0);
    expect_graph(&comm.ring, 1, 10, 10);
    expect_graph(&comm.tree, 1, 10, 10);
}

/* NVIDIA/nccl issues 1189 (2 of the GPUs of an H20 node), 601 (four ports of
 * 10 GbE) and 524 (one GPU a node). */
TEST(adapters_limit_the_rings_between_nodes)
{
    struct cs_site h20 = across(nvlink_site(90, 2, 18 * 20.6), 2, 2, 48.5, CS_PATH_SWITCH);
    struct cs_site ports = across(pcie_site(4, 12.5, CS_PATH_SOCKET), 2, 4, 1.2, CS_PATH_SOCKET);
    struct cs_site lone = across(pcie_site(1, 12.5, CS_PATH_LOCAL), 2, 1, 12.1, CS_PATH_HOST);
    struct cs_nccl_comm comm = comm_of(&h20, 0);

    expect_graph(&comm.ring, 4, 24, 24);
    assert_false(comm.ring.same_channels);
    assert_int_equal(comm.channels, 8);
    ports.socket_Bps = 20e9;
    comm = comm_of(&ports, 0);
    expect_graph(&comm.ring, 4, 1.2, 1.2);
    lone.generation = 70;
    comm = comm_of(&lone, 0);
    expect_graph(&comm.ring, 1, 12, 12);
    expect_graph(&comm.tree, 1, 24, 12);
    assert_true(comm.tree.plain_tree);
}

/* Not from a log: 8 x 45 <= 18 x 20.6 < 8 x 48 GB/s. */
TEST(eight_adapters_of_400_gigabit_have_a_ring_each)
{
    struct cs_site site = across(nvlink_site(90, 8, 18 * 20.6), 4, 8, 48.5, CS_PATH_BRIDGE);
    struct cs_nccl_comm comm = comm_of(&site, 0);

    expect_graph(&comm.ring, 8, 45, 45);
    assert_int_equal(comm.channels, 16);
    assert_int_equal(comm.ring.inter_path, CS_PATH_BRIDGE);
    expect_graph(&comm.nvls, 8, 40, 48);
    /* Without GPUDirect data pass the CPU. */
    site.gdr = false;
    comm = comm_of(&site, 0);
    assert_int_equal(comm.ring.inter_path, CS_PATH_HOST);
}

/* sm90SpeedArrayInter of NCCL 2.19 and later: 24, 22, 20, 17.5, 15, 12, 6, 3 .. GB/s; a
 * single adapter has a channel of the fastest below its own speed. */
TEST(a_channel_between_nodes_has_a_speed_of_the_list)
{
    static const struct {
        double adapter_GBps, speed_GBps;
    } rates[] = {{25, 24}, {18, 17.5}, {17, 15}, {15, 15}, {12.5, 12}, {6.25, 6}, {3.125, 3}};

    for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
        struct cs_site site =
            across(nvlink_site(90, 8, 18 * 20.6), 2, 1, rates[i].adapter_GBps, CS_PATH_BRIDGE);
        struct cs_nccl_comm comm = comm_of(&site, 0);

        if (comm.ring.channels != 1 || comm.ring.inter_GBps != rates[i].speed_GBps)
            fail_msg("%u rings of %g GB/s in place of one of %g", comm.ring.channels,
                     comm.ring.inter_GBps, rates[i].speed_GBps);
    }
}

/* What Amazon's plugin states by platform (platform-aws.cpp): 35 us for p5en and later, 75
 * where it has no other; networks without a plugin state none. */
TEST(latencies_of_efa_are_those_of_the_plugin)
{
    static const struct {
        enum cs_network_id net;
        bool gdr;
        double us;
    } sites[] = {
        {CS_NET_EFA1, false, 75}, {CS_NET_EFA1, true, 75}, {CS_NET_EFA2, true, 75},
        {CS_NET_EFA3, true, 35},  {CS_NET_EFA4, true, 35}, {CS_NET_IB, true, 0},
    };

    for (size_t i = 0; i < sizeof(sites) / sizeof(*sites); i++) {
        struct cs_site site = across(nvlink_site(90, 8, 200), 2, 4, 12.5, CS_PATH_BRIDGE);
        struct cs_nccl_comm comm;

        site.net = sites[i].net;
        site.gdr = sites[i].gdr;
        comm = comm_of(&site, 0);
        assert_true(comm.ring.inter_latency_us == sites[i].us);
        assert_true(comm.tree.inter_latency_us == sites[i].us);
    }
}

TEST(a_machine_without_gpus_is_refused)
{
    struct cs_site site = {.ranks = 2, .nodes = 2, .node_ranks = 1};
    struct cs_nccl_comm comm;

    assert_refused_with(cs_nccl_comm_read(&site, 0, &comm, &err), CS_ECANNOT, "GPUs");
}

TEST(collectives_map_to_tuned_functions)
{
    assert_int_equal(cs_nccl_func_of(&cs_collective_allreduce), CS_NCCL_ALL_REDUCE);
    assert_int_equal(cs_nccl_func_of(&cs_collective_alltoall), CS_NCCL_FUNCS);
}
