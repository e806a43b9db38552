#include "algorithms/shared/trees/shape.h"

#include "tests/fixture.h"

enum {
    RANKS_MAX = 300, /* n = 2 .. 299 */
};

static uint32_t log2_up(uint32_t n)
{
    uint32_t log = 0;

    while ((1U << log) < n)
        log++;
    return log;
}

/* Steps from a rank up to the root; the walk ends unless the tree has a
 * cycle. */
static uint32_t depth_of(uint32_t tree, uint32_t n, uint32_t rank)
{
    uint32_t depth = 0;

    for (;;) {
        struct cs_tree_place place = cs_tree_of_pair(tree, n, rank);

        if (place.parent == CS_TREE_NONE)
            return depth;
        assert_true(depth < n);
        rank = place.parent;
        depth++;
    }
}

static bool is_child(const struct cs_tree_place *place, uint32_t rank)
{
    for (uint32_t i = 0; i < place->child_count; i++)
        if (place->child[i] == rank)
            return true;
    return false;
}

TEST(parents_and_children_agree)
{
    for (uint32_t n = 2; n < RANKS_MAX; n++)
        for (uint32_t tree = 0; tree < 2; tree++) {
            uint32_t children = 0;
            uint32_t roots = 0;

            for (uint32_t r = 0; r < n; r++) {
                struct cs_tree_place place = cs_tree_of_pair(tree, n, r);
                struct cs_tree_place above;

                children += place.child_count;
                roots += place.parent == CS_TREE_NONE;
                if (place.parent == CS_TREE_NONE)
                    continue;
                above = cs_tree_of_pair(tree, n, place.parent);
                assert_true(is_child(&above, r));
            }
            assert_int_equal(roots, 1);
            assert_int_equal(children, n - 1);
        }
}

TEST(trees_are_no_deeper_than_log2_n)
{
    for (uint32_t n = 2; n < RANKS_MAX; n++)
        for (uint32_t tree = 0; tree < 2; tree++) {
            uint32_t deepest = 0;

            for (uint32_t r = 0; r < n; r++) {
                uint32_t depth = depth_of(tree, n, r);

                deepest = depth > deepest ? depth : deepest;
            }
            assert_true(deepest <= log2_up(n));
            if ((n & (n - 1)) == 0)
                assert_int_equal(deepest, log2_up(n));
        }
}

TEST(ranks_have_at_most_two_children_over_both_trees)
{
    for (uint32_t n = 2; n < RANKS_MAX; n++)
        for (uint32_t r = 0; r < n; r++)
            assert_true(
                cs_tree_of_pair(0, n, r).child_count + cs_tree_of_pair(1, n, r).child_count <= 2);
}

TEST(one_rank_is_inside_both_trees_for_odd_n_and_none_for_even)
{
    for (uint32_t n = 3; n < RANKS_MAX; n++) {
        uint32_t both = 0;

        for (uint32_t r = 0; r < n; r++)
            both += cs_tree_of_pair(0, n, r).child_count > 0 &&
                    cs_tree_of_pair(1, n, r).child_count > 0;
        assert_int_equal(both, n % 2);
    }
}

/* In halves of V: a rank sends one up and one down to each child. */
TEST(ranks_send_and_receive_between_one_and_two_vectors)
{
    for (uint32_t n = 3; n < RANKS_MAX; n++) {
        uint32_t total = 0;
        uint32_t least = 4;

        for (uint32_t r = 0; r < n; r++) {
            uint32_t halves = 0;

            for (uint32_t tree = 0; tree < 2; tree++) {
                struct cs_tree_place place = cs_tree_of_pair(tree, n, r);

                halves += place.child_count + (place.parent != CS_TREE_NONE ? 1 : 0);
            }
            assert_true(halves <= 4);
            least = halves < least ? halves : least;
            total += halves;
        }
        assert_int_equal(least, 2);
        assert_int_equal(total, 4 * (n - 1));
    }
}

TEST(eight_ranks_have_the_positions_of_nccl)
{
    const uint32_t parents[] = {CS_TREE_NONE, 2, 4, 2, 0, 6, 4, 6};

    for (uint32_t r = 0; r < 8; r++) {
        uint32_t mirrored = parents[7 - r];

        assert_int_equal(cs_tree_of_pair(0, 8, r).parent, parents[r]);
        assert_int_equal(cs_tree_of_pair(1, 8, r).parent,
                         mirrored == CS_TREE_NONE ? mirrored : 7 - mirrored);
    }
    /* 5 ranks, shifted by one: rank 0 has the position of rank 4. */
    assert_int_equal(cs_tree_of_pair(0, 5, 4).parent, 0);
    assert_int_equal(cs_tree_of_pair(1, 5, 1).parent, CS_TREE_NONE);
    assert_int_equal(cs_tree_of_pair(1, 5, 0).parent, 1);
}

TEST(one_rank_is_a_tree)
{
    for (uint32_t tree = 0; tree < 2; tree++) {
        struct cs_tree_place place = cs_tree_of_pair(tree, 1, 0);

        assert_int_equal(place.parent, CS_TREE_NONE);
        assert_int_equal(place.child_count, 0);
    }
}

TEST(a_line_goes_from_rank_0_to_the_last)
{
    for (uint32_t r = 0; r < 9; r++) {
        struct cs_tree_place place = cs_tree_line(9, r);

        assert_int_equal(place.parent, r ? r - 1 : CS_TREE_NONE);
        assert_int_equal(place.child_count, r < 8);
        if (r < 8)
            assert_int_equal(place.child[0], r + 1);
    }
}
