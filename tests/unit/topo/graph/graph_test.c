#include "topo/graph/graph.h"

#include "tests/unit/topo/graph/drawn.h"
#include "topo/graph/link_family.h"

DRAWN_TEST(growth_keeps_the_indices_of_devices_and_wires)
{
    open_graph(f);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(device(f, cs_arena_printf(&f->arena, "d%u", i), CS_DEVICE_HOST), i);
    for (uint32_t i = 0; i < 999; i++)
        assert_int_equal(wire(f, i, i + 1, CS_DUPLEX_FULL), i);
    assert_int_equal(cs_graph_find(&f->graph, "d777"), 777);
    assert_int_equal(cs_graph_find(&f->graph, "d1000"), UINT32_MAX);
    assert_int_equal(f->graph.wires[500].b, 501);
}

DRAWN_TEST(a_link_name_has_both_ends_and_a_bus_its_own_name)
{
    open_pair(f);
    assert_string_equal(cs_graph_link_name(&f->graph, 0, &f->arena), "gpu0 -> plx (cable)");
    assert_string_equal(cs_graph_link_name(&f->graph, 1, &f->arena), "plx -> gpu0 (cable)");
    f->graph.devices[2].kind = CS_DEVICE_BUS;
    assert_string_equal(cs_graph_link_name(&f->graph, 0, &f->arena), "plx");
    assert_true(cs_graph_link_is_free(&f->graph, 1));
    assert_false(cs_graph_link_is_free(&f->graph, 0));
}

static unsigned ability_of(struct fixture *f, uint32_t device)
{
    return cs_graph_abilities(&f->graph, &f->arena)[device];
}

DRAWN_TEST(a_switch_reduces_by_declaration_or_link_family_only)
{
    open_pair(f);
    f->graph.devices[2].kind = CS_DEVICE_SWITCH;
    assert_int_equal(ability_of(f, 2), 0);
    f->graph.wires[0].family = CS_LINK_NVLINK;
    assert_int_equal(ability_of(f, 2), 0);
    f->graph.wires[0].family = CS_LINK_NVLINK_SHARP;
    assert_int_equal(ability_of(f, 2), CS_SWITCH_MULTIMEM | CS_SWITCH_MULTICASTS);
    assert_int_equal(ability_of(f, 0), 0); /* a GPU */
    f->graph.wires[0].family = CS_LINK_OTHER;
    f->graph.devices[2].reduces = true;
    assert_int_equal(ability_of(f, 2), CS_SWITCH_REDUCES | CS_SWITCH_MULTICASTS);
    f->graph.devices[2].kind = CS_DEVICE_BUS;
    assert_int_equal(ability_of(f, 2), CS_SWITCH_MULTICASTS);
}

/* An order of all ranks stays; a part takes the first devices. */
DRAWN_TEST(a_part_of_a_node_is_its_first_devices)
{
    open_pair(f);
    f->graph.rank_device[0] = 1;
    f->graph.rank_device[1] = 0;
    cs_graph_place_first(&f->graph);
    assert_int_equal(f->graph.rank_count, 2);
    assert_int_equal(f->graph.rank_device[0], 1);
    f->graph.rank_count = 1;
    cs_graph_place_first(&f->graph);
    assert_int_equal(f->graph.rank_count, 1);
    assert_int_equal(f->graph.rank_device[0], 0);
}
