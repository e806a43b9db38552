#include "tests/unit/topo/machine.h"

static const struct cs_topo_request any = {.spec = "m"};

#define ZONE(inside) \
    "<platform version='4.1'><zone id='z' routing='Full'>" inside "</zone></platform>"
#define PROP(id, value) "<prop id='collsim-" id "' value='" value "'/>"
#define HOST(id, props) "<host id='" id "' speed='1Gf'>" props "</host>"
#define ENDS(a, b)      PROP("ends", a) PROP("ends", b)
#define LINK(id, policy, props)                          \
    "<link id='" id "' bandwidth='1GBps' latency='1us' " \
    "sharing_policy='" policy "'>" props "</link>"
#define ROUTE(src, dst, parts) "<route src='" src "' dst='" dst "'>" parts "</route>"
#define VIA(id)                "<link_ctn id='" id "'/>"
#define UP(id)                 "<link_ctn id='" id "' direction='UP'/>"
#define DOWN(id)               "<link_ctn id='" id "' direction='DOWN'/>"

/* Two hosts on a switch. */
#define STAR                                                                              \
    PROP("device s", "switch 0")                                                          \
    HOST("a", PROP("device", "gpu 0") PROP("reduction", "7GBps") PROP("overhead", "3us")) \
    HOST("b", PROP("device", "gpu 0"))                                                    \
    LINK("l", "SPLITDUPLEX", ENDS("a", "s"))                                              \
    LINK("k", "SHARED", ENDS("b", "s"))

MACHINE_TEST(links_with_ends_are_the_wires_of_a_machine)
{
    uint32_t links[8];

    machine_open(m, any, ZONE(STAR ROUTE("a", "b", UP("l") VIA("k"))));
    assert_int_equal(m->graph.device_count, 3);
    assert_int_equal(m->graph.wire_count, 2);
    assert_int_equal(m->graph.devices[1].kind, CS_DEVICE_GPU);
    assert_int_equal(m->graph.devices[1].host, 0);
    assert_int_equal(m->graph.devices[2].host, 0);
    assert_true(m->graph.devices[1].reduce_Bps > 6.9e9);
    assert_int_equal(m->graph.devices[1].reduce_overhead_ps, 3000000);
    assert_int_equal(m->graph.wires[0].duplex, CS_DUPLEX_FULL);
    assert_int_equal(m->graph.wires[1].duplex, CS_DUPLEX_HALF);
    assert_int_equal(m->net.route(m->net.route_ctx, 0, 1, links), 2);
    assert_int_equal(links[0], 0);
    assert_int_equal(links[1], 3);
    assert_int_equal(m->net.route(m->net.route_ctx, 1, 0, links), 2);
    assert_int_equal(links[0], 2);
    assert_int_equal(links[1], 1);
    assert_false(m->graph.direct);
}

MACHINE_TEST(hosts_between_links_forward)
{
    machine_open(m, any,
                 ZONE(HOST("a", "") HOST("b", "") HOST("c", "")
                          LINK("l", "SPLITDUPLEX", ENDS("a", "b"))
                              LINK("k", "SPLITDUPLEX", ENDS("b", "c")) ROUTE("a", "b", UP("l"))
                                  ROUTE("b", "c", UP("k")) ROUTE("a", "c", UP("l") UP("k"))));
    assert_true(m->graph.direct);
}

MACHINE_TEST(properties_of_others_are_ignored)
{
    machine_open(m, any,
                 ZONE("<prop id='owner' value='x'/>" HOST("a", "<prop id='watt' value='95'/>")
                          HOST("b", "") LINK("l", "SHARED", "<prop id='from' value='q'/>")
                              ROUTE("a", "b", VIA("l"))));
    assert_int_equal(m->graph.rank_count, 2);
}

TEST(routes_that_do_not_fit_the_ends_are_refused)
{
    machine_refused(ZONE(STAR "\n" ROUTE("a", "b", VIA("k") UP("l"))),
                    "m:2: the link does not begin at 'a'");
    machine_refused(ZONE(STAR "\n" ROUTE("a", "b", DOWN("l") VIA("k"))),
                    "m:2: the link does not begin at 'a'");
    machine_refused(ZONE(STAR "\n" ROUTE("a", "b", UP("l"))),
                    "m:2: the route ends at 's'; expected 'b'");
    machine_refused(
        ZONE(STAR LINK("q", "SHARED", "") "\n" ROUTE("a", "b", UP("l") VIA("q"))),
        "m:2: a link with collsim-ends next to one without; expected all or none of a route");
}

TEST(wrong_properties_are_refused)
{
    machine_refused(ZONE(HOST("a", "\n" PROP("device", "gpx 0"))),
                    "m:2: value=\"gpx 0\"; expected the kind of a device and the number of its "
                    "node, such as 'gpu 0'");
    machine_refused(ZONE(HOST("a", "\n" PROP("device", "gpu -1"))),
                    "m:2: value=\"gpu -1\"; expected the kind of a device and the number of its "
                    "node, such as 'gpu 0'");
    machine_refused(ZONE(HOST("a", "\n" PROP("device", "switch"))),
                    "m:2: a <host> computes; expected a gpu or a host");
    machine_refused(ZONE(HOST("a", "") "\n" PROP("device g", "gpu")),
                    "m:2: 'g' computes; expected a <host>");
    machine_refused(ZONE(HOST("a", "") "\n" PROP("device a", "switch")),
                    "m:2: <prop> 'a' is a duplicate");
    machine_refused(ZONE(PROP("device a", "switch") "\n" HOST("a", "")),
                    "m:2: <host> 'a' is a duplicate");
    machine_refused(ZONE(HOST("a", "") LINK("l", "SHARED", "\n" PROP("ends", "a"))),
                    "m:2: one end of a link; expected two");
    machine_refused(
        ZONE(HOST("a", "") LINK("l", "SHARED", PROP("ends", "a") "\n" PROP("ends", "a"))),
        "m:2: both ends of the link are one device");
    machine_refused(
        ZONE(HOST("a", "") LINK("l", "SHARED", PROP("ends", "a") "\n" PROP("ends", "q"))),
        "m:2: no host, router or device called 'q'");
    machine_refused(
        ZONE(HOST("a", "\n" PROP("reduction", "fast"))),
        "m:2: value=\"fast\"; expected a number and a unit of SimGrid, such as 125MBps or 50us");
}
