/* Bytes on links: rings, levels, chains and exchanges over the routes. */
#include "scenarios/train/memory/link_use.h"

#include "tests/fixture.h"

static double sum_of(const struct machine *machine, const double *bytes)
{
    double sum = 0;

    for (uint32_t l = 0; l < 2 * machine->graph.wire_count; ++l)
        sum += bytes[l];
    return sum;
}

static const double *use_of(struct machine *machine, uint32_t node_ranks,
                            struct cs_train_stream stream)
{
    return cs_link_use(&machine->graph, node_ranks, &stream, 1, &machine->arena);
}

/* A switch: each message takes a link up and a link down. */
MACHINE_TEST(patterns_send_all_their_bytes)
{
    machine_open(machine, "switch:ranks=8", 0, 0);
    for (int pattern = 0; pattern <= CS_STREAM_EXCHANGE; ++pattern) {
        struct cs_train_stream all = {1, 8, 70, (enum cs_train_pattern)pattern};
        double ranks = pattern == CS_STREAM_CHAIN ? 7 : 8;

        assert_true(fabs(sum_of(machine, use_of(machine, 8, all)) - 2 * 70 * ranks) < 1e-6);
    }
}

/* Of the payload that a wire carries in the time, the busier direction. */
ARENA_TEST(a_share_is_of_the_payload)
{
    const double bytes[] = {3e9, 4e9};
    struct cs_graph graph;

    cs_graph_init(&graph, arena);
    for (uint32_t i = 0; i < 2; ++i)
        cs_graph_add_device(&graph, (struct cs_device){.name = i ? "b" : "a"});
    cs_graph_add_wire(&graph, (struct cs_wire){.b = 1, .rate_Bps = 10e9, .efficiency = .8});
    assert_within(cs_link_use_share(&graph, 0, bytes, 1), 4 / 8., 1e-12);
    assert_within(cs_link_use_share(&graph, 0, bytes, 4), 1 / 8., 1e-12);
}

/* The first of eight sends 70 bytes or receives them; eight ranks push 70 to the two
 * servers of a node, four of them over the link between the sockets, and pull. */
TEST(the_first_and_servers_meet_all_others)
{
    struct machine machine;
    struct cs_class_use classes[CS_LINK_CLASSES_MAX];
    uint32_t count;

    machine_open(&machine, "switch:ranks=8", 0, 0);
    for (int pattern = CS_STREAM_FAN_OUT; pattern <= CS_STREAM_FAN_IN; ++pattern) {
        struct cs_train_stream fan = {1, 8, 70, (enum cs_train_pattern)pattern};

        count = cs_link_use_classes(&machine.graph, use_of(&machine, 8, fan), classes);
        assert_int_equal(count, 1);
        assert_int_equal(classes[0].links, 8);
        assert_true(fabs(classes[0].most - 70) < 1e-9);
        assert_true(fabs(classes[0].all - 2 * 70) < 1e-9);
        assert_true(fabs(classes[0].busy_s * machine.graph.wires[0].rate_Bps *
                             machine.graph.wires[0].efficiency -
                         70) < 1e-9);
    }
    machine_close(&machine);
    machine_open(&machine, "dgx-1", 0, 0);
    cs_graph_place_servers(&machine.graph);
    count = cs_link_use_classes(
        &machine.graph,
        use_of(&machine, 8, (struct cs_train_stream){1, UINT32_MAX, 70, CS_STREAM_SERVERS}),
        classes);
    for (uint32_t c = 0; c < count; ++c) {
        bool sockets = !strcmp(classes[c].name, "qpi");

        if (sockets)
            assert_true(fabs(classes[c].all - 8 * 70) < 1e-9);
        else
            assert_true((classes[c].all > 0) == !strncmp(classes[c].name, "pcie", 4));
    }
    machine_close(&machine);
}

/* A ring of two nodes leaves each through every adapter, with V / 8 each. */
MACHINE_TEST(rings_share_the_adapters)
{
    const double *bytes;
    uint32_t found = 0;

    machine_open(machine, "cluster:node=dgx-h100,nodes=2,fabric=rail", 0, 0);
    bytes = use_of(machine, 8, (struct cs_train_stream){1, 16, 80, CS_STREAM_RING});
    for (uint32_t w = 0; w < machine->graph.wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(&machine->graph, w);
        struct cs_device a = cs_graph_device(&machine->graph, wire.a);
        struct cs_device b = cs_graph_device(&machine->graph, wire.b);

        if (a.host == b.host || (a.kind != CS_DEVICE_NIC && b.kind != CS_DEVICE_NIC))
            continue;
        assert_true(fabs(bytes[2 * (size_t)w] - 10) < 1e-9);
        assert_true(fabs(bytes[2 * (size_t)w + 1] - 10) < 1e-9);
        ++found;
    }
    assert_int_equal(found, 16);
}

/* Between two nodes a level of rings sends 1/2 where one ring of 16 sends 15/16. */
MACHINE_TEST(levels_send_less_between_nodes)
{
    double ring, levels;

    machine_open(machine, "cluster:node=dgx-h100,nodes=2,fabric=rail", 0, 0);
    ring = sum_of(machine, use_of(machine, 8, (struct cs_train_stream){1, 16, 80, CS_STREAM_RING}));
    levels =
        sum_of(machine, use_of(machine, 8, (struct cs_train_stream){1, 16, 80, CS_STREAM_LEVELS}));
    assert_true(levels < ring);
}

/* In a mesh of links all of them carry equal shares. */
MACHINE_TEST(direct_links_share_by_their_rates)
{
    const double *bytes;
    double share = -1;

    machine_open(machine, "dgx-1", 0, 0);
    bytes = use_of(machine, 8, (struct cs_train_stream){1, 8, 1e9, CS_STREAM_RING});
    for (uint32_t w = 0; w < machine->graph.wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(&machine->graph, w);
        double use = cs_link_use_share(&machine->graph, w, bytes, 1);

        if (cs_graph_device(&machine->graph, wire.a).kind != CS_DEVICE_GPU ||
            cs_graph_device(&machine->graph, wire.b).kind != CS_DEVICE_GPU)
            continue;
        assert_true(share < 0 || fabs(use - share) < 1e-9);
        share = use;
    }
    assert_true(share > 0);
}

/* Groups of tensor parallel ranks stay inside the node. */
MACHINE_TEST(groups_in_a_node_do_not_leave_it)
{
    const double *bytes;

    machine_open(machine, "cluster:node=dgx-h100,nodes=4,fabric=rail", 0, 0);
    bytes = use_of(machine, 8, (struct cs_train_stream){1, 8, 80, CS_STREAM_RING});
    for (uint32_t w = 0; w < machine->graph.wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(&machine->graph, w);

        if (cs_graph_device(&machine->graph, wire.a).host !=
            cs_graph_device(&machine->graph, wire.b).host)
            assert_true(!(bytes[2 * (size_t)w] > 0) && !(bytes[2 * (size_t)w + 1] > 0));
    }
}
