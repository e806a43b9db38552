/*
 * Cuts of small machines, against values worked out by hand.
 */
#include "algorithms/bounds/cuts.h"

#include "tests/unit/algorithms/bounds/wired.h"

/* Two groups of three on switches, rate 10 a rank, 4 between the switches. */
static const struct pair dumbbell[] = {{0, 6, 10}, {1, 6, 10}, {2, 6, 10}, {3, 7, 10},
                                       {4, 7, 10}, {5, 7, 10}, {6, 7, 4}};

WIRED_TEST(an_all_gather_is_limited_where_most_blocks_enter_by_least)
{
    struct cs_network network;
    struct cs_flow_cut cut;

    wired_open(w, 6, 2, dumbbell, COUNT(dumbbell));
    network = wired_network(w, CS_CUT_INTO);
    cut = cs_cuts_densest(&network, 0, &w->arena);
    assert_near(cut.rate_Bps, 4, 1e-9);
    assert_int_equal(cut.ranks, 3);
    assert_true(cut.inside[0] == cut.inside[6]);
    assert_true(cut.inside[0] != cut.inside[7]);
}

/* The port of the root takes five blocks by 10, the middle three by 4. */
WIRED_TEST(a_gather_is_limited_on_the_root_s_side)
{
    struct cs_network network;
    struct cs_flow_cut cut;

    wired_open(w, 6, 2, dumbbell, COUNT(dumbbell));
    w->graph.wires[6].rate_Bps = 7;
    network = wired_network(w, CS_CUT_INTO);
    cut = cs_cuts_towards(&network, 1, &w->arena);
    assert_int_equal(cut.ranks, 1);
    assert_near(cut.rate_Bps, 10, 1e-9);
    assert_true(cut.inside[1]);
}

WIRED_TEST(a_broadcast_is_limited_by_the_narrowest_route_in)
{
    struct cs_network network;
    struct cs_flow_cut cut;

    wired_open(w, 6, 2, dumbbell, COUNT(dumbbell));
    network = wired_network(w, CS_CUT_INTO);
    cut = cs_cuts_narrowest(&network, 2, &w->arena);
    assert_near(cut.rate_Bps, 4, 1e-9);
    assert_int_equal(cut.ranks, 3);
    assert_false(cut.inside[2]);
}

WIRED_TEST(one_way_wires_differ_by_direction)
{
    const struct pair pairs[] = {{0, 1, 5}, {1, 0, 5}, {0, 1, 2}};
    struct cs_network network;

    wired_open(w, 2, 0, pairs, COUNT(pairs));
    w->graph.wires[0].backwards = true; /* 1 -> 0 */
    w->graph.wires[2].backwards = true; /* 1 -> 0 */
    w->graph.wires[1].backwards = true; /* 0 -> 1 */
    network = wired_network(w, CS_CUT_INTO);
    assert_near(cs_cuts_narrowest(&network, 0, &w->arena).rate_Bps, 5, 1e-9);
    network = wired_network(w, CS_CUT_OUT_OF);
    assert_near(cs_cuts_narrowest(&network, 0, &w->arena).rate_Bps, 7, 1e-9);
    network = wired_network(w, CS_CUT_BOTH);
    assert_near(cs_cuts_narrowest(&network, 0, &w->arena).rate_Bps, 12, 1e-9);
}

/* A medium for each direction, as for a SPLITDUPLEX link of SimGrid. */
WIRED_TEST(media_of_one_direction_each_add_up)
{
    const struct pair pairs[] = {{0, 2, 5}, {1, 2, 5}, {0, 3, 5}, {1, 3, 5}};
    struct cs_network network;

    wired_open(w, 2, 2, pairs, COUNT(pairs));
    w->graph.devices[2].kind = w->graph.devices[3].kind = CS_DEVICE_BUS;
    for (uint32_t i = 0; i < 4; i++)
        w->graph.wires[i].duplex = CS_DUPLEX_BUS;
    w->graph.wires[1].backwards = true; /* device 2 leads from 0 to 1 */
    w->graph.wires[2].backwards = true; /* device 3 leads from 1 to 0 */
    network = wired_network(w, CS_CUT_INTO);
    assert_near(cs_cuts_narrowest(&network, 0, &w->arena).rate_Bps, 5, 1e-9);
    network = wired_network(w, CS_CUT_OUT_OF);
    assert_near(cs_cuts_narrowest(&network, 0, &w->arena).rate_Bps, 5, 1e-9);
    network = wired_network(w, CS_CUT_BOTH);
    assert_near(cs_cuts_narrowest(&network, 0, &w->arena).rate_Bps, 10, 1e-9);
}

WIRED_TEST(a_cut_around_given_ranks_is_the_narrowest)
{
    static const bool is_member[] = {true, true, true, false, false, false, false, false};
    struct cs_network network;
    struct cs_flow_cut cut;

    wired_open(w, 6, 2, dumbbell, COUNT(dumbbell));
    network = wired_network(w, CS_CUT_INTO);
    cut = cs_cuts_around(&network, is_member, &w->arena);
    assert_near(cut.rate_Bps, 4, 1e-9);
    assert_int_equal(cut.ranks, 3);
    assert_true(cut.inside[6] && !cut.inside[7]);
}

/* The sender's wire to a bus has a latency; the wire from the bus is free. */
WIRED_TEST(only_the_wire_to_a_bus_has_a_latency)
{
    static const struct pair wires[] = {{0, 2, 10}, {1, 2, 10}};
    struct cs_network network;

    wired_open(w, 2, 1, wires, COUNT(wires));
    w->graph.devices[2].kind = CS_DEVICE_BUS;
    for (uint32_t i = 0; i < COUNT(wires); i++) {
        w->graph.wires[i].duplex = CS_DUPLEX_BUS;
        w->graph.wires[i].latency_ps = UINT64_C(1000) * (i + 1);
    }
    network = wired_network(w, CS_CUT_INTO);
    assert_int_equal(cs_cuts_towards(&network, 1, &w->arena).latency_ps, 0);
}

WIRED_TEST(one_rank_has_no_cut)
{
    struct cs_network network;

    wired_open(w, 1, 0, NULL, 0);
    network = wired_network(w, CS_CUT_INTO);
    assert_null(cs_cuts_densest(&network, 0, &w->arena).inside);
    assert_null(cs_cuts_towards(&network, 0, &w->arena).inside);
    assert_null(cs_cuts_narrowest(&network, 0, &w->arena).inside);
}
