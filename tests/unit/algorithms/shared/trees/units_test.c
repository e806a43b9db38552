/* Whole units: as good as the mixture where the numbers are small. */
#include "algorithms/shared/trees/machine_trees.h"
#include "algorithms/shared/trees/units.h"

#include "tests/fixture.h"

static struct cs_units units_of(struct machine *machine, enum cs_branches_of of,
                                enum cs_tree_roots roots, uint32_t classes, uint32_t *copies)
{
    const struct cs_branches_request request = {.of = of,
                                                .use = CS_TREES_DOWN,
                                                .ranks = machine->graph.rank_count,
                                                .group = 8,
                                                .classes = classes};
    struct cs_branches *branches = cs_arena_alloc(&machine->arena, 1, sizeof(*branches));
    struct cs_tree_search *search = cs_arena_alloc(&machine->arena, 1, sizeof(*search));
    struct cs_units_request units = {.search = search, .most = 64, .blocks = 1 << 16};

    *branches = cs_branches_of(&machine->net, &request, &machine->arena);
    *search = cs_tree_search_of(branches, roots, 0, &machine->arena);
    *copies = of == CS_BRANCHES_EACH ? request.ranks / request.group : 1;
    units.copies = *copies;
    return cs_units_of(&units, &machine->arena);
}

/* A switch inside and an adapter for each rank: one tree out of each, as wide as the
 * wires of a rank. */
static void a_tree_of_each_rank_is_enough_behind_a_switch(void **state)
{
    struct machine machine;
    struct cs_units units;
    uint32_t copies;

    (void)state;
    machine_open(&machine, "cluster:node=dgx-h100,nodes=4,fabric=rail", 0, 0);
    units = units_of(&machine, CS_BRANCHES_EACH, CS_TREES_OF_ALL, 2, &copies);
    assert_int_equal(units.each, 1);
    assert_int_equal(units.count, 8);
    assert_true(units.limit_s <= units.s_per_byte * (1 + 1e-9));
    assert_true(units.s_per_byte <= units.limit_s * 1.03);
    machine_close(&machine);
}

/* Out of one rank: the 8 adapters of a node, 48 GB/s each, all the time. */
static void a_root_reaches_all_nodes_over_all_adapters(void **state)
{
    struct machine machine;
    struct cs_units units;
    uint32_t copies;

    (void)state;
    machine_open(&machine, "cluster:node=dgx-h100,nodes=4,fabric=rail", 0, 0);
    units = units_of(&machine, CS_BRANCHES_CHAIN, CS_TREES_OF_ROOT, 2, &copies);
    assert_within(1e-9 / units.s_per_byte, 8 * 48, 1e-3);
    machine_close(&machine);
}

/* Two groups joined by slow sockets and by adapters: the best trees enter each group by
 * routes of its own in the first nodes, which needs a third class of nodes. */
static void a_third_class_of_nodes_attains_more(void **state)
{
    struct cs_units two, three;
    struct machine machine;
    uint32_t copies;

    (void)state;
    machine_open(&machine, "cluster:node=ascend910,nodes=4,fabric=rail", 0, 0);
    two = units_of(&machine, CS_BRANCHES_CHAIN, CS_TREES_OF_ROOT, 2, &copies);
    three = units_of(&machine, CS_BRANCHES_CHAIN, CS_TREES_OF_ROOT, 3, &copies);
    assert_within(1e-9 / two.limit_s, 48, 1e-2);
    assert_within(1e-9 / three.limit_s, 72, 2e-2);
    assert_true(three.s_per_byte < two.s_per_byte);
    machine_close(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_of_each_rank_is_enough_behind_a_switch),
        cmocka_unit_test(a_root_reaches_all_nodes_over_all_adapters),
        cmocka_unit_test(a_third_class_of_nodes_attains_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
