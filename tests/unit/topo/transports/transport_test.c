#include "topo/documents/yaml.h"
#include "topo/transports/transport.h"

#include "tests/fixture.h"

static struct cs_transport transport_named(const char *name, struct cs_arena *arena)
{
    struct cs_transport transport;

    assert_done_of(name, cs_transport_open(name, &transport, arena, &err));
    return transport;
}

static struct cs_transport transport_of(const char *text, struct cs_arena *arena)
{
    struct cs_transport transport;
    struct cs_doc doc;

    assert_done(
        cs_yaml_read_text((struct cs_doc_text){"t.yaml", text, strlen(text)}, &doc, arena, &err) ||
        cs_transport_read(&doc, &transport, &err));
    return transport;
}

static void fit(struct machine *machine, const struct cs_transport *transport)
{
    cs_transport_fit(transport, &machine->graph);
    cs_lower(&machine->graph, &machine->net, &machine->arena);
    cs_transport_extend(transport, &machine->graph, &machine->net, &machine->arena);
    machine->eager = transport->eager;
}

/* A ring's launch and steps, in nanoseconds, for a message of nothing much. */
static uint64_t ring_ns(const char *machine_name, const struct cs_transport *transport,
                        uint32_t ranks)
{
    struct cs_call call = {.ranks = ranks, .elements = ranks, .element_bytes = 1};
    struct cs_program program = fixture_program("ring", "allreduce", &call);
    struct cs_exec_result result;
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, machine_name, ranks, 0);
    fit(&machine, transport);
    result = machine_run(&machine, &program, "fifo");
    return (result.time_ps + transport->launch_ps) / 1000;
}

/* base + 2 (p - 1) hops, from the tables of NCCL's tuning.cc. */
ARENA_TEST(nccl_rings_start_as_its_tuner_says)
{
    const struct {
        const char *name;
        uint64_t ns;
    } expected[] = {{"nccl-simple", 56000}, {"nccl-ll", 15000}, {"nccl-ll128", 40600}};

    for (size_t i = 0; i < 3; i++) {
        struct cs_transport transport = transport_named(expected[i].name, arena);

        assert_int_equal(ring_ns("dgx-h100", &transport, 8), expected[i].ns);
    }
}

ARENA_TEST(a_step_is_that_of_the_slowest_medium)
{
    struct cs_transport transport =
        transport_of("name: a\nsource: b\nwires: included\n"
                     "steps: {direct: 1us, pcie: 10us, network: 100us}\n",
                     arena);

    assert_int_equal(ring_ns("dgx", &transport, 2), 2000);
    assert_int_equal(ring_ns("pcie-4gpu", &transport, 2), 20000);
    /* Each of the 2 (16 - 1) rounds waits for the network. */
    assert_in_range(ring_ns("ib-2xdgx", &transport, 16), 3000000, 3000001);
}

ARENA_TEST(added_steps_come_on_top_of_the_wires)
{
    struct cs_transport wires = transport_of("name: a\nsource: b\n", arena);
    struct cs_transport more =
        transport_of("name: a\nsource: b\nwires: added\nsteps: {network: 7us}\n", arena);

    assert_int_equal(ring_ns("gbe-4", &wires, 4) + 42000, ring_ns("gbe-4", &more, 4));
}

/* Four nodes of four GPUs on PCIe, with a NIC per node. */
static const char four_nodes[] = "name: four\nclasses:\n"
                                 "  wire: {rate: 1000 GB/s, latency: 0 ns, source: test}\n"
                                 "nodes: 4\nnode:\n  devices:\n    gpu: {kind: gpu, count: 4}\n"
                                 "    plx: {kind: switch}\n    nic: {kind: nic}\n  links:\n"
                                 "    - {from: \"gpu[0-3]\", to: plx, class: pcie3 x16}\n"
                                 "    - {from: nic, to: plx, class: pcie3 x16}\n"
                                 "fabric:\n  devices: {leaf: {kind: switch}}\n"
                                 "  links:\n    - {from: \"n[*].nic\", to: leaf, class: wire}\n";

/* The time of 16 ranks' all-gather of one byte each, in nanoseconds. */
static uint64_t four_nodes_ns(const struct cs_transport *transport)
{
    const char *file = "transport_test.yaml";
    struct cs_call call = {.ranks = 16, .elements = 16, .element_bytes = 1};
    struct cs_program program = fixture_program("ring", "all-gather", &call);
    struct cs_exec_result result;
    CS_AT_END(machine_close) struct machine machine;
    FILE *out = fopen(file, "w");

    assert_non_null(out);
    fputs(four_nodes, out);
    assert_int_equal(fclose(out), 0);
    machine_open(&machine, file, 16, 0);
    remove(file);
    fit(&machine, transport);
    result = machine_run(&machine, &program, "fifo");
    return (result.time_ps + transport->launch_ps) / 1000;
}

/* NVIDIA/nccl#754, NCCL up to 2.11 on 4 nodes of 4 GPUs on PCIe: its tuner
 * says 3.6 + 12 1.8 + 3 2.7 = 33.3 us.  It counts 3 routes over the network;
 * of 15 steps round a ring with 4 of them some rank waits for all 4. */
ARENA_TEST(eager_rings_wait_for_the_network_once_a_lap)
{
    struct cs_transport eager =
        transport_of("name: a\nsource: b\nlaunch: 3.6us\nsends: eager\nwires: included\n"
                     "steps: {pcie: 1.8us, network: 2.7us}\n",
                     arena);
    struct cs_transport delivered =
        transport_of("name: a\nsource: b\nlaunch: 3.6us\nsends: delivered\n"
                     "wires: included\nsteps: {pcie: 1.8us, network: 2.7us}\n",
                     arena);

    assert_in_range(four_nodes_ns(&eager), 3600 + 11 * 1800 + 4 * 2700,
                    3600 + 11 * 1800 + 4 * 2700 + 10);
    assert_in_range(four_nodes_ns(&delivered), 3600 + 15 * 2700, 3600 + 15 * 2700 + 10);
}

ARENA_TEST(payload_slows_every_wire)
{
    struct cs_transport half = transport_of("name: a\nsource: b\npayload: 0.5\n", arena);
    CS_AT_END(machine_close) struct machine plain;
    CS_AT_END(machine_close) struct machine slow;

    machine_open(&plain, "dgx", 8, 0);
    machine_open(&slow, "dgx", 8, 0);
    fit(&slow, &half);
    for (uint32_t i = 0; i < plain.net.link_count; i++)
        assert_true(slow.net.links[i].rate_Bps == 0.5 * plain.net.links[i].rate_Bps);
}

/* The naive algorithm sends to three at once; each rank can inject 1 GB/s. */
ARENA_TEST(a_rank_injects_no_more_than_its_limit)
{
    struct cs_transport limited = transport_of("name: a\nsource: b\ninject: 1 GB/s\n", arena);
    struct cs_call call = {.ranks = 4, .elements = 1000000, .element_bytes = 1};
    struct cs_program program = fixture_program("oneshot", "allreduce", &call);
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, "mesh:bandwidth=100GB/s,latency=0us", 4, 0);
    fit(&machine, &limited);
    assert_true(machine_run(&machine, &program, "fluid").time_ps >= 3000000000ULL);
}

ARENA_TEST(slices_are_those_of_the_library)
{
    assert_int_equal(transport_named("nccl-simple", arena).slices, 2);
    assert_int_equal(transport_named("nccl-ll", arena).slices, 1);
    assert_int_equal(transport_named("nccl-ll128", arena).slices, 1);
    assert_int_equal(transport_of("name: a\nsource: b\n", arena).slices, 1);
    assert_int_equal(transport_of("name: a\nsource: b\nslices: 4\n", arena).slices, 4);
}

static void expect_refused(const char *text, const char *why)
{
    struct cs_transport transport;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_doc doc;
    struct cs_doc_text file = {"t.yaml", text, strlen(text)};

    assert_done(cs_yaml_read_text(file, &doc, &arena, &err));
    assert_refused_with(cs_transport_read(&doc, &transport, &err), CS_EINPUT, why);
}

TEST(errors_are_reported_with_their_line)
{
    expect_refused("name: a\n", "t.yaml:1: a transport requires 'source:'");
    expect_refused("name: a\nsource: b\nsends: now\n",
                   "t.yaml:3: 'sends' is 'eager' or 'delivered'");
    expect_refused("name: a\nsource: b\nwires: no\n", "t.yaml:3: 'wires' is 'included' or 'added'");
    expect_refused("name: a\nsource: b\nsteps: {pci: 1us}\n", "did you mean 'pcie'?");
    expect_refused("name: a\nsource: b\npayload: 2\n", "t.yaml:3:");
    expect_refused("name: a\nsource: b\nslices: none\n", "t.yaml:3: 'slices'");
    expect_refused("name: a\nsource: b\nslices: 2000\n", "t.yaml:3: 'slices'");
    expect_refused("- a\n", "t.yaml:1:");
}

ARENA_TEST(an_unknown_name_is_reported_with_the_nearest)
{
    struct cs_transport transport;

    assert_refused_with(cs_transport_open("nccl-sinple", &transport, arena, &err), CS_EINPUT,
                        "did you mean 'nccl-simple'?");
}
