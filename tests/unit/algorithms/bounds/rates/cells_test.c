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
static void identical_nodes_share_the_cells_of_the_second(void **state)
{
    struct machine m;
    struct cs_cells cells;
    uint32_t of_node;
    uint32_t merged = 0;

    (void)state;
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
    machine_close(&m);
}

static void a_node_apart_has_cells_of_its_own(void **state)
{
    struct machine m;
    struct cs_cells cells;
    uint32_t root;

    (void)state;
    machine_open(&m, "cluster:node=dgx-h100,nodes=6,fabric=rail", 0, 0);
    root = m.graph.rank_device[17]; /* on the third node */
    cells = cells_of(&m, root);
    assert_int_equal(cells.weight[cells.of[root]], 1);
    assert_int_equal(cells.twin[cells.of[root]], CS_NO_CELL);
    assert_int_equal(cells.weight[cells.of[m.graph.rank_device[47]]], 4);
    machine_close(&m);
}

/* A wire of a node that is slower makes the node another. */
static void nodes_that_differ_in_a_wire_are_kept_apart(void **state)
{
    struct machine m;
    struct cs_cells cells;

    (void)state;
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
    machine_close(&m);
}

static void ranks_wired_to_each_other_are_kept_apart(void **state)
{
    struct machine m;

    (void)state;
    machine_open(&m, "ring:ranks=8", 0, 0);
    assert_int_equal(cells_of(&m, CS_NO_CELL).count, m.graph.device_count);
    machine_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identical_nodes_share_the_cells_of_the_second),
        cmocka_unit_test(a_node_apart_has_cells_of_its_own),
        cmocka_unit_test(nodes_that_differ_in_a_wire_are_kept_apart),
        cmocka_unit_test(ranks_wired_to_each_other_are_kept_apart),
    };

    return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
