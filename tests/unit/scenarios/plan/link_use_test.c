/* Bytes on links: rings, levels, chains and exchanges over the routes. */
#include "scenarios/plan/link_use.h"

#include "tests/fixture.h"

#include <math.h>

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
    return cs_link_use(&machine->graph, node_ranks, &stream, 1,
                       &machine->arena);
}

/* A switch: each message takes a link up and a link down. */
static void patterns_send_all_their_bytes(void **state)
{
    struct machine machine;

    (void)state;
    machine_open(&machine, "switch:ranks=8", 0, 0);
    for (int pattern = 0; pattern <= CS_STREAM_EXCHANGE; ++pattern) {
        struct cs_train_stream all = {1, 8, 70, (enum cs_train_pattern)pattern};
        double ranks = pattern == CS_STREAM_CHAIN ? 7 : 8;

        assert_true(fabs(sum_of(&machine, use_of(&machine, 8, all)) -
                         2 * 70 * ranks) < 1e-6);
    }
    machine_close(&machine);
}

/* A ring of two nodes leaves each through every adapter, with V / 8 each. */
static void rings_share_the_adapters(void **state)
{
    struct machine machine;
    const double *bytes;
    uint32_t found = 0;

    (void)state;
    machine_open(&machine, "cluster:node=dgx-h100,nodes=2,fabric=rail", 0, 0);
    bytes = use_of(&machine, 8,
                   (struct cs_train_stream){1, 16, 80, CS_STREAM_RING});
    for (uint32_t w = 0; w < machine.graph.wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(&machine.graph, w);
        struct cs_device a = cs_graph_device(&machine.graph, wire.a);
        struct cs_device b = cs_graph_device(&machine.graph, wire.b);

        if (a.host == b.host ||
            (a.kind != CS_DEVICE_NIC && b.kind != CS_DEVICE_NIC))
            continue;
        assert_true(fabs(bytes[2 * (size_t)w] - 10) < 1e-9);
        assert_true(fabs(bytes[2 * (size_t)w + 1] - 10) < 1e-9);
        ++found;
    }
    assert_int_equal(found, 16);
    machine_close(&machine);
}

/* Between two nodes a level of rings sends 1/2 where one ring of 16 sends 15/16. */
static void levels_send_less_between_nodes(void **state)
{
    struct machine machine;
    double ring, levels;

    (void)state;
    machine_open(&machine, "cluster:node=dgx-h100,nodes=2,fabric=rail", 0, 0);
    ring = sum_of(&machine,
                  use_of(&machine, 8,
                         (struct cs_train_stream){1, 16, 80, CS_STREAM_RING}));
    levels =
        sum_of(&machine,
               use_of(&machine, 8,
                      (struct cs_train_stream){1, 16, 80, CS_STREAM_LEVELS}));
    assert_true(levels < ring);
    machine_close(&machine);
}

/* In a mesh of links all of them carry equal shares. */
static void direct_links_share_by_their_rates(void **state)
{
    struct machine machine;
    const double *bytes;
    double share = -1;

    (void)state;
    machine_open(&machine, "dgx-1", 0, 0);
    bytes = use_of(&machine, 8,
                   (struct cs_train_stream){1, 8, 1e9, CS_STREAM_RING});
    for (uint32_t w = 0; w < machine.graph.wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(&machine.graph, w);
        double use = cs_link_use_share(&machine.graph, w, bytes, 1);

        if (cs_graph_device(&machine.graph, wire.a).kind != CS_DEVICE_GPU ||
            cs_graph_device(&machine.graph, wire.b).kind != CS_DEVICE_GPU)
            continue;
        assert_true(share < 0 || fabs(use - share) < 1e-9);
        share = use;
    }
    assert_true(share > 0);
    machine_close(&machine);
}

/* Groups of tensor parallel ranks stay inside the node. */
static void groups_in_a_node_do_not_leave_it(void **state)
{
    struct machine machine;
    const double *bytes;

    (void)state;
    machine_open(&machine, "cluster:node=dgx-h100,nodes=4,fabric=rail", 0, 0);
    bytes =
        use_of(&machine, 8, (struct cs_train_stream){1, 8, 80, CS_STREAM_RING});
    for (uint32_t w = 0; w < machine.graph.wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(&machine.graph, w);

        if (cs_graph_device(&machine.graph, wire.a).host !=
            cs_graph_device(&machine.graph, wire.b).host)
            assert_true(!(bytes[2 * (size_t)w] > 0) &&
                        !(bytes[2 * (size_t)w + 1] > 0));
    }
    machine_close(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_send_all_their_bytes),
        cmocka_unit_test(rings_share_the_adapters),
        cmocka_unit_test(levels_send_less_between_nodes),
        cmocka_unit_test(direct_links_share_by_their_rates),
        cmocka_unit_test(groups_in_a_node_do_not_leave_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
