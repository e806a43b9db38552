/*
 * Partitions of small machines, against values worked out by hand.
 */
#include "algorithms/bounds/strength.h"

#include "tests/unit/algorithms/bounds/wired.h"

/* 2 (m-1) over the sum of rates: an all-reduce's seconds for each byte. */
static struct cs_strength strength_of(struct wired *wired)
{
    struct cs_network network = wired_network(wired, CS_CUT_INTO);

    return cs_strength_of(&network, &wired->arena);
}

static void expect_seconds(uint32_t ranks, const struct pair *pairs, size_t count, double seconds)
{
    struct wired w;
    struct cs_strength strength;

    wired_open(&w, ranks, 0, pairs, count);
    strength = strength_of(&w);
    assert_near(2 * (strength.groups - 1) / strength.rate_Bps, seconds);
    wired_close(&w);
}

static void a_ring_of_four_needs_three_quarters_of_v(void **state)
{
    const struct pair pairs[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}};

    (void)state;
    expect_seconds(4, pairs, COUNT(pairs), 0.75);
}

static void four_ranks_all_wired_need_half_of_v(void **state)
{
    const struct pair pairs[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {1, 2, 1}, {1, 3, 1}, {2, 3, 1}};

    (void)state;
    expect_seconds(4, pairs, COUNT(pairs), 0.5);
}

static void a_line_and_a_star_of_four_need_all_of_v(void **state)
{
    const struct pair line[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}};
    const struct pair star[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}};

    (void)state;
    expect_seconds(4, line, COUNT(line), 1);
    expect_seconds(4, star, COUNT(star), 1);
}

static void two_fast_pairs_are_limited_by_what_joins_them(void **state)
{
    const struct pair pairs[] = {{0, 1, 10}, {2, 3, 10}, {0, 2, 1}, {1, 3, 1}};
    struct wired w;
    struct cs_strength strength;

    (void)state;
    wired_open(&w, 4, 0, pairs, COUNT(pairs));
    strength = strength_of(&w);
    assert_int_equal(strength.groups, 2);
    assert_near(strength.rate_Bps, 4);
    assert_int_equal(strength.first.ranks, 2);
    assert_true(strength.first.inside[0] == strength.first.inside[1]);
    wired_close(&w);
}

/* A rate of 16 for three more groups than one, of single ranks, or of 4 for one more, of
 * pairs: little less. */
static void pairs_a_little_worse_than_single_ranks_are_found(void **state)
{
    const struct pair pairs[] = {{0, 1, 3}, {2, 3, 3}, {0, 2, 1}, {1, 3, 1}};

    (void)state;
    expect_seconds(4, pairs, COUNT(pairs), 0.5);
}

/* Three pairs on a slow ring: groups of two, and not of one or three. */
static void a_partition_may_have_groups_of_any_number(void **state)
{
    const struct pair pairs[] = {{0, 1, 9}, {2, 3, 9}, {4, 5, 9}, {1, 2, 1}, {3, 4, 1}, {5, 0, 1}};
    struct wired w;
    struct cs_strength strength;

    (void)state;
    wired_open(&w, 6, 0, pairs, COUNT(pairs));
    strength = strength_of(&w);
    assert_int_equal(strength.groups, 3);
    assert_near(strength.rate_Bps, 6);
    wired_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_four_needs_three_quarters_of_v),
        cmocka_unit_test(four_ranks_all_wired_need_half_of_v),
        cmocka_unit_test(a_line_and_a_star_of_four_need_all_of_v),
        cmocka_unit_test(two_fast_pairs_are_limited_by_what_joins_them),
        cmocka_unit_test(pairs_a_little_worse_than_single_ranks_are_found),
        cmocka_unit_test(a_partition_may_have_groups_of_any_number),
    };

    return cmocka_run_group_tests_name("strength", tests, NULL, NULL);
}
