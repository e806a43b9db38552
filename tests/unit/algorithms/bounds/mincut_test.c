/*
 * Rates out of sets of ranks, against values worked out by hand.
 */
#include "algorithms/bounds/mincut.h"

#include "tests/unit/algorithms/bounds/wired.h"

WIRED_TEST(a_switch_is_put_where_it_binds_most)
{
    /* Two switches with two ranks each at rate 4, joined at rate 1. */
    const struct pair pairs[] = {{0, 4, 4}, {1, 4, 4}, {2, 5, 4}, {3, 5, 4}, {4, 5, 1}};
    const bool inside[] = {true, true, false, false};
    const double *rates;

    wired_open(w, 4, 2, pairs, COUNT(pairs));
    rates = cs_mincut_all(&w->graph, &w->arena);
    assert_near(rates[0x1], 4, 1e-9);
    assert_near(rates[0x3], 1, 1e-9);
    assert_near(rates[0x5], 8, 1e-9);
    assert_near(rates[0x7], 4, 1e-9);
    assert_near(cs_mincut_of(&w->graph, inside, &w->arena), 1, 1e-9);
}

WIRED_TEST(a_shared_medium_counts_once)
{
    /* Four ranks on a bus of rate 4, one of them beside it too. */
    const struct pair pairs[] = {{0, 4, 4}, {1, 4, 4}, {2, 4, 4}, {3, 4, 4}, {0, 1, 3}};
    const double *rates;

    wired_open(w, 4, 1, pairs, COUNT(pairs));
    w->graph.devices[4].kind = CS_DEVICE_BUS;
    for (uint32_t i = 0; i < 4; i++)
        w->graph.wires[i].duplex = CS_DUPLEX_BUS;
    rates = cs_mincut_all(&w->graph, &w->arena);
    assert_near(rates[0x3], 4, 1e-9);
    assert_near(rates[0x8], 4, 1e-9);
    assert_near(rates[0x1], 7, 1e-9);
    w->graph.wires[4].down = true;
    assert_near(cs_mincut_all(&w->graph, &w->arena)[0x1], 4, 1e-9);
}

WIRED_TEST(a_one_way_wire_counts_in_its_direction)
{
    const struct pair pairs[] = {{0, 1, 5}, {0, 1, 2}};
    const double *rates;

    wired_open(w, 2, 0, pairs, COUNT(pairs));
    w->graph.wires[1].backwards = true; /* from 1 to 0 */
    rates = cs_mincut_all(&w->graph, &w->arena);
    assert_near(rates[0x1], 5, 1e-9);
    assert_near(rates[0x2], 7, 1e-9);
}
