/* Machine rings: the number of rings, the wires in use, the total rate. */
#include "algorithms/shared/rings/machine_rings.h"

#include "tests/fixture.h"
#include "topo/placement/fault.h"

static void expect_contention(const struct cs_rings *rings, uint32_t channels, double contention)
{
    assert_within(cs_rings_contention(rings, channels), contention, 1e-9);
}

/* Double links have twice the rate of single ones. */
MACHINE_TEST(rings_of_a_cube_mesh_use_every_lane_once)
{
    const struct cs_rings *rings;

    machine_open(machine, "dgx-1", 0, 0);
    rings = cs_rings_of_machine(&machine->net, 8, 8, &machine->arena);
    assert_non_null(rings);
    assert_int_equal(rings->count, 6);
    assert_true(rings->direct);
    expect_contention(rings, 1, 1);
    expect_contention(rings, 2, 1);
    expect_contention(rings, 6, 1);
    expect_contention(rings, 12, 2);
}

/* Rings without the slow wire carry more. */
MACHINE_TEST(narrow_wires_are_left_out_where_wide_ones_carry_more)
{
    const struct cs_rings *rings;

    machine_open(machine, "mesh:ranks=5", 0, 0);
    for (uint32_t i = 0; i < 2; i++)
        machine->net.links[i].rate_Bps /= 100;
    rings = cs_rings_of_machine(&machine->net, 5, 0, &machine->arena);
    assert_true(rings->count >= 2);
    assert_within(rings->slowest_Bps[rings->count - 1], machine->net.links[2].rate_Bps, 1);
}

/* The only adapter is at the socket of GPUs 0 to 3. */
MACHINE_TEST(a_single_ring_leaves_nodes_between_the_sockets)
{
    const struct cs_rings *rings;

    machine_open(machine, "cluster:node=rtxpro6000,nodes=2", 0, 0);
    rings = cs_rings_of_machine(&machine->net, 16, 8, &machine->arena);
    assert_non_null(rings);
    assert_int_equal(rings->count, 1);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(rings->order[i] % 8 < 4, i % 8 < 4);
}

MACHINE_TEST(rings_of_two_nodes_leave_by_different_adapters)
{
    const struct cs_rings *rings;

    machine_open(machine, "ib-2xdgx", 0, 0);
    rings = cs_rings_of_machine(&machine->net, 16, 8, &machine->arena);
    assert_int_equal(rings->count, 8);
    for (uint32_t c = 0; c < 8; c++)
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(rings->order[c * 16 + i] / 8, i / 8);
    /* Eight rings over eight adapters: the load of a single ring. */
    assert_within(rings->load_s_per_byte[7], rings->load_s_per_byte[0], 1e-15);
}

/* Total rate of the rings of a cluster of four nodes in bytes per second,
 * without a device or, for "", with all devices. */
static double rate_without(const char *spec, const char *lost)
{
    CS_AT_END(machine_close) struct machine machine = {0};
    struct cs_topo_request request = {.spec = spec};
    struct cs_fault fault = {.text = lost, .where = lost};
    const struct cs_rings *rings;
    struct cs_err err = {0};

    if (cs_topo_open(&request, &machine.graph, &machine.arena, &err) ||
        (*lost && cs_faults_apply(&fault, 1, 0, &machine.graph, &err)))
        fail_msg("%s: %s", spec, err.text);
    cs_lower(&machine.graph, &machine.net, &machine.arena);
    rings = cs_rings_of_machine(&machine.net, 32, 8, &machine.arena);
    return rings->count / rings->load_s_per_byte[rings->count - 1];
}

/* 8 adapters per node, and every GPU reaches all of the node's adapters. */
TEST(any_lost_adapter_costs_an_eighth)
{
    static const char *const specs[] = {
        "cluster:node=dgx-h100,nodes=4,fabric=star",
        "cluster:node=dgx-h100,nodes=4,fabric=fat-tree,radix=16",
        "cluster:node=dgx,nodes=4,fabric=star",
        "cluster:node=dgx,nodes=4,fabric=rail",
    };
    char lost[16];

    for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
        double whole_Bps = rate_without(specs[i], "");

        for (uint32_t nic = 0; nic < 32; nic += 3) {
            (void)snprintf(lost, sizeof(lost), "n%u.nic%u", nic / 8, nic % 8);
            assert_within(rate_without(specs[i], lost) / whole_Bps, 7.0 / 8, 1e-9);
        }
    }
}

/* A lost adapter costs only the rail: the GPU's data goes over NVLink to the
 * adapters of the other GPUs. */
TEST(a_lost_adapter_costs_its_rail_alone)
{
    static const char spec[] = "cluster:node=dgx-h100,nodes=4,fabric=rail";

    assert_within(rate_without(spec, "n1.nic5"),
                  7.0 / 8 * rate_without("cluster:node=dgx-h100,nodes=4", ""), 1);
}

TEST(all_adapters_carry_a_share_with_fewer_local_rings)
{
    /* Four EDR adapters of 12 GB/s, and six rings over the NVLinks. */
    assert_within(rate_without("cluster:node=dgx-1,nodes=4", "") / 1e9, 48, 1e-6);
}

/* Total rate of the rings of a machine in GB/s; ranks in nodes of `group`. */
static double rings_rate(const char *spec, uint32_t group)
{
    const struct cs_rings *rings;
    CS_AT_END(machine_close) struct machine machine;
    double rate_Bps;

    machine_open(&machine, spec, 0, 0);
    rings = cs_rings_of_machine(&machine.net, machine.graph.rank_count, group, &machine.arena);
    assert_non_null(rings);
    rate_Bps = cs_rings_rate_Bps(rings);
    return rate_Bps / 1e9;
}

/* Four links of 20 GB/s between any two of four GPUs: two whole rings carry
 * 160 GB/s; NCCL's graph of the machine has six channels of 40 GB/s. */
TEST(six_rings_at_half_rate_use_every_lane_of_four_gpus)
{
    assert_within(rings_rate("hgx-a100-4", 4), 240, 1e-6);
}

/* 36 GB/s per link.  GPUs 1, 3, 5 and 7 each have two single links besides the
 * link to the partner, and every ring enters or leaves each of these GPUs over
 * one of the single links: four rings are the maximum. */
TEST(rings_of_mi250x_are_the_four_that_exist)
{
    assert_within(rings_rate("mi250x", 8), 144, 1e-6);
}

/* Two groups of four; four sockets, each pair joined at 6 GB/s.  Every ring
 * crosses once in each direction over a pair of its own. */
TEST(rings_cross_between_weakly_joined_groups_once)
{
    assert_within(rings_rate("ascend910", 8), 24, 1e-6);
}

/* Eight adapters of 12 GB/s per node, four for each group: every step between
 * groups leaves the node, none crosses the sockets. */
TEST(rings_of_groups_avoid_the_sockets_of_clusters)
{
    static const char *const specs[] = {"cluster:node=ascend910,nodes=2",
                                        "cluster:node=ascend910,nodes=4"};

    for (size_t i = 0; i < 2; i++)
        assert_true(rings_rate(specs[i], 8) > 45);
}

/* Through two PCIe switches, one ring in the order of the switches. */
TEST(a_ring_goes_round_each_switch_in_turn)
{
    assert_within(rings_rate("l40s", 8), 22, 0.5);
}

/* All rings pass each GPU, so that its slot bounds them; with two adapters a node they
 * reach it, in an order of the GPUs that is neither the nearest nor a stride. */
TEST(rings_of_pcie_nodes_fill_the_slots_of_gpus)
{
    static const char *const nodes[] = {"l40s", "a100-pcie", "g6e"};

    for (size_t i = 0; i < 3; i++) {
        CS_AT_END(machine_close) struct machine machine;
        const struct cs_rings *rings;
        uint32_t links[64];
        char spec[60];

        snprintf(spec, sizeof(spec), "cluster:node=%s,nodes=%zu", nodes[i], 2 + i);
        machine_open(&machine, spec, 0, 0);
        assert_true(machine.net.max_hops <= 64);
        machine.net.route(machine.net.route_ctx, 0, 8, links); /* out of the node */
        rings = cs_rings_of_machine(&machine.net, machine.graph.rank_count, 8, &machine.arena);
        assert_within(cs_rings_rate_Bps(rings), machine.net.links[links[0]].rate_Bps, 1);
    }
}

/* A single adapter's slot of PCIe 4 x16, and its port of 25 Gb/s with the headers of TCP. */
TEST(a_single_adapter_bounds_the_ring)
{
    assert_within(rings_rate("cluster:node=mi210,nodes=2", 8), 24, 1e-6);
    assert_within(rings_rate("cluster:node=v100-pcie,nodes=2", 8), 3.125 * 1448 / 1538, 1e-3);
}

/* GPUs on PCIe at two sockets, numbered socket by socket or alternately. */
static void open_box(struct machine *machine, uint32_t gpus, bool alternately)
{
    char path[] = "/tmp/machine_rings_XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    uint32_t half = gpus / 2;

    assert_non_null(file);
    fprintf(file,
            "name: box\nclasses:\n"
            "  pcie: {rate: 22 GB/s, latency: 1 us}\n"
            "  socket: {rate: 22 GB/s, latency: 1 us}\n"
            "node:\n  devices:\n"
            "    gpu: {kind: gpu, count: %u}\n"
            "    cpu: {kind: cpu, count: 2}\n"
            "  links:\n"
            "    - {from: \"gpu[0-%u]\", to: cpu0, class: pcie}\n"
            "    - {from: \"gpu[%u-%u]\", to: cpu1, class: pcie}\n"
            "    - {from: cpu0, to: cpu1, class: socket}\n"
            "ranks: [",
            gpus, half - 1, half, gpus - 1);
    for (uint32_t i = 0; i < gpus; i++)
        fprintf(file, "%sgpu%u", i ? ", " : "", alternately ? i / 2 + i % 2 * half : i);
    fprintf(file, "]\n");
    fclose(file);
    machine_open(machine, path, 0, 0);
    remove(path);
}

/* Up to the limit of a node without wires. */
TEST(numbers_across_sockets_do_not_matter)
{
    static const uint32_t gpus[] = {16, 128};

    for (size_t i = 0; i < 4; i++) {
        const struct cs_rings *rings;
        CS_AT_END(machine_close) struct machine machine;

        open_box(&machine, gpus[i / 2], i % 2);
        rings = cs_rings_of_machine(&machine.net, gpus[i / 2], 0, &machine.arena);
        assert_non_null(rings);
        assert_true(fabs(cs_rings_rate_Bps(rings) / 22e9 - 1) < 1e-9);
        assert_int_equal(rings->count, 1);
    }
}

TEST(large_tori_and_hypercubes_have_all_rings)
{
    static const struct {
        const char *spec;
        double lanes; /* at each rank, of 25 GB/s */
    } places[] = {
        {"hypercube:ranks=64", 6}, {"hypercube:ranks=128", 7}, {"hypercube:ranks=256", 8},
        {"torus:dims=16x16", 4},   {"torus:dims=8x8x8", 6},
    };

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
        assert_within(rings_rate(places[i].spec, 0), 25 * places[i].lanes, 1e-6);
}

/* The rings of two nodes, whatever the number of nodes. */
TEST(many_nodes_have_the_rings_of_two)
{
    static const char *const places[] = {
        "cluster:node=dgx-h100,nodes=2,fabric=rail",
        "cluster:node=dgx-h100,nodes=513,fabric=rail",
    };
    uint32_t counts[2];

    for (size_t i = 0; i < 2; i++) {
        CS_AT_END(machine_close) struct machine machine;
        const struct cs_rings *rings;

        machine_open(&machine, places[i], 0, 0);
        rings = cs_rings_of_machine(&machine.net, machine.net.party_count, 8, &machine.arena);
        assert_non_null(rings);
        counts[i] = rings->count;
    }
    assert_int_equal(counts[0], 8);
    assert_int_equal(counts[1], counts[0]);
}

TEST(machines_above_the_limits_have_no_rings)
{
    struct machine machine;

    machine_open(&machine, "ring:ranks=4097", 0, 0);
    assert_null(cs_rings_of_machine(&machine.net, 4097, 0, &machine.arena));
    machine_close(&machine);
    open_box(&machine, 130, true);
    assert_null(cs_rings_of_machine(&machine.net, 130, 0, &machine.arena));
    machine_close(&machine);
}
