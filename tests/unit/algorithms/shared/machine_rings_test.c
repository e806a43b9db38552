/* Machine rings: the number of rings, the wires in use, the total rate. */
#include "algorithms/shared/machine_rings.h"

#include "tests/fixture.h"
#include "topo/placement/fault.h"

#include <stdio.h>

static void expect_contention(const struct cs_rings *rings, uint32_t channels,
                              double contention)
{
    assert_float_equal(cs_rings_contention(rings, channels), contention, 1e-9);
}

/* Double links have twice the rate of single ones. */
static void rings_of_a_cube_mesh_use_every_lane_once(void **state)
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

/* Rings without the slow wire carry more. */
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

static void rings_of_two_nodes_leave_by_different_adapters(void **state)
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
    /* Eight rings over eight adapters: the load of a single ring. */
    assert_float_equal(rings->load_s_per_byte[7], rings->load_s_per_byte[0],
                       1e-15);
    machine_close(&machine);
}

/* Total rate of the rings of a cluster of four nodes in bytes per second,
 * without a device or, for "", with all devices. */
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

/* 8 adapters per node, and every GPU reaches all of the node's adapters. */
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

/* A lost adapter costs only the rail: the GPU's data goes over NVLink to the
 * adapters of the other GPUs. */
static void a_lost_adapter_costs_its_rail_alone(void **state)
{
    static const char spec[] = "cluster:node=dgx-h100,nodes=4,fabric=rail";

    (void)state;
    assert_float_equal(
        rate_without(spec, "n1.nic5"),
        7.0 / 8 * rate_without("cluster:node=dgx-h100,nodes=4", ""), 1);
}

static void all_adapters_carry_a_share_with_fewer_local_rings(void **state)
{
    (void)state;
    /* Four EDR adapters of 12 GB/s, and six rings over the NVLinks. */
    assert_float_equal(rate_without("cluster:node=dgx-1,nodes=4", "") / 1e9, 48,
                       1e-6);
}

/* Two groups of four on the sockets of a node: all local rings would cross
 * between the sockets. */
static void strides_over_all_ranks_win_where_the_rate_is_higher(void **state)
{
    struct machine machine;

    (void)state;
    machine_open(&machine, "cluster:node=ascend910,nodes=2", 0, 0);
    assert_null(cs_rings_of_machine(&machine.net, 16, 8, &machine.arena));
    machine_close(&machine);
}

static void machines_above_the_limits_have_no_rings(void **state)
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
        cmocka_unit_test(rings_of_a_cube_mesh_use_every_lane_once),
        cmocka_unit_test(narrow_wires_are_left_out_where_wide_ones_carry_more),
        cmocka_unit_test(rings_of_two_nodes_leave_by_different_adapters),
        cmocka_unit_test(any_lost_adapter_costs_an_eighth),
        cmocka_unit_test(a_lost_adapter_costs_its_rail_alone),
        cmocka_unit_test(all_adapters_carry_a_share_with_fewer_local_rings),
        cmocka_unit_test(strides_over_all_ranks_win_where_the_rate_is_higher),
        cmocka_unit_test(machines_above_the_limits_have_no_rings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
