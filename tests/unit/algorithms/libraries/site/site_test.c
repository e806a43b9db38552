/* Sites: what a library finds out about machines whose figures are known. */
#include "algorithms/libraries/site/site.h"

#include "tests/site.h"
#include "topo/graph/link_family.h"

#define GB 1e9

/* 18 links of 20.6 GB/s into NVSwitches with multimem. */
TEST(a_dgx_h100_has_nvls_and_the_rate_of_its_links)
{
    struct cs_site site = site_of("dgx-h100", 0);

    assert_int_equal(site.ranks, 8);
    assert_int_equal(site.nodes, 1);
    assert_int_equal(site.maker, CS_MAKER_NVIDIA);
    assert_int_equal(site.generation, 90);
    assert_string_equal(site.gpu, "h100");
    assert_true(site.has_nvls && site.has_switch && site.peer_access);
    assert_false(site.cpu_is_amd || site.cpu_is_arm || site.gdr);
    assert_int_equal(site.gpu_path, CS_PATH_LINKS);
    assert_within(site.link_Bps, 370.8 * GB, 1);
    assert_within(site.ring_Bps, 370.8 * GB, 1);
    assert_within(site.pcie_Bps, 48 * GB, 1);
    assert_within(site.socket_Bps, 22 * GB, 1);
    assert_int_equal(site.net, CS_NET_NONE);
    assert_int_equal(site.net_path, CS_PATH_NONE);
}

TEST(peer_access_is_that_of_the_model_unless_the_machine_has_another)
{
    assert_false(site_of("rtx4090", 0).peer_access);
    assert_true(site_of("rtx4090-p2p", 0).peer_access);
    assert_true(site_of("l40s", 0).peer_access);
}

TEST(devices_of_several_makers_are_seen)
{
    assert_int_equal(site_of("cluster:node=dgx+mi300x,nodes=1+1,link=ib-hdr", 0).maker,
                     CS_MAKER_MIXED);
    assert_int_equal(site_of("cluster:node=dgx+host,nodes=1+2,link=ib-hdr", 0).maker,
                     CS_MAKER_MIXED);
    assert_int_equal(site_of("cluster:node=dgx+dgx-h100,nodes=1+1,link=ib-hdr", 0).maker,
                     CS_MAKER_NVIDIA);
}

/* Nodes that are stored once have the adapters and the fabric of all nodes, also
 * where wires to the fabric follow those of the nodes. */
TEST(the_folded_form_has_the_same_site)
{
    static const char *const machines[] = {
        "cluster:node=dgx-h100,nodes=8",
        "cluster:node=dgx-h100,nodes=8,fabric=rail",
        "cluster:node=mi300x,nodes=16,fabric=fat-tree",
        "cluster:node=dgx-1,nodes=16,fabric=fat-tree,oversubscription=2",
        "cluster:node=perlmutter,nodes=16,fabric=dragonfly",
    };

    for (size_t m = 0; m < sizeof(machines) / sizeof(*machines); m++) {
        struct cs_topo_request request = {.spec = machines[m]};
        struct cs_site sites[2];

        for (int folded = 0; folded < 2; folded++) {
            CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
            struct cs_graph graph;

            request.replicas_from = folded ? 16 : 0;
            assert_done(cs_topo_open(&request, &graph, &arena, &err));
            assert_int_equal(graph.replicated.count > 0, folded);
            assert_done(cs_site_read(&graph, &arena, &sites[folded], &err));
        }
        assert_true(sites[0].node_Bps > 0);
        assert_true(sites[0].node_Bps == sites[1].node_Bps);
        assert_true(sites[0].fabric_Bps == sites[1].fabric_Bps);
        assert_true(sites[0].ring_Bps == sites[1].ring_Bps);
        assert_int_equal(sites[0].nodes, sites[1].nodes);
        assert_int_equal(sites[0].adapters, sites[1].adapters);
        assert_int_equal(sites[0].leaf_nodes, sites[1].leaf_nodes);
        assert_int_equal(sites[0].net, sites[1].net);
        assert_int_equal(sites[0].net_path, sites[1].net_path);
    }
}

TEST(hosts_without_gpus_are_nodes_of_one_rank)
{
    struct cs_site site = site_of("10gbe-8", 0);

    assert_int_equal(site.maker, CS_MAKER_HOST);
    assert_int_equal(site.nodes, 8);
    assert_int_equal(site.node_ranks, 1);
    assert_int_equal(site.net, CS_NET_SOCKET);
    assert_within(site.node_Bps, 1.25 * GB * 1448 / 1538, 1);
    site = site_of("torus:dims=4x4", 0);
    assert_int_equal(site.adapters, 4);
}

/* The folded and the full form have one summary. */
TEST(a_large_cluster_is_summarised_by_one_node)
{
    struct cs_site small = site_of("cluster:node=dgx-h100,nodes=2", 0);
    struct cs_site large = site_of("cluster:node=dgx-h100,nodes=2048", 0);

    assert_int_equal(large.nodes, 2048);
    small.ranks = large.ranks;
    small.nodes = large.nodes;
    assert_memory_equal(&small, &large, sizeof(small));
}

TEST(a_rack_of_one_nvlink_domain_is_one_node)
{
    struct cs_site site = site_of("cluster:node=gb200-nvl72,nodes=2", 0);

    assert_int_equal(site.nodes, 2);
    assert_int_equal(site.node_ranks, 72);
    assert_true(site.cpu_is_arm && site.has_nvls);
    assert_int_equal(site.net_path, CS_PATH_C2C);
    assert_true(site.gdr);
}

TEST(cores_of_a_node_are_ranks_of_the_node)
{
    struct cs_site site = site_of("cluster:node=hpc6a,nodes=64", 0);

    assert_int_equal(site.maker, CS_MAKER_HOST);
    assert_int_equal(site.ranks, 6144);
    assert_int_equal(site.nodes, 64);
    assert_int_equal(site.node_ranks, 96);
    assert_int_equal(site.net, CS_NET_EFA1);
    assert_int_equal(site.adapters, 1);
    assert_within(site.node_Bps, 12.4 * GB, 1);
    assert_within(site.host_Bps, 204 * GB, 1);
    assert_true(site.cpu_is_amd);
}

/* GPUs 0 and 1 of a DGX-1 have one of six links, quads have four of them; a MI300X has
 * a link to each other one. */
TEST(parts_of_a_mesh_have_the_links_among_their_ranks)
{
    struct cs_site cube = site_of("dgx-1", 0), mesh = site_of("mi300x", 0);
    struct cs_site flat = site_of("dgx-h100", 0);

    assert_within(cube.parts[0].ring_Bps, 20 * GB, 1);
    assert_within(cube.parts[1].ring_Bps, 80 * GB, 1);
    assert_true(cube.parts[2].ring_Bps == 0); /* all of the node */
    assert_within(mesh.parts[0].ring_Bps, mesh.ring_Bps / 7, 1);
    assert_within(mesh.parts[1].link_Bps, mesh.ring_Bps * 3 / 7, 1);
    assert_int_equal(mesh.parts[1].gpu_path, CS_PATH_LINKS);
    assert_true(flat.parts[0].ring_Bps == 0);
}

MACHINE_TEST(a_machine_without_ranks_is_refused)
{
    struct cs_site site;

    machine_open(machine, "dgx-1", 0, 0);
    machine->graph.rank_count = 0;
    assert_refused(cs_site_read(&machine->graph, &machine->arena, &site, &err), CS_EINPUT,
                   "a machine without ranks has no library to run");
}

/* Other links, often slower, do not count. */
TEST(the_rate_between_sockets_is_that_of_the_slowest_link_of_sockets)
{
    static const char *const names[] = {"l40s", "a100-pcie", "cluster:node=v100-pcie,nodes=2"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        CS_AT_END(machine_close) struct machine machine;
        struct cs_site site;
        double slowest_Bps = 0;

        machine_open(&machine, names[i], 0, 0);
        site = machine_site(&machine, names[i]);
        for (uint32_t w = 0; w < machine.graph.wire_count; w++) {
            const struct cs_wire *wire = &machine.graph.wires[w];
            double rate_Bps = wire->rate_Bps * wire->efficiency;

            if (wire->family == CS_LINK_SOCKET && (slowest_Bps <= 0 || rate_Bps < slowest_Bps))
                slowest_Bps = rate_Bps;
        }
        assert_true(slowest_Bps > 0);
        assert_within(site.socket_Bps, slowest_Bps, 1e-9 * slowest_Bps);
    }
}
