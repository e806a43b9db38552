/* Cluster trees: a node's tree in every node, which bytes enter once. */
#include "algorithms/shared/cluster_trees.h"

#include "algorithms/shared/machine_trees.h"

#include "tests/fixture.h"

static const struct cs_trees *cluster_trees(struct machine *machine,
                                            enum cs_tree_use use)
{
    const struct cs_tree_request within = {.use = use};
    const struct cs_trees *node =
        cs_trees_of_machine(&machine->net, 8, &within, &machine->arena);

    assert_non_null(node);
    return cs_trees_of_cluster(&machine->net, machine->graph.rank_count, node,
                               use, &machine->arena);
}

/* Four NICs of 12 GB/s effective carry 24 of 32 pieces: 32/24 of 48. */
static void bytes_enter_every_node_once(void **state)
{
    const struct cs_trees *trees;
    struct machine machine;

    (void)state;
    machine_open(&machine, "cluster:node=dgx-1,nodes=4", 0, 0);
    trees = cluster_trees(&machine, CS_TREES_DOWN);
    assert_float_equal(1e-9 / cs_trees_s_per_byte(trees), 48 * 32 / 24.0, 1e-5);
    trees = cluster_trees(&machine, CS_TREES_BOTH);
    assert_float_equal(1e-9 / cs_trees_s_per_byte(trees), 24 * 32 / 24.0, 1e-5);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_enter_every_node_once),
        cmocka_unit_test(every_tree_is_the_node_s_tree_in_all_nodes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
