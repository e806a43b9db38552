#include "tests/unit/topo/machine.h"

static const struct cs_topo_request any = {.spec = "m"};

#define ZONE(inside)                                              \
    "<platform version='4.1'><zone id='z' routing='Full'>" inside \
    "</zone></platform>"
#define HOST(id) "<host id='" id "' speed='1Gf'/>"
#define LINK(id, rate, more) \
    "<link id='" id "' bandwidth='" rate "' latency='50us' " more "/>"
#define ROUTE(src, dst, parts) \
    "<route src='" src "' dst='" dst "'>" parts "</route>"
#define VIA(id) "<link_ctn id='" id "'/>"

/* The servers of the links that a message occupies. */
static uint32_t servers(const struct machine *m, uint32_t src, uint32_t dst,
                        uint32_t *out)
{
    uint32_t links[8];
    uint32_t count = m->net.route(m->net.route_ctx, src, dst, links);

    for (uint32_t i = 0; i < count; i++)
        out[i] = m->net.links[links[i]].server;
    return count;
}

static void a_link_is_shared_by_all_routes_over_it(void **state)
{
    struct machine m;
    uint32_t there[8];
    uint32_t back[8];
    uint32_t other[8];

    (void)state;
    machine_open(&m, any,
                 ZONE(HOST("a") HOST("b") HOST("c") LINK("l", "1MBps", "")
                          LINK("k", "8Mbps", "") ROUTE("a", "b", VIA("l"))
                              ROUTE("a", "c", VIA("l") VIA("k"))
                                  ROUTE("b", "c", VIA("k"))));
    assert_int_equal(servers(&m, 0, 1, there), 1);
    assert_int_equal(servers(&m, 1, 0, back), 1);
    assert_int_equal(there[0], back[0]);
    assert_int_equal(servers(&m, 2, 0, other), 2);
    assert_int_equal(other[1], there[0]);
    machine_way(&m, 0, 2, 0.001, 2);
    machine_close(&m);
}

static void a_split_duplex_link_is_two(void **state)
{
    struct machine m;
    uint32_t there[8];
    uint32_t back[8];

    (void)state;
    machine_open(&m, any,
                 ZONE(HOST("a") HOST("b")
                          LINK("l", "1.25E9Bps", "sharing_policy='SPLITDUPLEX'")
                              ROUTE("a", "b", VIA("l"))));
    assert_int_equal(servers(&m, 0, 1, there), 1);
    assert_int_equal(servers(&m, 1, 0, back), 1);
    assert_true(there[0] != back[0]);
    machine_way(&m, 0, 1, 1.25, 1);
    machine_close(&m);
}

#define CLUSTER(more)                                                     \
    "<platform version='4.1'><cluster id='c' prefix='n-' radical='0-2,7'" \
    " suffix='.x' speed='1Gf' bw='125MBps' lat='50us' " more "/></platform>"

static void a_cluster_is_hosts_on_a_switch(void **state)
{
    struct machine m;

    (void)state;
    machine_open(&m, any, CLUSTER(""));
    assert_int_equal(m.graph.rank_count, 4);
    assert_string_equal(m.graph.devices[m.graph.rank_device[3]].name, "n-7.x");
    machine_way(&m, 0, 3, 0.125, 2);
    machine_close(&m);
}

static void a_backbone_is_crossed_once(void **state)
{
    struct machine m;
    uint32_t one[8] = {0};
    uint32_t two[8] = {0};

    (void)state;
    machine_open(&m, any, CLUSTER("bb_bw='1MiBps' bb_lat='500us'"));
    machine_way(&m, 0, 3, 0.001048576, 3);
    assert_int_equal(servers(&m, 0, 3, one), 3);
    assert_int_equal(servers(&m, 2, 1, two), 3);
    assert_int_equal(one[1], two[1]);
    machine_close(&m);
}

static void what_is_not_read_is_refused_by_name(void **state)
{
    (void)state;
    machine_refused(CLUSTER("topology='TORUS'"),
                    "m:1: topology=\"TORUS\" is not read; 'collsim list "
                    "topologies' shows generators of such machines");
    machine_refused(ZONE(HOST("a") "\n<zoneRoute/>"),
                    "m:2: <zoneRoute> beside others in a zone is not read; "
                    "expected one zone of hosts, links and routes, or one "
                    "cluster");
    machine_refused("<platform><zone routing='Vivaldi'>" HOST("a")
                        HOST("b") "</zone></platform>",
                    "m:1: routing=\"Vivaldi\" is not read; expected Full");
}

static void wrong_platforms_are_told_by_line(void **state)
{
    (void)state;
    machine_refused(ZONE(HOST("a") HOST("b")), "m:1: no route from 'a' to 'b'");
    machine_refused(ZONE(HOST("a") "\n" HOST("a")),
                    "m:2: <host> 'a' is there twice");
    machine_refused(ZONE(HOST("a") HOST("b") LINK("l", "-5MBps", "")),
                    "m:1: bandwidth=\"-5MBps\"; expected a number and a unit "
                    "of SimGrid, such as 125MBps or 50us");
    machine_refused(ZONE(HOST("a") HOST("b") LINK("l", "1e30Bps", "")),
                    "m:1: bandwidth: a rate from 1 B/s to 1e18 B/s is "
                    "expected");
    machine_refused(ZONE(HOST("a") HOST("b") "\n" ROUTE("a", "b", VIA("l"))),
                    "m:2: no <link> called 'l' before this route");
    machine_refused(ZONE(HOST("a") HOST("b") LINK("l", "1Bps", "") "\n" ROUTE(
                        "a", "b", VIA("l") VIA("l"))),
                    "m:2: the same link twice in a row");
    machine_refused(ZONE(HOST("a") HOST("b") LINK("l", "1Bps", "") ROUTE(
                        "a", "b", VIA("l")) "\n" ROUTE("b", "a", VIA("l"))),
                    "m:2: a route from 'b' to 'a' is there already");
    machine_refused("<platform><cluster id='c' radical='5-1' bw='1Bps' "
                    "lat='0'/></platform>",
                    "m:1: radical=\"5-1\"; expected numbers such as 0-7,9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_is_shared_by_all_routes_over_it),
        cmocka_unit_test(a_split_duplex_link_is_two),
        cmocka_unit_test(a_cluster_is_hosts_on_a_switch),
        cmocka_unit_test(a_backbone_is_crossed_once),
        cmocka_unit_test(what_is_not_read_is_refused_by_name),
        cmocka_unit_test(wrong_platforms_are_told_by_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
