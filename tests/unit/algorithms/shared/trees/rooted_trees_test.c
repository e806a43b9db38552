/* Rooted trees: spanning trees from any root, with chains along wires, and one
 * copy of the vector out of the root through a switch. */
#include "algorithms/shared/rings/machine_rings.h"
#include "algorithms/shared/trees/rooted_trees.h"

#include "tests/fixture.h"

static bool has_child(const struct cs_tree_place *place, uint32_t rank)
{
    for (uint32_t i = 0; i < place->child_count; i++)
        if (place->child[i] == rank)
            return true;
    return false;
}

/* Every rank leads to the root, by parents that know their children. */
static void assert_rooted(const struct cs_call *call, uint32_t channel)
{
    uint32_t children = 0;

    for (uint32_t rank = 0; rank < call->ranks; rank++) {
        struct cs_tree_place place = cs_rooted_tree_place(call, channel, rank);
        uint32_t at = rank;

        children += place.child_count;
        for (uint32_t depth = 0; place.parent != CS_TREE_NONE; depth++) {
            struct cs_tree_place above = cs_rooted_tree_place(call, channel, place.parent);

            assert_true(has_child(&above, at));
            assert_true(depth < call->ranks);
            at = place.parent;
            place = above;
        }
        assert_int_equal(at, call->root);
    }
    assert_int_equal(children, call->ranks - 1);
}

/* Returns the copies of a share that leave the root. */
static uint32_t check_machine(const char *spec, uint32_t group)
{
    struct cs_call call = {.group = group, .elements = 1 << 20, .element_bytes = 4, .slices = 1};
    CS_AT_END(machine_close) struct machine machine;
    uint32_t copies = 0;

    machine_open(&machine, spec, 0, 0);
    call.ranks = machine.graph.rank_count;
    call.rings = cs_rings_of_machine(&machine.net, call.ranks, group, &machine.arena);
    call.hockney = (struct cs_hockney){1e-6, 1e10, 0};
    assert_true(cs_rooted_trees_settle(&call, 0));
    for (call.root = 0; call.root < call.ranks; call.root++)
        for (uint32_t channel = 0; channel < call.channels; channel++) {
            struct cs_tree_place root = cs_rooted_tree_place(&call, channel, call.root);

            assert_rooted(&call, channel);
            copies = root.child_count > copies ? root.child_count : copies;
        }
    return copies;
}

TEST(every_root_has_spanning_trees)
{
    check_machine("cluster:node=dgx-1,nodes=2", 8);
    check_machine("cluster:node=dgx-1,nodes=5", 8);
    check_machine("cluster:node=dgx-h100,nodes=6", 8);
}

/* The head of a channel is the root in some channels, with a node below and the
 * chain. */
TEST(a_root_behind_a_switch_sends_little_more_than_the_vector)
{
    assert_int_equal(check_machine("cluster:node=dgx-h100,nodes=3", 8), 2);
}

TEST(a_switch_keeps_the_timetable)
{
    struct cs_call call = {.ranks = 8, .elements = 64, .element_bytes = 4};

    call.hockney = (struct cs_hockney){1e-6, 1e10, 0};
    assert_false(cs_rooted_trees_settle(&call, 0));
    assert_false(cs_rooted_trees_are_used(&call));
}
