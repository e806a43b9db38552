/* Node lines: permutations of the nodes' ranks, and their wires. */
#include "algorithms/shared/rings/machine_rings.h"
#include "algorithms/shared/rings/node_lines.h"

#include "tests/fixture.h"

enum {
    CHANNELS = 5
};

static void assert_lines(const struct cs_call *call)
{
    for (uint32_t number = 0; number < 2 * cs_node_lines_count(call); number++) {
        struct cs_node_line line = cs_node_line_of(call, number);

        for (uint32_t rank = 0; rank < call->ranks; rank++) {
            uint32_t slot = cs_node_line_slot(&line, rank);

            assert_true(slot < call->group);
            assert_int_equal(cs_node_line_rank(&line, rank / call->group, slot), rank);
        }
    }
}

static void check_machine(const char *spec, uint32_t ranks, uint32_t group, uint32_t contention)
{
    struct cs_call call = {.ranks = ranks, .group = group, .channels = CHANNELS};
    CS_AT_END(machine_close) struct machine machine;

    machine_open(&machine, spec, 0, 0);
    call.rings = cs_rings_of_machine(&machine.net, ranks, group, &machine.arena);
    cs_node_lines_settle(&call);
    assert_true(call.rings_by_node);
    assert_int_equal(cs_node_lines_are_wired(&call), contention < CHANNELS);
    call.channels = contention < CHANNELS ? call.rings->count : CHANNELS;
    assert_int_equal(cs_node_lines_contention(&call), contention);
    assert_lines(&call);
}

TEST(a_line_holds_every_rank_of_a_node_once)
{
    struct cs_call call = {.ranks = 12, .group = 4};

    cs_node_lines_settle(&call);
    assert_false(call.rings_by_node);
    assert_lines(&call);
    check_machine("cluster:node=dgx-h100,nodes=3", 24, 8, 5);
}

TEST(lines_of_wires_are_known)
{
    check_machine("dgx-1", 8, 8, 1);
    check_machine("cluster:node=dgx-1,nodes=2", 16, 8, 2);
    check_machine("cluster:node=mi250x,nodes=2", 16, 8, 1);
}

/* Rings 0 1 2 | 3 4 5 with both nodes in one order, with the second turned, and
 * from the second on. */
MACHINE_TEST(lines_of_nodes_in_one_order_are_read_in_the_first)
{
    static const uint32_t orders[][6] = {
        {2, 0, 1, 5, 3, 4}, {2, 0, 1, 3, 4, 5}, {5, 3, 4, 2, 0, 1}};

    machine_open(machine, "switch:ranks=6", 0, 0);
    for (uint32_t i = 0; i < 3; i++) {
        struct cs_call call = {
            .ranks = 6,
            .group = 3,
            .rings = cs_rings_of_orders(&machine->net, 6, 1, orders[i], &machine->arena)};
        struct cs_node_line line;

        cs_node_lines_settle(&call);
        assert_true(call.rings_by_node);
        assert_int_equal(call.rings_repeat, i == 0);
        assert_lines(&call);
        line = cs_node_line_of(&call, 0);
        for (uint32_t place = 0; place < 6; place++)
            assert_int_equal(cs_node_line_rank(&line, orders[i][place] / 3, place % 3),
                             orders[i][place]);
    }
}
