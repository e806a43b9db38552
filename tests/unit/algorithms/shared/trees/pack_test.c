/* Tree packing: trees out of given roots within the capacity of every pair. */
#include "algorithms/shared/trees/pack.h"

#include "tests/fixture.h"

enum {
    RANKS = 4
};

/* Uses of each pair by all trees, which span the ranks. */
static void add_uses(const struct cs_packing *packing, uint32_t uses[RANKS][RANKS])
{
    for (uint32_t t = 0; t < packing->count; t++) {
        const struct cs_packed_tree *tree = &packing->tree[t];

        assert_int_equal(tree->size, RANKS);
        for (uint32_t r = 0; r < RANKS; r++) {
            if (r == tree->root) {
                assert_int_equal(tree->parent[r], CS_TREE_ABSENT);
                continue;
            }
            assert_int_equal(tree->depth[r], tree->depth[tree->parent[r]] + 1);
            uses[tree->parent[r]][r] += tree->units;
        }
    }
}

/* A ring in both directions: a chain each way out of every rank. */
ARENA_TEST(trees_stay_within_the_capacity)
{
    double capacity[RANKS * RANKS] = {0};
    const double roots[RANKS] = {2, 2, 2, 2};
    uint32_t uses[RANKS][RANKS] = {{0}};
    struct cs_packing packing = {0};

    for (uint32_t r = 0; r < RANKS; r++)
        capacity[r * RANKS + (r + 1) % RANKS] = capacity[(r + 1) % RANKS * RANKS + r] = 3;
    assert_true(cs_tree_pack(RANKS, capacity, roots, 64, &packing, arena));
    add_uses(&packing, uses);
    for (uint32_t a = 0; a < RANKS; a++)
        for (uint32_t b = 0; b < RANKS; b++)
            assert_true(uses[a][b] <= ((a + 1) % RANKS == b || (b + 1) % RANKS == a ? 3 : 0));
}

ARENA_TEST(equal_trees_are_one_tree_with_units)
{
    double capacity[RANKS * RANKS] = {0};
    const double roots[RANKS] = {0, 5};
    struct cs_packing packing = {0};

    for (uint32_t r = 0; r < RANKS; r++)
        capacity[1 * RANKS + r] = r == 1 ? 0 : 5;
    assert_true(cs_tree_pack(RANKS, capacity, roots, 64, &packing, arena));
    assert_int_equal(packing.count, 1);
    assert_int_equal(packing.tree[0].units, 5);
}

ARENA_TEST(more_units_than_a_cut_carries_are_refused)
{
    double capacity[RANKS * RANKS] = {0};
    const double roots[RANKS] = {6};
    struct cs_packing packing = {0};

    for (uint32_t r = 1; r < RANKS; r++)
        capacity[r] = 5;
    assert_false(cs_tree_pack(RANKS, capacity, roots, 64, &packing, arena));
}

/* Stops at the third question. */
static bool stop_third(void *ctx, const struct cs_progress *progress)
{
    (void)progress;
    return ++*(uint32_t *)ctx < 3;
}

/* Each branch of a tree costs a maximum flow: it is asked for before. */
ARENA_TEST(a_packing_is_stopped_at_a_branch)
{
    double capacity[RANKS * RANKS] = {0};
    const double roots[RANKS] = {1};
    uint32_t asked = 0;
    const struct cs_monitor monitor = {stop_third, &asked};
    struct cs_packing packing = {.monitor = &monitor};

    for (uint32_t r = 1; r < RANKS; r++)
        capacity[r] = 1;
    assert_false(cs_tree_pack(RANKS, capacity, roots, 64, &packing, arena));
    assert_int_equal(asked, 3);
    assert_int_equal(packing.tree[0].size, 3);
}
