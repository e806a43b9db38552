/* Cluster trees: a node's tree in every node, which bytes enter once. */
#include "algorithms/shared/trees/trees.h"

#include "algorithms/shared/trees/machine_trees.h"

#include "tests/fixture.h"

static const struct cs_trees *cluster_trees(struct machine *machine, enum cs_tree_use use)
{
    const struct cs_tree_request within = {.use = use};
    const struct cs_trees *node = cs_trees_of_machine(&machine->net, 8, &within, &machine->arena);

    assert_non_null(node);
    return cs_trees_of_cluster(&machine->net, machine->graph.rank_count, node, use,
                               &machine->arena);
}

/* Four NICs of 12 GB/s effective carry 24 of 32 pieces: 32/24 of 48. */
static void bytes_enter_every_node_once(void **state)
{
    const struct cs_trees *trees;
    struct machine machine;

    (void)state;
    machine_open(&machine, "cluster:node=dgx-1,nodes=4", 0, 0);
    trees = cluster_trees(&machine, CS_TREES_DOWN);
    assert_within(1e-9 / cs_trees_s_per_byte(trees), 48 * 32 / 24.0, 1e-5);
    trees = cluster_trees(&machine, CS_TREES_BOTH);
    assert_within(1e-9 / cs_trees_s_per_byte(trees), 24 * 32 / 24.0, 1e-5);
    machine_close(&machine);
}

/* Messages between nodes go from the root to the equal rank, and all other ranks
 * have their parent in the node. */
static void every_tree_is_the_node_s_tree_in_all_nodes(void **state)
{
    const struct cs_trees *trees;
    uint32_t units[24] = {0};
    struct machine machine;

    (void)state;
    machine_open(&machine, "cluster:node=dgx-1,nodes=3", 0, 0);
    trees = cluster_trees(&machine, CS_TREES_DOWN);
    assert_int_equal(trees->ranks, 24);
    for (uint32_t t = 0; t < trees->count; t++) {
        const struct cs_tree *tree = &trees->tree[t];

        units[tree->root] += tree->units;
        for (uint32_t r = 0; r < 24; r++) {
            uint32_t first = tree->parent[tree->root / 8 * 8 + r % 8];

            if (r == tree->root)
                assert_int_equal(tree->parent[r], CS_TREE_ABSENT);
            else if (r % 8 == tree->root % 8)
                assert_int_equal(tree->parent[r], tree->root);
            else
                assert_int_equal(tree->parent[r], r / 8 * 8 + first % 8);
        }
    }
    for (uint32_t r = 0; r < 24; r++)
        assert_int_equal(units[r], trees->units / 24);
    machine_close(&machine);
}

/* Out of rank 10, in the second node: a byte enters each further node once, at the
 * equal rank of the node before, and every node has all units. */
static void trees_of_a_root_go_from_node_to_node(void **state)
{
    const struct cs_tree_request within = {.use = CS_TREES_DOWN};
    const struct cs_tree_request rooted = {
        .roots = CS_TREES_OF_ROOT, .root = 2, .use = CS_TREES_DOWN};
    const struct cs_tree_cluster cluster = {24, 8, 1, 10};
    const struct cs_trees *part, *home, *trees;
    uint32_t entries[24] = {0};
    struct machine machine;

    (void)state;
    machine_open(&machine, "cluster:node=dgx-1,nodes=3", 0, 0);
    part = cs_trees_of_machine(&machine.net, 8, &within, &machine.arena);
    home = cs_trees_of_machine(&machine.net, 8, &rooted, &machine.arena);
    trees = cs_trees_of_chain(&machine.net, &cluster, home, part, CS_TREES_DOWN, &machine.arena);
    for (uint32_t t = 0; t < trees->count; t++)
        for (uint32_t r = 0; r < 24; r++) {
            uint32_t parent = trees->tree[t].parent[r];

            assert_int_equal(trees->tree[t].root, 10);
            if (r == 10) {
                assert_int_equal(parent, CS_TREE_ABSENT);
            } else if (parent / 8 != r / 8) {
                assert_int_equal(parent, (r + 16) % 24);
                entries[r] += trees->tree[t].units;
            }
        }
    for (uint32_t r = 0; r < 24; r++)
        assert_int_equal(entries[r], r / 8 == 1 ? 0 : trees->units / 8);
    /* The NICs of a node. */
    assert_within(1e-9 / cs_trees_s_per_byte(trees), 48, 1e-5);
    machine_close(&machine);
}

/* Two groups of each node: the chain has no step within a node. */
static void a_chain_of_groups_goes_between_nodes(void **state)
{
    const struct cs_tree_request within = {.use = CS_TREES_UP};
    const struct cs_tree_request rooted = {
        .roots = CS_TREES_OF_ROOT, .root = 1, .use = CS_TREES_UP};
    const struct cs_tree_cluster cluster = {24, 4, 2, 21};
    const struct cs_trees *part, *home, *trees;
    struct machine machine;

    (void)state;
    machine_open(&machine, "cluster:node=ascend910,nodes=3", 0, 0);
    part = cs_trees_of_machine(&machine.net, 4, &within, &machine.arena);
    home = cs_trees_of_machine(&machine.net, 4, &rooted, &machine.arena);
    trees = cs_trees_of_chain(&machine.net, &cluster, home, part, CS_TREES_UP, &machine.arena);
    for (uint32_t t = 0; t < trees->count; t++)
        for (uint32_t r = 0; r < 24; r++) {
            uint32_t parent = trees->tree[t].parent[r];

            if (r != 21 && parent / 4 != r / 4) {
                assert_int_not_equal(parent / 8, r / 8);
                assert_int_equal(parent % 4, r % 4);
            }
        }
    machine_close(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_enter_every_node_once),
        cmocka_unit_test(every_tree_is_the_node_s_tree_in_all_nodes),
        cmocka_unit_test(trees_of_a_root_go_from_node_to_node),
        cmocka_unit_test(a_chain_of_groups_goes_between_nodes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
