/* Tree mix: shares of two sets with different bottlenecks. */
#include "algorithms/shared/trees/trees.h"

#include "algorithms/shared/trees/machine_trees.h"

#include "tests/fixture.h"

/* Trees of the nodes' parts of `each` ranks, repeated. */
static const struct cs_trees *trees_of_parts(struct machine *machine, uint32_t each)
{
    const struct cs_tree_request within = {.use = CS_TREES_DOWN};
    const struct cs_trees *node =
        cs_trees_of_machine(&machine->net, each, &within, &machine->arena);

    assert_non_null(node);
    return cs_trees_of_cluster(&machine->net, machine->graph.rank_count, node, CS_TREES_DOWN,
                               &machine->arena);
}

/* Two groups of a node meet between sockets: trees of the nodes fill the sockets,
 * trees of the groups the adapters. */
static void a_mix_is_faster_than_either_set(void **state)
{
    const struct cs_trees *sets[2];
    const struct cs_trees *mix;
    struct machine machine;
    uint32_t units[32] = {0};

    (void)state;
    machine_open(&machine, "cluster:node=ascend910,nodes=4", 0, 0);
    sets[0] = trees_of_parts(&machine, 8);
    sets[1] = trees_of_parts(&machine, 4);
    mix = cs_trees_mixed(&machine.net, sets, 2, CS_TREES_DOWN, &machine.arena);
    assert_non_null(mix);
    for (int i = 0; i < 2; i++)
        assert_true(cs_trees_s_per_byte(mix) * 1.05 < cs_trees_s_per_byte(sets[i]));
    for (uint32_t t = 0; t < mix->count; t++)
        units[mix->tree[t].root] += mix->tree[t].units;
    for (uint32_t r = 0; r < 32; r++)
        assert_int_equal(units[r], mix->units / 32);
    machine_close(&machine);
}

static void sets_with_one_bottleneck_are_not_mixed(void **state)
{
    const struct cs_trees *sets[2];
    struct machine machine;

    (void)state;
    machine_open(&machine, "cluster:node=dgx-1,nodes=4", 0, 0);
    sets[0] = trees_of_parts(&machine, 8);
    sets[1] = sets[0];
    assert_null(cs_trees_mixed(&machine.net, sets, 2, CS_TREES_DOWN, &machine.arena));
    assert_null(cs_trees_mixed(&machine.net, sets, 0, CS_TREES_DOWN, &machine.arena));
    machine_close(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mix_is_faster_than_either_set),
        cmocka_unit_test(sets_with_one_bottleneck_are_not_mixed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
