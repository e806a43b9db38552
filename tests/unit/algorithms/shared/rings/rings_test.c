/* Rings: positions, contention and total rate of given orders. */
#include "algorithms/shared/rings/rings.h"

#include "tests/fixture.h"

static void expect_contention(const struct cs_rings *rings, uint32_t channels, double contention)
{
    assert_within(cs_rings_contention(rings, channels), contention, 1e-9);
}

MACHINE_TEST(orders_of_a_file_share_ports_on_a_switch)
{
    static const uint32_t order[] = {0, 1, 2, 3, 0, 2, 1, 3, 3, 1, 2, 0};
    const struct cs_rings *rings;

    machine_open(machine, "switch:ranks=4", 0, 0);
    rings = cs_rings_of_orders(&machine->net, 4, 3, order, &machine->arena);
    assert_false(rings->direct);
    assert_int_equal(rings->place[1 * 4 + 2], 1);
    assert_int_equal(rings->place[2 * 4 + 3], 0);
    for (uint32_t channels = 1; channels < 8; channels++)
        expect_contention(rings, channels, channels);
}

/* A ring per direction of full-duplex links: no common resource. */
MACHINE_TEST(opposite_rings_of_a_ring_network_do_not_contend)
{
    static const uint32_t order[] = {0, 1, 2, 3, 0, 3, 2, 1};
    const struct cs_rings *rings;

    machine_open(machine, "ring:ranks=4", 0, 0);
    rings = cs_rings_of_orders(&machine->net, 4, 2, order, &machine->arena);
    assert_true(rings->direct);
    expect_contention(rings, 2, 1);
    expect_contention(rings, 4, 2);
    assert_within(cs_rings_rate_Bps(rings), 2 * rings->slowest_Bps[1], 1);
}
