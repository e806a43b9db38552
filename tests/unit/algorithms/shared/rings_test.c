/* Rings: what they are on machines, and how much goes over the busiest link. */
#include "algorithms/shared/rings.h"

#include "tests/fixture.h"
#include "topo/placement/fault.h"

#include <stdio.h>

static void expect_contention(const struct cs_rings *rings, uint32_t channels,
                              double contention)
{
    assert_float_equal(cs_rings_contention(rings, channels), contention, 1e-9);
}

/* Double links have twice the rate of single ones. */
static void channels_contention_the_links_of_a_cube_mesh(void **state)
{
    const struct cs_rings *rings;
    struct machine machine;

    (void)state;
    machine_open(&machine, "dgx-1", 0, 0);
    rings = cs_rings_of_machine(&machine.net, 8, 8, &machine.arena);
    assert_non_null(rings);
    assert_int_equal(rings->count, 6);
    assert_true(rings->direct);
    expect_contention(rings, 1, 1);
    expect_contention(rings, 2, 1);
    expect_contention(rings, 6, 1);
    expect_contention(rings, 12, 2);
    machine_close(&machine);
}

static void orders_of_a_file_share_ports_on_a_switch(void **state)
{
    static const uint32_t order[] = {0, 1, 2, 3, 0, 2, 1, 3, 3, 1, 2, 0};
    const struct cs_rings *rings;
    struct machine machine;

    (void)state;
    machine_open(&machine, "switch:ranks=4", 0, 0);
    rings = cs_rings_of_orders(&machine.net, 4, 3, order, &machine.arena);
    assert_false(rings->direct);
    assert_int_equal(rings->place[1 * 4 + 2], 1);
    assert_int_equal(rings->place[2 * 4 + 3], 0);
    for (uint32_t channels = 1; channels < 8; channels++)
        expect_contention(rings, channels, channels);
    machine_close(&machine);
}

/* A slow wire among fast ones is left out, as rings of the others carry more. */
static void narrow_wires_are_left_out_where_wide_ones_carry_more(void **state)
{
    const struct cs_rings *rings;
    struct machine machine;
    uint32_t i;

    (void)state;
    machine_open(&machine, "mesh:ranks=5", 0, 0);
    for (i = 0; i < 2; i++)
        machine.net.links[i].rate_Bps /= 100;
    rings = cs_rings_of_machine(&machine.net, 5, 0, &machine.arena);
    assert_true(rings->count >= 2);
    assert_float_equal(rings->slowest_Bps[rings->count - 1],
                       machine.net.links[2].rate_Bps, 1);
    machine_close(&machine);
}

static void nodes_take_queue_with_adapters(void **state)
{
    const struct cs_rings *rings;
    struct machine machine;

    (void)state;
    machine_open(&machine, "ib-2xdgx", 0, 0);
    rings = cs_rings_of_machine(&machine.net, 16, 8, &machine.arena);
    assert_int_equal(rings->count, 8);
    for (uint32_t c = 0; c < 8; c++)
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(rings->order[c * 16 + i] / 8, i / 8);
    /* Eight rings, eight adapters: as if one had one. */
    assert_float_equal(rings->load_s_per_byte[7], rings->load_s_per_byte[0],
                       1e-15);
    machine_close(&machine);
}

/* What the rings of a cluster of four carry in all, in bytes per second, without
 * that device or, for "", with all. */
static double rate_without(const char *spec, const char *lost)
{
    struct machine machine = {0};
    struct cs_topo_request request = {.spec = spec};
    struct cs_fault fault = {.text = lost, .where = lost};
    const struct cs_rings *rings;
    struct cs_err err = {0};
    double rate_Bps;

    if (cs_topo_open(&request, &machine.graph, &machine.arena, &err) ||
        (*lost && cs_faults_apply(&fault, 1, 0, &machine.graph, &err)))
        fail_msg("%s: %s", spec, err.text);
    cs_lower(&machine.graph, &machine.net, &machine.arena);
    rings = cs_rings_of_machine(&machine.net, 32, 8, &machine.arena);
    rate_Bps = rings->count / rings->load_s_per_byte[rings->count - 1];
    machine_close(&machine);
    return rate_Bps;
}

/* Of 8 adapters a node; GPUs of a node reach all of them at once. */
static void any_lost_adapter_costs_an_eighth(void **state)
{
    static const char *const specs[] = {
        "cluster:node=dgx-h100,nodes=4,fabric=star",
        "cluster:node=dgx-h100,nodes=4,fabric=fat-tree,radix=16",
        "cluster:node=dgx,nodes=4,fabric=star",
        "cluster:node=dgx,nodes=4,fabric=rail",
    };
    char lost[16];

    (void)state;
    for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
        double whole_Bps = rate_without(specs[i], "");

        for (uint32_t nic = 0; nic < 32; nic += 3) {
            (void)snprintf(lost, sizeof(lost), "n%u.nic%u", nic / 8, nic % 8);
            assert_float_equal(rate_without(specs[i], lost) / whole_Bps,
                               7.0 / 8, 1e-9);
        }
    }
}

/* On rails an adapter's rail is all that is lost; the other GPUs still pass on to
 * their own over NVLink, which is the busiest of the whole machine. */
static void a_lost_adapter_costs_its_rail_alone(void **state)
{
    static const char spec[] = "cluster:node=dgx-h100,nodes=4,fabric=rail";

    (void)state;
    assert_float_equal(
        rate_without(spec, "n1.nic5"),
        7.0 / 8 * rate_without("cluster:node=dgx-h100,nodes=4", ""), 1);
}

static void adapters_all_carry_a_share_where_rings_are_fewer(void **state)
{
    (void)state;
    /* Four EDR adapters of 12 GB/s, and six rings over the NVLinks. */
    assert_float_equal(rate_without("cluster:node=dgx-1,nodes=4", "") / 1e9, 48,
                       1e-6);
}

/* Two groups of four on the sockets of each: rings of the computers' own would
 * all cross between the sockets. */
static void strides_over_all_are_taken_where_they_carry_more(void **state)
{
    struct machine machine;

    (void)state;
    machine_open(&machine, "cluster:node=ascend910,nodes=2", 0, 0);
    assert_null(cs_rings_of_machine(&machine.net, 16, 8, &machine.arena));
    machine_close(&machine);
}

static void machines_beyond_the_limits_have_none(void **state)
{
    struct machine machine;

    (void)state;
    machine_open(&machine, "ring:ranks=129", 0, 0);
    assert_null(cs_rings_of_machine(&machine.net, 129, 0, &machine.arena));
    assert_non_null(cs_rings_of_machine(&machine.net, 129, 3, &machine.arena));
    machine_close(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_contention_the_links_of_a_cube_mesh),
        cmocka_unit_test(orders_of_a_file_share_ports_on_a_switch),
        cmocka_unit_test(narrow_wires_are_left_out_where_wide_ones_carry_more),
        cmocka_unit_test(nodes_take_queue_with_adapters),
        cmocka_unit_test(any_lost_adapter_costs_an_eighth),
        cmocka_unit_test(a_lost_adapter_costs_its_rail_alone),
        cmocka_unit_test(adapters_all_carry_a_share_where_rings_are_fewer),
        cmocka_unit_test(strides_over_all_are_taken_where_they_carry_more),
        cmocka_unit_test(machines_beyond_the_limits_have_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
