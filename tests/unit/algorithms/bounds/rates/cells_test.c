/*
 * Which devices of clusters share cells.
 */
#include "algorithms/bounds/rates/cells.h"

#include "tests/fixture.h"

static struct cs_cells cells_of(struct machine *machine, uint32_t apart)
{
    return cs_cells_of(&machine->graph, apart, &machine->arena);
}

/* All but the first of identical nodes; the fabric stays as it is. */
TEST(identical_nodes_share_the_cells_of_the_second)
{
    CS_AT_END(machine_close) struct machine m;
    struct cs_cells cells;
    uint32_t of_node;
    uint32_t merged = 0;

    machine_open(&m, "cluster:node=dgx-h100,nodes=6,fabric=rail", 0, 0);
    cells = cells_of(&m, CS_NO_CELL);
    of_node = 0;
    for (uint32_t d = 0; d < m.graph.device_count; d++)
        of_node += m.graph.devices[d].host == 0;
    assert_int_equal(cells.count, m.graph.device_count - 4 * of_node);
    for (uint32_t c = 0; c < cells.count; c++)
        if (cs_cells_is_merged(&cells, c)) {
            assert_int_equal(cells.weight[c], 5);
            merged++;
        }
    assert_int_equal(merged, of_node);
    for (uint32_t d = 0; d < m.graph.device_count; d++)
        if (cells.twin[cells.of[d]] != CS_NO_CELL)
            assert_int_equal(cells.weight[cells.twin[cells.of[d]]], 5);
}

TEST(a_node_apart_has_cells_of_its_own)
{
    CS_AT_END(machine_close) struct machine m;
    struct cs_cells cells;
    uint32_t root;

    machine_open(&m, "cluster:node=dgx-h100,nodes=6,fabric=rail", 0, 0);
    root = m.graph.rank_device[17]; /* on the third node */
    cells = cells_of(&m, root);
    assert_int_equal(cells.weight[cells.of[root]], 1);
    assert_int_equal(cells.twin[cells.of[root]], CS_NO_CELL);
    assert_int_equal(cells.weight[cells.of[m.graph.rank_device[47]]], 4);
}

/* A wire of a node that is slower makes the node another. */
TEST(nodes_that_differ_in_a_wire_are_kept_apart)
{
    CS_AT_END(machine_close) struct machine m;
    struct cs_cells cells;

    machine_open(&m, "switch:ranks=8", 0, 0);
    cells = cells_of(&m, CS_NO_CELL);
    assert_int_equal(cells.count, 3);
    m.graph.wires[5].rate_Bps /= 2;
    cells = cells_of(&m, CS_NO_CELL);
    assert_int_equal(cells.count, 4);
    assert_int_equal(cells.weight[cells.of[m.graph.rank_device[5]]], 1);
    m.graph.wires[5].rate_Bps *= 2;
    m.graph.wires[5].down = true;
    assert_int_equal(cells_of(&m, CS_NO_CELL).count, 4);
}

TEST(ranks_wired_to_each_other_are_kept_apart)
{
    CS_AT_END(machine_close) struct machine m;

    machine_open(&m, "ring:ranks=8", 0, 0);
    assert_int_equal(cells_of(&m, CS_NO_CELL).count, m.graph.device_count);
}
