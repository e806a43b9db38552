#include "algorithms/bounds/bound.h"

#include "tests/fixture.h"

static const double vector_bytes = 8e6;

/* The bound of a collective of vector_bytes, in units of V / `beta_Bps`. */
static double units(struct machine *machine, const char *collective, double beta_Bps)
{
    struct cs_bound_request request = {.collective = cs_collective_find(collective),
                                       .vector_bytes = vector_bytes};

    return cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena).time_s *
           beta_Bps / vector_bytes;
}

/* To the precision of a double. */
static void expect_units(const char *spec, const char *collective, double value)
{
    CS_AT_END(machine_close) struct machine machine;
    double found;

    machine_open(&machine, spec, 0, 0);
    found = units(&machine, collective, 10e9);
    if (!(fabs(found - value) <= 1e-9))
        fail_msg("%s, %s: %.12f V/beta, not %.12f", spec, collective, found, value);
}

/* ---- THEORY: one port, bus, half duplex ---- */

TEST(a_switch_is_bound_by_its_ports)
{
    for (uint32_t p = 2; p < 20; p++) {
        char full[96], half[128];
        double share = (p - 1.0) / p;

        snprintf(full, sizeof(full), "switch:ranks=%u,bandwidth=10GB/s,latency=0ps", p);
        snprintf(half, sizeof(half), "%s,duplex=half", full);
        expect_units(full, "allreduce", 2 * share);
        expect_units(full, "reduce-scatter", share);
        expect_units(full, "all-gather", share);
        expect_units(half, "allreduce", 4 * share);
        expect_units(half, "reduce-scatter", 2 * share);
        expect_units(half, "all-gather", 2 * share);
    }
}

TEST(a_bus_carries_one_message_at_a_time)
{
    for (uint32_t p = 2; p < 20; p++) {
        char spec[96];

        snprintf(spec, sizeof(spec), "bus:ranks=%u,bandwidth=10GB/s,latency=0ps", p);
        expect_units(spec, "allreduce", 2 * (p - 1.0));
        expect_units(spec, "reduce-scatter", p - 1.0);
        expect_units(spec, "all-gather", p - 1.0);
    }
}

MACHINE_TEST(the_last_byte_has_a_latency_before_it)
{
    struct cs_bound_request request = {.collective = cs_collective_find("all-reduce"),
                                       .vector_bytes = vector_bytes};
    double time_s;

    machine_open(machine, "switch:ranks=4,bandwidth=10GB/s,latency=7us", 0, 0);
    time_s = cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena).time_s;
    assert_true(fabs(time_s - (1.5 * vector_bytes / 10e9 + 7e-6)) < 1e-15);
}

MACHINE_TEST(a_small_vector_is_bound_by_the_route_to_the_farthest)
{
    struct cs_bound_request request = {.collective = cs_collective_find("all-reduce"),
                                       .vector_bytes = 4};
    struct cs_bound bound;

    machine_open(machine, "ring:ranks=9,latency=3us", 0, 0);
    bound = cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena);
    assert_true(fabs(bound.time_s - 12e-6) < 1e-15);
    assert_non_null(strstr(bound.why, "latency"));
}

TEST(slow_sums_bind_what_is_summed)
{
    /* (p-1) V bytes by four ranks of 10 MB/s each: 750 V / 10 GB/s. */
    expect_units("switch:ranks=4,latency=0ps,gamma=10MB/s", "allreduce", 750);
    expect_units("switch:ranks=4,latency=0ps,gamma=10MB/s", "reduce-scatter", 750);
    expect_units("switch:ranks=4,bandwidth=10GB/s,latency=0ps,gamma=10MB/s", "all-gather", 0.75);
}

MACHINE_TEST(one_rank_has_nothing_to_move)
{
    machine_open(machine, "switch:ranks=1", 0, 0);
    for (size_t i = 0; i < cs_collective_count; i++)
        assert_true(units(machine, cs_collectives[i]->name, 1) == 0);
}

/* ---- machines wired by hand; beta is 1 GB/s ---- */

struct wiring {
    uint32_t a, b;
    double rate_Bps;
};

/* Ranks 0 .. ranks - 1, then one switch; full duplex, no latency. */
static void wire_up(struct machine *machine, uint32_t ranks, const struct wiring *wires,
                    size_t count)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};

    *machine = (struct machine){0};
    cs_graph_init(&machine->graph, &machine->arena);
    for (uint32_t i = 0; i < ranks; i++)
        cs_graph_add_device(
            &machine->graph,
            (struct cs_device){.name = names[i], .kind = CS_DEVICE_GPU, .host = CS_NO_HOST});
    cs_graph_place_all(&machine->graph);
    cs_graph_add_device(
        &machine->graph,
        (struct cs_device){.name = names[ranks], .kind = CS_DEVICE_SWITCH, .host = CS_NO_HOST});
    for (size_t i = 0; i < count; i++)
        cs_graph_add_wire(&machine->graph, (struct cs_wire){.a = wires[i].a,
                                                            .b = wires[i].b,
                                                            .class_name = "wire",
                                                            .rate_Bps = wires[i].rate_Bps,
                                                            .efficiency = 1,
                                                            .duplex = CS_DUPLEX_FULL});
    cs_lower(&machine->graph, &machine->net, &machine->arena);
}

static void expect_wired(uint32_t ranks, const struct wiring *wires, size_t count, double value)
{
    CS_AT_END(machine_close) struct machine machine;
    double found;

    wire_up(&machine, ranks, wires, count);
    found = units(&machine, "allreduce", 1e9);
    if (!(fabs(found - value) <= 1e-9))
        fail_msg("%zu wires: %.12f V/beta, not %.12f", count, found, value);
}

TEST(small_networks_have_their_known_bounds)
{
    const struct wiring ring[] = {{0, 1, 1e9}, {1, 2, 1e9}, {2, 3, 1e9}, {3, 0, 1e9}};
    const struct wiring complete[] = {{0, 1, 1e9}, {0, 2, 1e9}, {0, 3, 1e9},
                                      {1, 2, 1e9}, {1, 3, 1e9}, {2, 3, 1e9}};
    const struct wiring line[] = {{0, 1, 1e9}, {1, 2, 1e9}, {2, 3, 1e9}};
    const struct wiring star[] = {{0, 1, 1e9}, {0, 2, 1e9}, {0, 3, 1e9}};
    const struct wiring pairs[] = {{0, 1, 10e9}, {2, 3, 10e9}, {0, 2, 1e9}, {1, 3, 1e9}};

    expect_wired(4, ring, 4, 0.75);
    expect_wired(4, complete, 6, 0.5);
    expect_wired(4, line, 3, 1);
    expect_wired(4, star, 3, 1);
    /* Two quick pairs, two slow wires between them. */
    expect_wired(4, pairs, 4, 0.5);
}

/* As with two root complexes: ranks in pairs on quick wires to a switch of
 * their own, and one slow wire between the switches. */
MACHINE_TEST(a_slow_wire_between_two_groups_binds)
{
    const struct wiring wires[] = {
        {0, 4, 10e9}, {1, 4, 10e9}, {2, 5, 10e9}, {3, 5, 10e9}, {4, 5, 1e9}};
    struct cs_bound_request request = {.collective = cs_collective_find("all-reduce"),
                                       .vector_bytes = vector_bytes};

    cs_graph_init(&machine->graph, &machine->arena);
    for (uint32_t i = 0; i < 6; i++)
        cs_graph_add_device(&machine->graph,
                            (struct cs_device){.name = cs_arena_printf(&machine->arena, "d%u", i),
                                               .kind = i < 4 ? CS_DEVICE_GPU : CS_DEVICE_CPU,
                                               .host = CS_NO_HOST});
    cs_graph_place_all(&machine->graph);
    for (size_t i = 0; i < 5; i++)
        cs_graph_add_wire(&machine->graph, (struct cs_wire){.a = wires[i].a,
                                                            .b = wires[i].b,
                                                            .class_name = "wire",
                                                            .rate_Bps = wires[i].rate_Bps,
                                                            .efficiency = 1,
                                                            .duplex = CS_DUPLEX_FULL});
    cs_lower(&machine->graph, &machine->net, &machine->arena);
    assert_true(fabs(units(machine, "allreduce", 1e9) - 1) < 1e-9);
    assert_true(fabs(units(machine, "reduce-scatter", 1e9) - 0.5) < 1e-9);
    assert_non_null(strstr(
        cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena).why, "between"));
}

/* Ranks on one bus by wires of two rates: it is as quick as its quickest. */
MACHINE_TEST(a_bus_is_bound_by_its_quickest_wire)
{
    uint32_t bus;

    cs_graph_init(&machine->graph, &machine->arena);
    for (uint32_t i = 0; i < 3; i++)
        cs_graph_add_device(&machine->graph,
                            (struct cs_device){.name = cs_arena_printf(&machine->arena, "d%u", i),
                                               .kind = CS_DEVICE_HOST,
                                               .host = CS_NO_HOST});
    cs_graph_place_all(&machine->graph);
    bus = cs_graph_add_device(
        &machine->graph,
        (struct cs_device){.name = "bus", .kind = CS_DEVICE_BUS, .host = CS_NO_HOST});
    for (uint32_t i = 0; i < 3; i++)
        cs_graph_add_wire(&machine->graph, (struct cs_wire){.a = i,
                                                            .b = bus,
                                                            .class_name = "wire",
                                                            .rate_Bps = i ? 4e9 : 2e9,
                                                            .efficiency = 1,
                                                            .duplex = CS_DUPLEX_BUS});
    cs_lower(&machine->graph, &machine->net, &machine->arena);
    assert_true(fabs(units(machine, "allreduce", 4e9) - 4) < 1e-9);
}

/* Three ranks on a switch, rank 0 by a slow wire. */
static const struct wiring slow_first[] = {{0, 3, 1e9}, {1, 3, 10e9}, {2, 3, 10e9}};

/* Of 4 elements rank 0 owns 2: it sends 2 of them, not 4 (1 - 1/3). */
MACHINE_TEST(a_longer_block_of_ones_own_need_not_be_sent)
{
    struct cs_bound_request request = {.collective = cs_collective_find("reduce-scatter"),
                                       .vector_bytes = 4e6,
                                       .element_bytes = 1000000};
    double time_s;

    wire_up(machine, 3, slow_first, 3);
    time_s = cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena).time_s;
    assert_true(fabs(time_s - 2e-3) < 1e-12);
}

/* The root of a scatter sends 2/3 V, another rank receives 1/3 V. */
MACHINE_TEST(a_root_is_bound_by_the_wire_of_its_slot)
{
    static const uint32_t order[] = {1, 0, 2};

    wire_up(machine, 3, slow_first, 3);
    assert_true(fabs(units(machine, "scatter", 1e9) - 2.0 / 3) < 1e-9);
    cs_net_reorder(&machine->net, order, &machine->arena);
    assert_true(fabs(units(machine, "scatter", 1e9) - 1.0 / 3) < 1e-9);
}

/* A server may send the sum to all: each rank's port carries V in each
 * direction. */
MACHINE_TEST(with_a_server_only_the_cuts_bind)
{
    machine_open(machine, "switch:ranks=6,bandwidth=10GB/s,latency=0ps", 0, 1);
    assert_true(fabs(units(machine, "allreduce", 10e9) - 1) < 1e-9);
}

static struct cs_bounds allreduce_of(const char *spec)
{
    struct cs_bound_request request = {.collective = &cs_collective_allreduce,
                                       .vector_bytes = vector_bytes};
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, spec, 0, 0);
    return cs_bounds_of(&machine.graph, &machine.net, &request, &machine.arena);
}

/* NVLink SHARP: V into and out of each GPU, not 2 (p-1)/p V. */
TEST(reductions_in_switches_are_in_the_machine_s_bound)
{
    struct cs_bounds with = allreduce_of("dgx-h100");
    struct cs_bounds without = allreduce_of("dgx");

    assert_true(with.machine.time_s < 0.7 * with.own.time_s);
    assert_true(with.machine.time_s > 0.5 * with.own.time_s);
    assert_true(without.machine.time_s == without.own.time_s);
}

/* The switches of 100 nodes reduce inside, but 2 (m-1) V pass between nodes. */
TEST(reductions_inside_of_groups_do_not_save_bytes_between)
{
    struct cs_bounds bounds = allreduce_of("cluster:node=dgx-h100,nodes=100,fabric=rail");

    assert_true(bounds.machine.time_s > 0.999 * bounds.own.time_s);
}

/* Two fast pairs, joined by two slow wires. */
MACHINE_TEST(a_bound_names_the_cut_s_ranks_and_wires)
{
    const struct wiring pairs[] = {{0, 1, 10e9}, {2, 3, 10e9}, {0, 2, 1e9}, {1, 3, 1e9}};
    struct cs_bound_request request = {.vector_bytes = 8e6};

    wire_up(machine, 4, pairs, 4);
    request.collective = cs_collective_find("all-reduce");
    assert_string_equal(cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena).why,
                        "links between a b and c d (2 x 1 GB/s wire = 2 GB/s)");
    request.collective = cs_collective_find("broadcast");
    assert_string_equal(cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena).why,
                        "links from a b to c d (2 x 1 GB/s wire = 2 GB/s)");
    request.collective = cs_collective_find("reduce");
    assert_string_equal(cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena).why,
                        "links from c d to a b (2 x 1 GB/s wire = 2 GB/s)");
    request.collective = cs_collective_find("all-to-all");
    assert_string_equal(cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena).why,
                        "links from c d to a b (2 x 1 GB/s wire = 2 GB/s)");
}

/* The host's ranks enter by four NICs what the ranks' own links would take. */
MACHINE_TEST(beyond_ten_ranks_the_cut_between_hosts_binds)
{
    struct cs_bound_request request = {.collective = cs_collective_find("all-gather"),
                                       .vector_bytes = 64e6};
    struct cs_bound bound;

    machine_open(machine, "cluster:node=dgx-1,nodes=8", 0, 0);
    bound = cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena);
    assert_true(bound.time_s > 56e6 / 48e9 && bound.time_s < 57e6 / 48e9);
    assert_string_equal(bound.why, "links from the other 56 ranks to n0.gpu0 n0.gpu3 n0.gpu2 ... "
                                   "(8 ranks) (4 x 12 GB/s pcie3 x16 = 48 GB/s)");
}

/* Of each rank's blocks, 24 of 32 leave its node of 8 by the node's 8 adapters.
 * Prices of all pairs give the same seconds; the cut names wires, and is first. */
MACHINE_TEST(blocks_that_enter_a_node_bind_all_pairs)
{
    struct cs_bound_request request = {.collective = cs_collective_find("all-to-all"),
                                       .vector_bytes = 64e6};
    struct cs_bound bound;

    machine_open(machine, "cluster:node=dgx-h100,nodes=4", 0, 0);
    bound = cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena);
    assert_true(bound.time_s > 8 * 48e6 / 384e9 && bound.time_s < 8 * 49e6 / 384e9);
    assert_string_equal(bound.why, "links from the other 24 ranks to n0.gpu0 n0.gpu1 n0.gpu2 ... "
                                   "(8 ranks) (8 x 48 GB/s pcie5 x16 = 384 GB/s)");
}

/* Half of the blocks of 32 ranks pass two wires; a node's blocks would take 4/9 of the time. */
MACHINE_TEST(blocks_between_the_halves_of_a_ring_of_nodes_bind_all_pairs)
{
    struct cs_bound_request request = {.collective = cs_collective_find("all-to-all"),
                                       .vector_bytes = 64e6};
    double time_s;

    machine_open(machine, "cluster:node=dgx-h100,nodes=8,fabric=ring", 0, 0);
    time_s = cs_bound_of(&machine->graph, &machine->net, &request, &machine->arena).time_s;
    assert_true(time_s > 32 * 32e6 / 99.3e9 && time_s < 33 * 32e6 / 99.3e9);
}

/* ---- schedules that are known to be optimal ---- */

static double share_of_bound(const char *spec, const char *collective, const char *name)
{
    const struct cs_algo *algo = cs_algo_find(name, cs_collective_find(collective));
    struct cs_call call = {.elements = 1u << 26, .element_bytes = 4};
    struct cs_hockney hockney = {1e-6, 25e9, 0};
    struct cs_bound_request request = {.collective = algo->collective, .element_bytes = 4};
    struct cs_program program;
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, spec, 0, 0);
    call.ranks = machine.graph.rank_count;
    cs_algo_resolve(algo, &call, &hockney);
    program = cs_algo_program(algo, &call);
    request.vector_bytes = 4.0 * (double)call.elements;
    return cs_bound_of(&machine.graph, &machine.net, &request, &machine.arena).time_s * 1e12 /
           (double)machine_run(&machine, &program, "fluid").time_ps;
}

/* Latency of steps, and filling a pipeline, take up to 5 % at 256 MiB. */
TEST(optimal_schedules_reach_the_bound)
{
    static const struct {
        const char *spec, *collective, *algo;
    } cases[] = {
        {"switch:ranks=8", "allreduce", "ring"},
        {"switch:ranks=8", "all-gather", "ring"},
        {"switch:ranks=8", "reduce-scatter", "ring"},
        {"switch:ranks=8", "alltoall", "pairwise"},
        {"switch:ranks=8", "broadcast", "chain"},
        {"switch:ranks=8,duplex=half", "all-gather", "ring"},
        {"bus:ranks=6", "all-gather", "ring"},
        {"bus:ranks=6", "alltoall", "pairwise"},
        {"pcie-4gpu", "alltoall", "pairwise"},
        {"pcie-4gpu", "broadcast", "chain"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        double share = share_of_bound(cases[i].spec, cases[i].collective, cases[i].algo);

        if (share < 0.95 || share > 1 + 1e-12)
            fail_msg("%s %s %s: the bound is %.4f of the time", cases[i].spec, cases[i].collective,
                     cases[i].algo, share);
    }
}
