#include "topo/generators/cluster/cluster.h"

#include "sim/base/collections/name_index.h"
#include "topo/graph/lower.h"
#include "topo/kinds/link_kind.h"

#include "tests/near.h"

struct fixture {
    struct cs_arena arena;
    struct cs_graph graph;
    struct cs_net net;
    struct cs_err err;
    uint32_t *links;
};

static void closed(struct fixture *f)
{
    cs_arena_free(&f->arena);
}

/* In place of what was open, if anything. */
static void opened(struct fixture *f, struct cs_topo_request request)
{
    closed(f);
    memset(f, 0, sizeof(*f));
    if (cs_topo_open(&request, &f->graph, &f->arena, &f->err))
        fail_msg("%s: %s", request.spec, f->err.text);
    cs_lower(&f->graph, &f->net, &f->arena);
    f->links = cs_arena_alloc(&f->arena, f->net.max_hops, sizeof(*f->links));
}

static void open_spec(struct fixture *f, const char *spec)
{
    opened(f, (struct cs_topo_request){.spec = spec});
}

static void refused(const char *spec, const char *sentence)
{
    struct cs_topo_request request = {.spec = spec};
    CS_AT_END(closed) struct fixture f = {0};

    assert_refused(cs_topo_open(&request, &f.graph, &f.arena, &err), CS_EINPUT, sentence);
}

static uint32_t route(const struct fixture *f, uint32_t src, uint32_t dst)
{
    return f->net.route(f->net.route_ctx, src, dst, f->links);
}

static const char *node_at(const struct fixture *f, uint32_t hop)
{
    return f->graph.devices[f->net.links[f->links[hop]].to].name;
}

/* From device to device without a gap, through none twice. */
static void assert_walks(const struct fixture *f, uint32_t src, uint32_t dst)
{
    uint32_t hops = route(f, src, dst);
    uint32_t at = f->net.parties[src].node;

    if (hops == 0 || hops > f->net.max_hops)
        fail_msg("%s: %u hops from %u to %u", f->graph.name, hops, src, dst);
    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_net_link *link = &f->net.links[f->links[i]];

        if (link->from != at)
            fail_msg("%s: hop %u from %u to %u begins elsewhere", f->graph.name, i, src, dst);
        at = link->to;
        for (uint32_t j = 0; j < i; j++)
            assert_int_not_equal(f->net.links[f->links[j]].from, at);
    }
    assert_int_equal(at, f->net.parties[dst].node);
}

static const char *const specs[] = {
    "fat-tree:ranks=3,radix=8",
    "fat-tree:ranks=32,radix=8",
    "fat-tree:ranks=33,radix=8",
    "fat-tree:ranks=128,radix=8",
    "fat-tree:ranks=70,radix=12,oversubscription=2",
    "fat-tree:ranks=100,radix=8,routing=ecmp",
    "fat-tree:ranks=60,radix=8,pod=3,chassis=16,core-oversubscription=2,routing=ecmp",
    "fat-tree:ranks=40,radix=8,pod=20,chassis=24",
    "dragonfly:ranks=3",
    "dragonfly:ranks=72",
    "dragonfly:ranks=50,hosts=3,routers=3,globals=2",
    "dragonfly+:ranks=3",
    "dragonfly+:ranks=90",
    "dragonfly+:ranks=50,hosts=3,routers=2,spines=5,globals=2",
    "torus:dims=1x1",
    "torus:dims=5",
    "torus:dims=2x3x1x4",
    "torus:dims=4x4x4",
    "hypercube:ranks=32",
    "hypercube:ranks=1",
    "cluster:node=dgx,nodes=3",
    "cluster:node=dgx-1,nodes=3,gpus=5,fabric=fat-tree,radix=4",
    "cluster:node=dgx-h100,nodes=3,fabric=rail",
    "cluster:node=dgx-h100,nodes=3,fabric=rail,pxn=off",
    "cluster:node=dgx-h100,nodes=3,fabric=rail-only",
    "cluster:node=dgx-h100,nodes=5,fabric=rail-only,radix=4",
    "cluster:node=dgx-h100,nodes=3,fabric=dual-plane,radix=8",
    "cluster:node=dgx-1,nodes=4,rails=2,fabric=torus,dims=8",
    "cluster:node=dgx+dgx-1+host,nodes=2+2+3,link=ib-edr",
    "cluster:node=dgx+dgx-1,nodes=2+1,rails=4,link=ib-edr,fabric=fat-tree",
    "cluster:nodes=9,fabric=dragonfly",
    "cluster:node=dgx,nodes=3,fabric=ring",
    "cluster:node=dgx,nodes=3,fabric=mesh,rails=8",
    "cluster:nodes=1,fabric=ring",
    "cluster:nodes=2,fabric=mesh",
    "cluster:node=mi250x,nodes=2",
    "cluster:node=ascend910,nodes=2,fabric=rail",
    "cluster:node=p5,nodes=2,fabric=rail",
    "cluster:node=p5,nodes=2,fabric=rail,stripe=off",
    "cluster:node=gb200-nvl72,nodes=2,fabric=rail",
    "cluster:node=p5,nodes=3,fabric=rail,stripe=on",
    "cluster:node=dgx+a3-mega,nodes=1+2,fabric=fat-tree,stripe=on,link=ib-edr",
};

TEST(every_route_leads_from_one_rank_to_the_other)
{
    for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
        CS_AT_END(closed) struct fixture f = {0};

        open_spec(&f, specs[i]);
        for (uint32_t src = 0; src < f.net.party_count; src++)
            for (uint32_t dst = 0; dst < f.net.party_count; dst++)
                if (src != dst)
                    assert_walks(&f, src, dst);
    }
}

/* cs_graph_check trusts names of generated machines. */
TEST(device_names_are_unique)
{
    for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
        struct cs_names names;
        CS_AT_END(closed) struct fixture f = {0};

        opened(&f, (struct cs_topo_request){.spec = specs[i]});
        cs_names_init(&names, &f.arena, f.graph.device_count);
        for (uint32_t d = 0; d < f.graph.device_count; d++)
            assert_int_equal(cs_names_add(&names, f.graph.devices[d].name, d), CS_NO_NAME);
    }
}

TEST(servers_are_reached_as_ranks_are)
{
    static const char *const with[] = {"fat-tree:ranks=9,radix=4", "cluster:node=dgx,nodes=2",
                                       "cluster:node=dgx-1,nodes=2,rails=4"};

    for (size_t i = 0; i < 3; i++) {
        CS_AT_END(closed) struct fixture f = {0};

        opened(&f, (struct cs_topo_request){.spec = with[i], .ranks = 7, .agents = 3});
        assert_int_equal(f.net.party_count, 10);
        for (uint32_t src = 0; src < 10; src++)
            for (uint32_t dst = 0; dst < 10; dst++)
                if (src != dst)
                    assert_walks(&f, src, dst);
    }
}

/* The rate of the slowest link and what the latencies add up to. */
static void cost(const struct fixture *f, uint32_t src, uint32_t dst, double *rate_Bps,
                 uint64_t *latency_ps)
{
    uint32_t hops = route(f, src, dst);

    *rate_Bps = 1e300;
    *latency_ps = 0;
    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_net_link *link = &f->net.links[f->links[i]];

        *latency_ps += link->latency_ps;
        if (link->rate_Bps < *rate_Bps)
            *rate_Bps = link->rate_Bps;
    }
}

TEST(on_a_single_rail_a_route_costs_as_much_as_a_searched_route)
{
    static const char *const same[] = {
        "fat-tree:ranks=14,radix=4,tiers=3", "cluster:node=dgx,nodes=3,fabric=star",
        "cluster:node=dgx-1,nodes=3,fabric=fat-tree,radix=4", "cluster:node=dgx-h100,nodes=2"};

    for (size_t i = 0; i < 4; i++) {
        CS_AT_END(closed) struct fixture f = {0}, s = {0};

        open_spec(&f, same[i]);
        opened(&s, (struct cs_topo_request){.spec = same[i], .routing = CS_ROUTING_SEARCH});
        for (uint32_t src = 0; src < f.net.party_count; src++)
            for (uint32_t dst = 0; dst < f.net.party_count; dst++) {
                double rate_f, rate_s;
                uint64_t latency_f, latency_s;

                if (src == dst)
                    continue;
                cost(&f, src, dst, &rate_f, &latency_f);
                cost(&s, src, dst, &rate_s, &latency_s);
                assert_true(rate_f == rate_s);
                assert_int_equal(latency_f, latency_s);
            }
    }
}

#define FIXTURE_TEST(name) TEST_OF(struct fixture, f, closed, name)

FIXTURE_TEST(a_k_ary_fat_tree_has_the_switches_of_the_paper)
{
    /* k = 4: 16 hosts, 8 leaves, 8 spines, 4 cores; 48 wires. */
    open_spec(f, "fat-tree:ranks=16,radix=4,tiers=3");
    assert_int_equal(f->graph.device_count, 16 + 8 + 8 + 4);
    assert_int_equal(f->graph.wire_count, 48);
    assert_int_equal(route(f, 0, 1), 2);
    assert_int_equal(route(f, 0, 2), 4);
    assert_int_equal(route(f, 0, 4), 6);
}

/* D-mod-k: whatever comes from elsewhere to a host comes from one spine, and
 * the hosts of a leaf have different ones. */
/* 42 and 21 of 64 ports, 36 and 24: nothing of the quotient is rounded. */
FIXTURE_TEST(leaves_are_split_in_any_ratio)
{
    static const struct {
        const char *spec, *last_leaf, *no_leaf, *last_spine, *no_spine;
    } cases[] = {
        {"fat-tree:ranks=84,radix=64,oversubscription=2", "leaf1", "leaf2", "spine20", "spine21"},
        {"fat-tree:ranks=72,radix=64,oversubscription=1.5", "leaf1", "leaf2", "spine23", "spine24"},
        {"fat-tree:ranks=72,radix=64,oversubscription=3:2", "leaf1", "leaf2", "spine23", "spine24"},
        {"fat-tree:ranks=72,radix=64,oversubscription=1.5:1", "leaf1", "leaf2", "spine23",
         "spine24"},
        {"fat-tree:ranks=96,radix=64,oversubscription=3", "leaf1", "leaf2", "spine15", "spine16"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        open_spec(f, cases[i].spec);
        assert_true(cs_graph_find(&f->graph, cases[i].last_leaf) != UINT32_MAX);
        assert_true(cs_graph_find(&f->graph, cases[i].no_leaf) == UINT32_MAX);
        assert_true(cs_graph_find(&f->graph, cases[i].last_spine) != UINT32_MAX);
        assert_true(cs_graph_find(&f->graph, cases[i].no_spine) == UINT32_MAX);
        assert_int_equal(f->graph.note_count, i < 4);
    }
}

FIXTURE_TEST(a_static_tree_spreads_hosts_over_spines)
{
    const char *above[4];

    open_spec(f, "fat-tree:ranks=32,radix=8");
    for (uint32_t dst = 0; dst < 4; dst++)
        for (uint32_t src = 4; src < 32; src++) {
            assert_int_equal(route(f, src, dst), 4);
            if (src > 4)
                assert_string_equal(node_at(f, 1), above[dst]);
            above[dst] = node_at(f, 1);
        }
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_string_not_equal(above[i], above[j]);
}

TEST(ecmp_follows_the_seed)
{
    CS_AT_END(closed) struct fixture f = {0}, g = {0};
    uint32_t differ = 0;

    opened(&f, (struct cs_topo_request){
                   .spec = "fat-tree:ranks=32,radix=8", .routing = CS_ROUTING_ECMP, .seed = 1});
    opened(&g, (struct cs_topo_request){
                   .spec = "fat-tree:ranks=32,radix=8", .routing = CS_ROUTING_ECMP, .seed = 2});
    for (uint32_t dst = 4; dst < 32; dst++) {
        assert_int_equal(route(&f, 0, dst), route(&g, 0, dst));
        differ += f.links[1] != g.links[1];
    }
    /* Of 28, three in four are expected to. */
    assert_in_range(differ, 14, 28);
}

FIXTURE_TEST(a_dragonfly_takes_one_route_between_groups)
{
    uint32_t most = 0;

    open_spec(f, "dragonfly:ranks=72");
    for (uint32_t dst = 1; dst < 72; dst++) {
        uint32_t hops = route(f, 0, dst);

        most = hops > most ? hops : most;
    }
    assert_int_equal(most, 5);
    /* p = h = 2, a = 4: 9 groups of 6 wires, 36 between them. */
    assert_int_equal(f->graph.wire_count, 72 + 9 * 6 + 36);
}

/* k = 3: nine groups of nine and nine wires out would make ten groups; five
 * have two wires for each two. */
FIXTURE_TEST(a_dragonfly_plus_spreads_its_routes_between_groups)
{
    open_spec(f, "dragonfly+:ranks=45,hosts=3,routers=3,spines=3,globals=3");
    assert_int_equal(f->graph.device_count, 45 + 5 * (3 + 3));
    assert_int_equal(f->graph.wire_count, 45 + 5 * 3 * 3 + 10 * 2);
    assert_int_equal(route(f, 0, 2), 2);
    assert_int_equal(route(f, 0, 8), 4);
    assert_string_equal(node_at(f, 1), "spine2");
    assert_int_equal(route(f, 0, 9), 5);
    assert_string_equal(node_at(f, 1), "spine1");
    assert_int_equal(route(f, 0, 10), 5);
    assert_string_equal(node_at(f, 1), "spine0");
    assert_int_equal(route(f, 0, 44), 5);
}

/* A spine has at most `globals` global links. */
FIXTURE_TEST(a_spine_of_a_dragonfly_plus_keeps_to_its_ports)
{
    uint32_t routes[10] = {0};

    open_spec(f, "dragonfly+:ranks=40,hosts=2,routers=4,spines=2,globals=3");
    for (uint32_t w = f->graph.wire_count; w-- > 0;) {
        const struct cs_wire *wire = &f->graph.wires[w];
        uint32_t spine = 40 + 5 * 4;

        if (wire->a < spine)
            continue;
        routes[wire->a - spine]++;
        routes[wire->b - spine]++;
    }
    for (uint32_t i = 0; i < 10; i++)
        assert_true(routes[i] <= 3);
}

FIXTURE_TEST(a_torus_goes_the_shorter_route_in_order_of_dimension)
{
    open_spec(f, "torus:dims=5x4");
    assert_int_equal(route(f, 0, 4), 1); /* round the end */
    assert_int_equal(route(f, 0, 2 + 5), 3);
    assert_string_equal(node_at(f, 0), "rank1");
    assert_string_equal(node_at(f, 1), "rank2");
    assert_string_equal(node_at(f, 2), "rank7");
    assert_int_equal(route(f, 7, 0), 3);
    assert_string_equal(node_at(f, 0), "rank6");
}

FIXTURE_TEST(a_rail_is_reached_through_its_gpu)
{
    open_spec(f, "cluster:node=dgx-h100,nodes=2,fabric=rail");
    /* GPU 1 to GPU 3 of the next node: by NVLink to GPU 3 first. */
    route(f, 1, 8 + 3);
    assert_string_equal(node_at(f, 0), "n0.nvswitch");
    assert_string_equal(node_at(f, 1), "n0.gpu3");
    assert_string_equal(node_at(f, 4), "rail3.switch0");
    assert_int_equal(route(f, 3, 8 + 3), 6);
    assert_string_equal(node_at(f, 1), "n0.nic3");
    open_spec(f, "cluster:node=dgx-h100,nodes=2,fabric=rail,pxn=off");
    route(f, 1, 8 + 3);
    assert_string_equal(node_at(f, 0), "n0.plx1");
}

FIXTURE_TEST(gpus_under_one_switch_share_its_nics_out)
{
    open_spec(f, "cluster:node=dgx,nodes=2");
    for (uint32_t r = 0; r < 8; r++) {
        char nic[16];

        snprintf(nic, sizeof(nic), "n0.nic%u", r);
        route(f, r, 8);
        assert_string_equal(node_at(f, 1), nic);
    }
}

/* The four EFA of a GPU at once; whatever else is as without. */
FIXTURE_TEST(switches_of_a_fabric_reduce_on_request)
{
    uint32_t reducing = 0;

    open_spec(f, "cluster:node=dgx,nodes=2,fabric=rail,reduces=yes");
    for (uint32_t d = 0; d < f->graph.device_count; d++)
        reducing += f->graph.devices[d].reduces;
    assert_int_equal(reducing, 8);
    refused("cluster:node=dgx,nodes=3,fabric=ring,reduces=yes",
            "reduces=yes needs a fabric with switches, and a ring has none");
    refused("cluster:node=dgx,nodes=2,reduces=maybe",
            "cluster:reduces=: 'maybe' is not 'no' or 'yes'");
}

TEST(striped_nics_become_a_single_nic_of_the_total_rate)
{
    CS_AT_END(closed) struct fixture one = {0}, all = {0};
    uint32_t hops;

    open_spec(&one, "cluster:node=p5,nodes=2,fabric=rail,stripe=off");
    open_spec(&all, "cluster:node=p5,nodes=2,fabric=rail,stripe=on");
    assert_int_equal(all.graph.rank_count, 16);
    hops = route(&one, 3, 11);
    assert_int_equal(route(&all, 3, 11), hops);
    for (uint32_t i = 0; i < hops; i++) {
        double rate_Bps = all.net.links[all.links[i]].rate_Bps;
        double alone_Bps = one.net.links[one.links[i]].rate_Bps;

        /* gpu, plx, nic, rail, nic, plx, gpu */
        assert_true(rate_Bps == (i == 0 || i == 5 ? 1 : 4) * alone_Bps);
        assert_true(all.net.links[all.links[i]].latency_ps ==
                    one.net.links[one.links[i]].latency_ps);
    }
    assert_int_equal(hops, 6);
}

/* With eight NICs for eight GPUs, or with two kinds of nodes, no NIC is
 * combined. */
TEST(only_spare_nics_are_combined_by_default)
{
    static const struct {
        const char *spec, *port;
        double rates; /* of one adapter */
    } cases[] = {{"cluster:node=p5,nodes=2,stripe=off", "efa2-100", 1},
                 {"cluster:node=p5,nodes=2", "efa2-100", 4},
                 {"cluster:node=p5en,nodes=2", "efa-200", 2},
                 {"cluster:node=p5,nodes=2,gpus=4", "efa2-100", 4},
                 {"cluster:node=dgx-h100,nodes=2", "ib-ndr", 1},
                 {"cluster:node=dgx,nodes=2,gpus=4", "ib-hdr", 1},
                 {"cluster:node=p5+p5,nodes=1+1", "efa2-100", 1}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CS_AT_END(closed) struct fixture f = {0};
        const struct cs_wire *port;
        struct cs_wire alone = {0};

        open_spec(&f, cases[i].spec);
        /* The last wire leads to the fabric. */
        port = &f.graph.wires[f.graph.wire_count - 1];
        assert_int_equal(cs_link_kind_find(cases[i].port, &alone, NULL), 0);
        assert_within(port->rate_Bps / alone.rate_Bps, cases[i].rates, 1e-9);
    }
}

FIXTURE_TEST(nodes_of_two_kinds_are_numbered_consecutively)
{
    open_spec(f, "cluster:node=dgx+host,nodes=2+3,link=ib-hdr");
    assert_int_equal(f->graph.rank_count, 2 * 8 + 3);
    assert_string_equal(f->graph.devices[f->graph.rank_device[15]].name, "n1.gpu7");
    assert_string_equal(f->graph.devices[f->graph.rank_device[16]].name, "rank2");
    assert_int_equal(f->graph.devices[f->graph.rank_device[16]].host, 2);
}

TEST(impossible_parameters_are_rejected)
{
    refused("torus:dims=4x4,ranks=15",
            "the dimensions of the torus make 16, and there are 15 ports");
    refused("torus:dims=4x4,ranks=18",
            "the dimensions of the torus make 16, and there are 18 ports");
    refused("torus:dims=4x,ranks=4", "torus:dims=: expected up to 20 numbers with 'x' between");
    refused("torus:dims=1048576x1048576x1048576x16", "over 1048576 nodes in dims=; expected fewer");
    refused(
        "hypercube:ranks=12",
        "a hypercube requires a power-of-two number of ranks or nodes, not 12, and takes no dims");
    refused("fat-tree:radix=7",
            "a fat tree of switches with 7 ports; expected an even number up to 4096");
    refused("fat-tree:ranks=1000,radix=8", "a fat tree of switches with 8 ports has at most 128 "
                                           "hosts, not 1000; write a larger radix= or chassis=");
    refused("fat-tree:radix=16,oversubscription=16",
            "16 ports of a leaf cannot be split 16:1; that takes at least 17");
    refused("fat-tree:ranks=64,radix=8,pod=6,core-oversubscription=2",
            "a spine has 6 ports to the leaves of a pod and 3 to cores, and a switch 8; write a "
            "larger chassis= or a smaller pod=");
    refused("cluster:nodes=4,pod=4",
            "pod, chassis and core-oversubscription are a fat-tree's, not a star's");
    refused("fat-tree:oversubscription=half", "fat-tree:oversubscription=: 'half' is not an "
                                              "oversubscription; expected 3, 1.5, 3:2 or 1.5:1");
    refused("fat-tree:fabric=star", "'fat-tree:' is a fabric; fabric= requires 'cluster:'");
    refused("cluster:fabric=fat-tre", "no fabric called 'fat-tre'; did you mean 'fat-tree'?");
    refused("cluster:radix=4", "radix, tiers and oversubscription are a fat-tree's, not a star's");
    refused("cluster:node=pcie-4gpu",
            "'pcie-4gpu' has no NIC that a fabric could join; node: takes them as in port=100gbe");
    refused(
        "cluster:node=switch:",
        "'switch:' is not a node; expected a machine of the library, a file or node:gpu=MODEL,...");
    refused("cluster:node=ib-2xdgx,nodes=2",
            "'ib-2xdgx' has a network between its nodes (n0.nic0 - leaf); --nodes and --fabric "
            "take a single node: its devices and links, without 'nodes:' and 'fabric:'");
    refused("cluster:node=dgx+dgx-1,nodes=2", "2 kinds of nodes, and numbers for 1 in nodes=; "
                                              "expected a number for each kind, as in nodes=4+2");
    refused("cluster:node=dgx+dgx-h100,nodes=1+1",
            "ports of ib-hdr and of ib-ndr on one fabric; select the class with link=");
    refused("cluster:node=dgx,rails=3", "the 8 NICs of a node cannot be split among 3 rails");
    refused("cluster:node=dgx,nodes=200000",
            "a cluster of more than 1048576 ranks or 8388608 devices");
    refused("dragonfly+:ranks=100,hosts=1,routers=2,spines=2,globals=2",
            "a dragonfly+ of 2 leaves of 1 hosts and 2 spines with 2 global links in a group has "
            "at most 10 hosts, not 100");
    refused("cluster:node=p5+dgx-h100,nodes=1+1,stripe=on",
            "a port of dgx-h100 combines 1 NICs, a port of an earlier node 4; stripe=on requires "
            "equal numbers");
    refused("cluster:node=p5+host,nodes=1+1,stripe=on",
            "a port of host combines 1 NICs, a port of an earlier node 4; stripe=on requires equal "
            "numbers");
    refused("cluster:nodes=9,fabric=ring,dims=3x3", "a ring takes no dims");
    refused("cluster:nodes=4096,fabric=mesh", "a mesh joins at most 2048 ports, not 4096");
    refused("cluster:node=dgx,nodes=2,stripe=yes", "cluster:stripe=: 'yes' is not 'off' or 'on'");
    refused("dragonfly:ranks=9,spines=2", "spines are a dragonfly+'s, not a dragonfly's");
    refused("dragonfly:ranks=100,routers=2,globals=1,hosts=2",
            "a dragonfly of 2 routers in a group, each with 2 hosts and 1 global links, has at "
            "most 12 hosts, not 100");
}

FIXTURE_TEST(sixteen_thousand_hosts_take_little_memory)
{
    open_spec(f, "fat-tree:ranks=16384,radix=64");
    assert_int_equal(f->net.party_count, 16384);
    assert_walks(f, 0, 16383);
}

/* Fabrics of replicated nodes lost it, or ended the program. */
TEST(switches_of_replicated_nodes_reduce)
{
    for (size_t k = 0; k < cs_fabric_kind_count; k++) {
        char spec[128];
        struct cs_topo_request request = {.spec = spec};
        CS_AT_END(closed) struct fixture whole = {0}, folded = {0};
        uint32_t reducing = 0;

        (void)snprintf(spec, sizeof(spec), "cluster:node=dgx-h100,nodes=4,fabric=%s,reduces=yes",
                       cs_fabric_kinds[k]->name);
        if (cs_topo_open(&request, &whole.graph, &whole.arena, &whole.err)) {
            assert_non_null(strstr(whole.err.text, "has none")); /* no switch */
            continue;
        }
        opened(&folded, (struct cs_topo_request){.spec = spec, .replicas_from = 1});
        assert_int_equal(folded.graph.device_count, whole.graph.device_count);
        for (uint32_t d = 0; d < whole.graph.device_count; d++) {
            if (cs_graph_device(&folded.graph, d).reduces != whole.graph.devices[d].reduces)
                fail_msg("%s: %s", spec, whole.graph.devices[d].name);
            reducing += whole.graph.devices[d].reduces;
        }
        assert_true(reducing > 0);
    }
}
