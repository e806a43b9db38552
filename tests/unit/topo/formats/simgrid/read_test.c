#include "tests/unit/topo/machine.h"

static const struct cs_topo_request any = {.spec = "m"};

#define ZONE(inside) \
    "<platform version='4.1'><zone id='z' routing='Full'>" inside "</zone></platform>"
#define HOST(id)               "<host id='" id "' speed='1Gf'/>"
#define LINK(id, rate, more)   "<link id='" id "' bandwidth='" rate "' latency='50us' " more "/>"
#define ROUTE(src, dst, parts) "<route src='" src "' dst='" dst "'>" parts "</route>"
#define VIA(id)                "<link_ctn id='" id "'/>"

/* The servers of the links that a message occupies. */
static uint32_t servers(const struct machine *m, uint32_t src, uint32_t dst, uint32_t *out)
{
    uint32_t links[8];
    uint32_t count = m->net.route(m->net.route_ctx, src, dst, links);

    for (uint32_t i = 0; i < count; i++)
        out[i] = m->net.links[links[i]].resource;
    return count;
}

MACHINE_TEST(a_link_is_shared_by_all_routes_over_it)
{
    uint32_t there[8], back[8], other[8];

    machine_open(m, any,
                 ZONE(HOST("a") HOST("b") HOST("c") LINK("l", "1MBps", "") LINK("k", "8Mbps", "")
                          ROUTE("a", "b", VIA("l")) ROUTE("a", "c", VIA("l") VIA("k"))
                              ROUTE("b", "c", VIA("k"))));
    assert_int_equal(servers(m, 0, 1, there), 1);
    assert_int_equal(servers(m, 1, 0, back), 1);
    assert_int_equal(there[0], back[0]);
    assert_int_equal(servers(m, 2, 0, other), 2);
    assert_int_equal(other[1], there[0]);
    machine_route(m, 0, 2, 0.001, 2);
}

MACHINE_TEST(a_split_duplex_link_is_two)
{
    uint32_t there[8], back[8];

    machine_open(m, any,
                 ZONE(HOST("a") HOST("b") LINK("l", "1.25E9Bps", "sharing_policy='SPLITDUPLEX'")
                          ROUTE("a", "b", VIA("l"))));
    assert_int_equal(servers(m, 0, 1, there), 1);
    assert_int_equal(servers(m, 1, 0, back), 1);
    assert_true(there[0] != back[0]);
    machine_route(m, 0, 1, 1.25, 1);
}

#define CLUSTER(more)                                                     \
    "<platform version='4.1'><cluster id='c' prefix='n-' radical='0-2,7'" \
    " suffix='.x' speed='1Gf' bw='125MBps' lat='50us' " more "/></platform>"

MACHINE_TEST(a_cluster_is_hosts_on_a_switch)
{
    machine_open(m, any, CLUSTER(""));
    assert_int_equal(m->graph.rank_count, 4);
    assert_string_equal(m->graph.devices[m->graph.rank_device[3]].name, "n-7.x");
    machine_route(m, 0, 3, 0.125, 2);
}

MACHINE_TEST(a_backbone_is_crossed_once)
{
    uint32_t one[8] = {0};
    uint32_t two[8] = {0};

    machine_open(m, any, CLUSTER("bb_bw='1MiBps' bb_lat='500us'"));
    machine_route(m, 0, 3, 0.001048576, 3);
    assert_int_equal(servers(m, 0, 3, one), 3);
    assert_int_equal(servers(m, 2, 1, two), 3);
    assert_int_equal(one[1], two[1]);
}

/* Two clusters, the second with a backbone, and a zone of routers between. */
#define PLATFORM(inside) "<platform version='4.1'>" inside "</platform>"
#define NESTED                                                                                     \
    PLATFORM("<zone id='world' routing='Floyd'>"                                                   \
             "<zone id='left' routing='Full'>"                                                     \
             "<cluster id='a' prefix='a' suffix='' radical='0-3' bw='125MBps' "                    \
             "lat='50us'/></zone>"                                                                 \
             "<cluster id='b' prefix='b' suffix='' radical='0-2' bw='125MBps' "                    \
             "lat='50us' bb_bw='1GBps' bb_lat='1us'/>"                                             \
             "<zone id='mid' routing='Floyd'><router id='r'/><router id='s'/>"                     \
             "<router id='t'/>" LINK("rs", "1GBps", "") LINK("st", "1GBps", "") ROUTE(             \
                 "r", "s", VIA("rs")) ROUTE("s", "t", VIA("st")) "</zone>" LINK("ar", "2GBps", "") \
                 LINK("tb", "10MBps", "") "<zoneRoute src='left' dst='mid' gw_src='aa_router' "    \
                                          "gw_dst='r'>" VIA("ar") "</zoneRoute>"                   \
                                                                  "<zoneRoute src='mid' dst='b' "  \
                                                                  "gw_src='t' "                    \
                                                                  "gw_dst='bb_router'>" VIA(       \
                                                                      "tb") "</zoneRoute></zone>")

MACHINE_TEST(nested_zones_are_crossed_through_their_gateways)
{
    uint32_t links[8];

    machine_open(m, any, NESTED);
    assert_int_equal(m->graph.rank_count, 7);
    machine_route(m, 0, 3, 0.125, 2);
    machine_route(m, 4, 6, 0.125, 3);
    /* up, ar, rs, st, tb, the backbone, down */
    machine_route(m, 0, 4, 0.01, 7);
    machine_route(m, 6, 3, 0.01, 7);
    assert_int_equal(m->net.max_hops, 7);
    /* Its backbone is the second hop inside of the other cluster, and no other's. */
    assert_int_equal(m->net.route(m->net.route_ctx, 4, 6, links), 3);
    assert_true(m->net.links[links[1]].rate_Bps == 1e9);
}

MACHINE_TEST(cabinets_share_the_backbone_of_their_zone)
{
    uint32_t one[8] = {0};
    uint32_t two[8] = {0};

    machine_open(
        m, any,
        PLATFORM(
            "<zone id='z' routing='Cluster'><cabinet id='k' prefix='h' suffix='' radical='1-2' "
            "bw='125MBps' lat='1us'/><cabinet id='l' prefix='h' suffix='' radical='3-4' bw='1MBps' "
            "lat='1us'/><router id='r'/><backbone id='bb' bandwidth='1GBps' latency='0'/></zone>"));
    machine_route(m, 0, 1, 0.125, 3);
    machine_route(m, 0, 3, 0.001, 3);
    (void)servers(m, 0, 1, one);
    (void)servers(m, 3, 2, two);
    assert_int_equal(one[1], two[1]);
}

MACHINE_TEST(dijkstra_takes_the_fewest_links)
{
    machine_open(m, any,
                 PLATFORM("<zone id='z' routing='Dijkstra'>" HOST("a") HOST("b") HOST("c")
                              LINK("l", "1GBps", "") LINK("k", "1MBps", "") LINK("x", "1kBps", "")
                                  ROUTE("a", "b", VIA("l")) ROUTE("b", "c", VIA("k"))
                                      ROUTE("a", "c", VIA("x") VIA("l") VIA("k")) "</zone>"));
    machine_route(m, 0, 2, 0.001, 2);
}

/* Checks that each route is a chain of links from party to party; the hops of
 * the longest route. */
static uint32_t walk(const struct machine *m)
{
    uint32_t links[16];
    uint32_t longest = 0;

    assert_true(m->net.max_hops <= 16);
    for (uint32_t a = 0; a < m->graph.rank_count; a++)
        for (uint32_t b = 0; b < m->graph.rank_count; b++) {
            uint32_t at = m->graph.rank_device[a];
            uint32_t hops = a == b ? 0 : m->net.route(m->net.route_ctx, a, b, links);

            for (uint32_t i = 0; i < hops; i++) {
                assert_int_equal(m->net.links[links[i]].from, at);
                at = m->net.links[links[i]].to;
            }
            assert_int_equal(at, m->graph.rank_device[b]);
            longest = hops > longest ? hops : longest;
        }
    return longest;
}

#define FABRIC(kind, parameters, radical)                             \
    PLATFORM("<cluster id='c' prefix='n' suffix='' radical='" radical \
             "' bw='125MBps' lat='50us' topology='" kind "' topo_parameters='" parameters "'/>")

MACHINE_TEST(a_fat_tree_has_parallel_cables)
{
    uint32_t links[8];

    machine_open(m, any, FABRIC("FAT_TREE", "2;4,4;1,2;1,2", "0-15"));
    assert_int_equal(m->graph.device_count, 16 + 4 + 2);
    assert_int_equal(m->graph.wire_count, 16 + 4 * 2 * 2);
    assert_int_equal(walk(m), 4);
    /* D-mod-k: host 6 by parent 0 and its cable 1, host 7 by parent 1. */
    assert_int_equal(m->net.route(m->net.route_ctx, 0, 6, links), 4);
    assert_int_equal(links[1], 2 * (16 + 1 * 0 + (6 / 1) % 4 / 2));
    machine_open(m, any, FABRIC("FAT_TREE", "3;2,3,2;2,2,3;1,2,1", "0-11"));
    assert_int_equal(walk(m), 6);
}

MACHINE_TEST(a_dragonfly_of_chassis_has_cables_of_three_colours)
{
    machine_open(m, any, FABRIC("DRAGONFLY", "3,4;4,3;5,1;2", "0-119"));
    assert_int_equal(m->graph.device_count, 120 + 60);
    assert_int_equal(m->graph.wire_count, 120 + 12 * 10 + 3 * 6 * 5 + 3);
    assert_int_equal(walk(m), 7);
    assert_true(m->graph.wires[120].rate_Bps == 125e6);
    assert_true(m->graph.wires[120 + 120].rate_Bps == 375e6);
    assert_true(m->graph.wires[120 + 120 + 90].rate_Bps == 500e6);
}

MACHINE_TEST(a_torus_is_hosts_in_a_grid)
{
    machine_open(m, any, FABRIC("TORUS", "3,2,4", "1-24"));
    assert_int_equal(m->graph.device_count, 24);
    assert_int_equal(walk(m), 1 + 1 + 2);
}

TEST(topologies_are_checked_against_their_hosts)
{
    machine_refused(FABRIC("TORUS", "3,2", "0-4"),
                    "m:1: the dimensions of the torus make 6, and there are 5 ports");
    machine_refused(FABRIC("FAT_TREE", "2;4,4;1,2", "0-15"),
                    "m:1: topo_parameters=\"2;4,4;1,2\"; expected levels and three numbers for "
                    "each, such as 2;4,4;1,2;1,2");
    machine_refused(FABRIC("FAT_TREE", "1;4;0;1", "0-3"),
                    "m:1: numbers of a topology are 1 to 65536, not 0");
    machine_refused(
        FABRIC("DRAGONFLY", "6,1;1,1;5,1;1", "0-29"),
        "m:1: 6 groups need as many blades in a chassis, one towards each; there are 5");
    machine_refused(FABRIC("DRAGONFLY", "2,1;1,1;5,1;1", "0-2"),
                    "m:1: this topology has 10 hosts, and radical= names 3");
    machine_refused(
        FABRIC("VIVALDI", "1", "0-2"),
        "m:1: topology=\"VIVALDI\" is not supported; expected FLAT, TORUS, FAT_TREE or DRAGONFLY");
    machine_refused(
        FABRIC("TORUS", "1,-2", "0-2"),
        "m:1: topo_parameters=\"1,-2\"; expected up to 20 numbers such as 2;4,4;1,2;1,2");
    machine_refused(PLATFORM("<zone id='z' routing='Full'>" HOST(
                        "x") "\n<cluster id='c' radical='0-1' bw='1Bps' lat='0' topology='TORUS' "
                             "topo_parameters='2'/></zone>"),
                    "m:2: topology=\"torus\" next to other hosts or routers; expected one cluster "
                    "as the whole platform");
}

TEST(unsupported_elements_are_refused_by_name)
{
    machine_refused(ZONE(HOST("a") "\n<bypassRoute/>"),
                    "m:2: <bypassRoute> is not supported; expected zones, clusters, hosts, "
                    "routers, links and routes");
    machine_refused("<platform><zone id='z' routing='Vivaldi'>" HOST("a")
                        HOST("b") "</zone></platform>",
                    "m:1: routing=\"Vivaldi\" is not supported, because latencies come from "
                    "coordinates; expected Full, Floyd, Dijkstra or Cluster");
    machine_refused(
        "<platform><zone id='z' routing='Wifi'/></platform>",
        "m:1: routing=\"Wifi\" is not supported; expected Full, Floyd, Dijkstra or Cluster");
    machine_refused(ZONE("\n<cabinet id='c' radical='1' bw='1Bps'/>"),
                    "m:2: <cabinet> needs a zone with routing=\"Cluster\"");
}

TEST(gateways_must_be_inside_their_zones)
{
    machine_refused(
        ZONE(HOST("x") "<zone id='p'>" HOST("a") "</zone><zone id='q'>" HOST("b") "</zone>" LINK(
            "l", "1Bps",
            "") "\n<zoneRoute src='p' dst='q' gw_src='a' gw_dst='x'>" VIA("l") "</zoneRoute>"),
        "m:2: gw_dst=\"x\" is not in that zone");
    machine_refused(ZONE(HOST("x") "<zone id='p'>" HOST("a") "</zone>" LINK(
                        "l", "1Bps", "") "\n" ROUTE("x", "a", VIA("l"))),
                    "m:2: dst=\"a\" is not in this zone");
    machine_refused(ZONE(HOST("x") "\n<zoneRoute src='x' dst='x'/>"),
                    "m:2: src=\"x\" is not a <zone> or <cluster>");
    machine_refused(ZONE("<zone id='p'>" HOST("a") "</zone><zone id='q'>" HOST("b") "</zone>"),
                    "m:1: no route from 'a' to 'b'");
}

TEST(wrong_platforms_are_reported_by_line)
{
    machine_refused(ZONE(HOST("a") HOST("b")), "m:1: no route from 'a' to 'b'");
    machine_refused(ZONE(HOST("a") "\n" HOST("a")), "m:2: <host> 'a' is a duplicate");
    machine_refused(ZONE(HOST("a") HOST("b") LINK("l", "-5MBps", "")),
                    "m:1: bandwidth=\"-5MBps\"; expected a number and a unit of SimGrid, such as "
                    "125MBps or 50us");
    machine_refused(ZONE(HOST("a") HOST("b") LINK("l", "1e30Bps", "")),
                    "m:1: bandwidth: expected a rate from 1 B/s to 1e18 B/s");
    machine_refused(ZONE(HOST("a") HOST("b") "\n" ROUTE("a", "b", VIA("l"))),
                    "m:2: no <link> called 'l'");
    machine_refused(
        ZONE(HOST("a") HOST("b") LINK("l", "1Bps", "") "\n" ROUTE("a", "b", VIA("l") VIA("l"))),
        "m:2: the same link twice in a row");
    machine_refused(ZONE(HOST("a") HOST("b") LINK("l", "1Bps", "")
                             ROUTE("a", "b", VIA("l")) "\n" ROUTE("b", "a", VIA("l"))),
                    "m:2: duplicate route from 'b' to 'a'");
    machine_refused("<platform><cluster id='c' radical='5-1' bw='1Bps' lat='0'/></platform>",
                    "m:1: radical=\"5-1\"; expected numbers such as 0-7,9");
}

MACHINE_TEST(traces_are_reported_as_ignored)
{
    machine_open(m, any,
                 ZONE(HOST("a") HOST("b") LINK(
                     "l", "1GBps", "") "<trace id='t' periodicity='1'>0 1</trace><trace_connect "
                                       "trace='t' element='a'/>" ROUTE("a", "b", VIA("l"))));
    assert_int_equal(machine_notes(m, "are ignored: rates are constant"), 1);
    machine_open(m, any,
                 ZONE("<host id='a' speed='1Gf' speed_file='a.trace'/>" HOST("b")
                          LINK("l", "1GBps", "") ROUTE("a", "b", VIA("l"))));
    assert_int_equal(machine_notes(m, "are ignored: rates are constant"), 1);
}
