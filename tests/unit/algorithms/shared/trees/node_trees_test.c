/* Node trees: spanning trees for any nodes, chains along rings, heads next to
 * the adapters. */
#include "algorithms/shared/rings/machine_rings.h"
#include "algorithms/shared/trees/node_trees.h"

#include "tests/fixture.h"

enum {
    RANKS_MAX = 48
};

static struct cs_call settled_call(uint32_t ranks, uint32_t group, const struct cs_rings *rings)
{
    struct cs_call call = {.ranks = ranks, .group = group, .rings = rings, .slices = 1};

    cs_node_trees_settle(&call);
    return call;
}

static bool has_child(const struct cs_tree_place *place, uint32_t rank)
{
    for (uint32_t i = 0; i < place->child_count; i++)
        if (place->child[i] == rank)
            return true;
    return false;
}

static struct cs_tree_place place_of(const struct cs_call *call, uint32_t channel, uint32_t rank)
{
    struct cs_tree_place place;

    cs_node_tree_place(call, channel, rank, &place);
    return place;
}

/* Parents know their children, and every rank leads to one root. */
static void assert_tree(const struct cs_call *call, uint32_t channel)
{
    uint32_t children = 0;
    uint32_t roots = 0;

    for (uint32_t rank = 0; rank < call->ranks; rank++) {
        struct cs_tree_place place = place_of(call, channel, rank);
        uint32_t depth = 0;

        children += place.child_count;
        roots += place.parent == CS_TREE_NONE;
        for (uint32_t at = rank; place.parent != CS_TREE_NONE; depth++) {
            struct cs_tree_place above = place_of(call, channel, place.parent);

            assert_true(has_child(&above, at));
            assert_true(depth < cs_node_trees_depth(call));
            at = place.parent;
            place = above;
        }
    }
    assert_int_equal(roots, 1);
    assert_int_equal(children, call->ranks - 1);
}

TEST(every_channel_is_a_spanning_tree)
{
    for (uint32_t ranks = 2; ranks <= RANKS_MAX; ranks++)
        for (uint32_t group = 1; group <= ranks; group++) {
            struct cs_call call;

            if (ranks % group)
                continue;
            call = settled_call(ranks, group, NULL);
            for (uint32_t channel = 0; channel < 2 * call.channels + 3; channel++)
                assert_tree(&call, channel);
        }
}

/* Only the head of a node has neighbours in other nodes. */
TEST(one_rank_of_a_node_is_next_to_the_adapter)
{
    struct cs_call call = settled_call(24, 4, NULL);

    assert_int_equal(call.channels, 8);
    for (uint32_t channel = 0; channel < call.channels; channel++)
        for (uint32_t rank = 0; rank < call.ranks; rank++) {
            struct cs_tree_place place = place_of(&call, channel, rank);
            bool goes_out = place.parent == CS_TREE_NONE || place.parent / 4 != rank / 4;

            assert_true(goes_out == (rank % 4 == channel / 2));
        }
}

/* DGX-1: the chains use wires only, and rings enter by all four adapters. */
MACHINE_TEST(chains_follow_the_rings_of_the_machine)
{
    const struct cs_rings *rings;
    struct cs_call call;
    bool enters[8] = {false};

    machine_open(machine, "cluster:node=dgx-1,nodes=3", 0, 0);
    rings = cs_rings_of_machine(&machine->net, 24, 8, &machine->arena);
    assert_non_null(rings);
    call = settled_call(24, 8, rings);
    assert_true(call.rings_by_node);
    assert_int_equal(call.channels, 2 * rings->count);
    for (uint32_t channel = 0; channel < call.channels; channel++) {
        const uint32_t *order = &rings->order[(size_t)(channel / 2) * 24];

        assert_tree(&call, channel);
        enters[order[0] % 8 / 2] = true;
        for (uint32_t i = 1; i < 8; i++)
            assert_int_equal(place_of(&call, channel, order[i]).parent, order[i - 1]);
    }
    assert_true(enters[0] + enters[1] + enters[2] + enters[3] >= 2);
}

/* Such rings have no chain in the node. */
MACHINE_TEST(rings_that_enter_a_node_twice_are_not_used)
{
    static const uint32_t order[] = {0, 2, 1, 3};
    const struct cs_rings *rings;
    struct cs_call call;

    machine_open(machine, "switch:ranks=4", 0, 0);
    rings = cs_rings_of_orders(&machine->net, 4, 1, order, &machine->arena);
    call = settled_call(4, 2, rings);
    assert_false(call.rings_by_node);
    assert_int_equal(call.channels, 4);
    for (uint32_t channel = 0; channel < 4; channel++)
        assert_tree(&call, channel);
}

/* Four lines: the head of a line has its two channels first, in the mirrored half of
 * six nodes the second of them. */
TEST(channels_take_turns_from_the_head_on)
{
    struct cs_call call = settled_call(24, 4, NULL);

    for (call.channels = 1; call.channels <= 19; call.channels++)
        for (uint32_t rank = 0; rank < call.ranks; rank++) {
            uint32_t turns = 0;

            for (uint32_t channel = 0; channel < call.channels; channel++)
                turns |= 1U << cs_node_tree_turn(&call, channel, rank);
            assert_int_equal(turns, (1U << call.channels) - 1);
        }
    call.channels = 8;
    for (uint32_t rank = 0; rank < call.ranks; rank++) {
        uint32_t line = rank % 4;
        uint32_t second = rank >= 12;

        assert_int_equal(cs_node_tree_turn(&call, 2 * line, rank), second);
        assert_int_equal(cs_node_tree_turn(&call, 2 * line + 1, rank), !second);
        assert_int_equal(cs_node_tree_turn(&call, (2 * line + 2) % 8, rank), 6 + second);
    }
}

/* The mirror image of a rank has the place of the rank in the other half. */
TEST(ranks_of_an_even_number_of_nodes_are_mirrored)
{
    struct cs_call even = settled_call(24, 4, NULL);
    struct cs_call odd = settled_call(20, 4, NULL);

    for (uint32_t node = 0; node < 6; node++)
        for (uint32_t slot = 0; slot < 4; slot++)
            assert_int_equal(cs_node_trees_order(&even, 4 * node + slot),
                             4 * (node < 3 ? node : 3 + (5 - node)) + slot);
    for (uint32_t rank = 0; rank < 20; rank++)
        assert_int_equal(cs_node_trees_order(&odd, rank), rank);
    assert_int_equal(cs_node_trees_order(&even, 25), 25); /* an agent */
}

TEST(nodes_that_are_not_full_are_refused)
{
    const struct cs_algo *algo = cs_algo_find("double-tree", cs_collective_find("allreduce"));
    struct cs_call call = settled_call(10, 4, NULL);

    assert_refused_with(cs_node_trees_check(algo, &call, &err), CS_EINPUT, "nodes that are full");
}
