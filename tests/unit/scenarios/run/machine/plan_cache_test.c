/* Plan cache: the searches' own results, each searched once. */
#include "scenarios/run/machine/machine.h"

#include "tests/fixture.h"

MACHINE_TEST(rings_are_searched_once_per_group)
{
    const struct cs_rings *rings;
    const struct cs_rings *own;
    struct cs_plan_cache *cache;

    machine_open(machine, "dgx-1", 0, 0);
    cache = cs_plan_cache_new(&machine->arena);
    rings = cs_plan_cache_rings(cache, &machine->net, 8, 8);
    own = cs_rings_of_machine(&machine->net, 8, 8, &machine->arena);
    assert_int_equal(rings->count, own->count);
    assert_memory_equal(rings->order, own->order, sizeof(*own->order) * own->count * own->ranks);
    assert_ptr_equal(cs_plan_cache_rings(cache, &machine->net, 8, 8), rings);
    assert_ptr_not_equal(cs_plan_cache_rings(cache, &machine->net, 8, 0), rings);
    assert_null(cs_plan_cache_rings(cache, &machine->net, 1, 0));
    assert_null(cs_plan_cache_rings(cache, &machine->net, 1, 0));
}

MACHINE_TEST(trees_are_searched_once_per_request)
{
    const struct cs_tree_request all = {.roots = CS_TREES_OF_ALL, .use = CS_TREES_DOWN};
    const struct cs_tree_request any = {.roots = CS_TREES_OF_ANY, .use = CS_TREES_BOTH};
    struct cs_tree_request root = {.roots = CS_TREES_OF_ROOT, .use = CS_TREES_DOWN};
    const struct cs_trees *of_root;
    struct cs_plan_cache *cache;

    machine_open(machine, "dgx-1", 0, 0);
    cache = cs_plan_cache_new(&machine->arena);
    of_root = cs_plan_cache_trees(cache, &machine->net, 8, &root);
    assert_non_null(of_root);
    assert_ptr_equal(cs_plan_cache_trees(cache, &machine->net, 8, &root), of_root);
    root.root = 3;
    assert_ptr_not_equal(cs_plan_cache_trees(cache, &machine->net, 8, &root), of_root);
    assert_ptr_not_equal(cs_plan_cache_trees(cache, &machine->net, 8, &all),
                         cs_plan_cache_trees(cache, &machine->net, 8, &any));
}
