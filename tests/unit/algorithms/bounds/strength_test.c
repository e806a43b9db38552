/*
 * Partitions of small machines, against values worked out by hand.
 */
#include "algorithms/bounds/strength.h"

#include "tests/fixture.h"
#include "tests/unit/algorithms/bounds/wired.h"

/* 2 (m-1) over the sum of rates: an all-reduce's seconds for each byte. */
static struct cs_strength strength_of(struct wired *wired)
{
    struct cs_network network = wired_network(wired, CS_CUT_INTO);

    return cs_strength_of(&network, &wired->arena);
}

static void expect_seconds(uint32_t ranks, const struct pair *pairs, size_t count, double seconds)
{
    CS_AT_END(wired_close) struct wired w;
    struct cs_strength strength;

    wired_open(&w, ranks, 0, pairs, count);
    strength = strength_of(&w);
    assert_near(2 * (strength.groups - 1) / strength.rate_Bps, seconds, 1e-9);
}

TEST(a_ring_of_four_needs_three_quarters_of_v)
{
    const struct pair pairs[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}};

    expect_seconds(4, pairs, COUNT(pairs), 0.75);
}

TEST(four_ranks_all_wired_need_half_of_v)
{
    const struct pair pairs[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {1, 2, 1}, {1, 3, 1}, {2, 3, 1}};

    expect_seconds(4, pairs, COUNT(pairs), 0.5);
}

TEST(a_line_and_a_star_of_four_need_all_of_v)
{
    const struct pair line[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}};
    const struct pair star[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}};

    expect_seconds(4, line, COUNT(line), 1);
    expect_seconds(4, star, COUNT(star), 1);
}

WIRED_TEST(two_fast_pairs_are_limited_by_what_joins_them)
{
    const struct pair pairs[] = {{0, 1, 10}, {2, 3, 10}, {0, 2, 1}, {1, 3, 1}};
    struct cs_strength strength;

    wired_open(w, 4, 0, pairs, COUNT(pairs));
    strength = strength_of(w);
    assert_int_equal(strength.groups, 2);
    assert_near(strength.rate_Bps, 4, 1e-9);
    assert_int_equal(strength.first.ranks, 2);
    assert_true(strength.first.inside[0] == strength.first.inside[1]);
}

/* A rate of 16 for three more groups than one, of single ranks, or of 4 for one more, of
 * pairs: little less. */
TEST(pairs_a_little_worse_than_single_ranks_are_found)
{
    const struct pair pairs[] = {{0, 1, 3}, {2, 3, 3}, {0, 2, 1}, {1, 3, 1}};

    expect_seconds(4, pairs, COUNT(pairs), 0.5);
}

/* Three pairs on a slow ring: groups of two, and not of one or three. */
WIRED_TEST(a_partition_may_have_groups_of_any_number)
{
    const struct pair pairs[] = {{0, 1, 9}, {2, 3, 9}, {4, 5, 9}, {1, 2, 1}, {3, 4, 1}, {5, 0, 1}};
    struct cs_strength strength;

    wired_open(w, 6, 0, pairs, COUNT(pairs));
    strength = strength_of(w);
    assert_int_equal(strength.groups, 3);
    assert_near(strength.rate_Bps, 6, 1e-9);
}

/* The least rate for each group more than one, over all divisions of the ranks from `rank`
 * on among groups, which are sets of ranks as bits. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as there are ranks */
static double least_of_all(const struct wired_web *web, uint32_t *group, uint32_t groups,
                           uint32_t rank)
{
    double least = (double)INFINITY;

    if (rank == web->ranks) {
        double sum = 0;

        for (uint32_t g = 0; g < groups; g++)
            sum += wired_rate_out(web, group[g]);
        return groups > 1 ? sum / (groups - 1) : least;
    }
    for (uint32_t g = 0; g <= groups; g++) {
        group[g] = (g < groups ? group[g] : 0) | 1U << rank;
        least = fmin(least, least_of_all(web, group, groups + (g == groups), rank + 1));
        group[g] &= ~(1U << rank);
    }
    return least;
}

TEST(no_division_has_a_lower_rate)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("strength");

    for (uint32_t n = 0; n < 100; n++) {
        struct wired_web web = wired_random(random, 2, 6, 1);
        uint32_t group[WIRED_DEVICES], first = 0;
        CS_AT_END(wired_close) struct wired w;
        struct cs_strength strength;

        wired_open(&w, web.ranks, 0, web.pair, web.wires);
        strength = strength_of(&w);
        assert_near(strength.rate_Bps / (strength.groups - 1), least_of_all(&web, group, 0, 0),
                    1e-9);
        for (uint32_t r = 0; r < web.ranks; r++)
            first |= (uint32_t)strength.first.inside[r] << r;
        assert_int_equal(strength.first.ranks, __builtin_popcount(first));
        assert_true(first && first + 1 < 1U << web.ranks);
        assert_true(wired_rate_out(&web, first) <= strength.rate_Bps * (1 + 1e-9));
    }
}

static struct cs_strength strength_with(struct machine *machine, struct cs_cells cells)
{
    struct cs_network network =
        cs_network_of(&machine->graph, &cells, CS_CUT_INTO, &machine->arena);

    return cs_strength_of(&network, &machine->arena);
}

/* Hosts merged into one stand for themselves. */
TEST(merged_hosts_change_no_rate)
{
    static const char *const nodes[] = {"dgx-1", "dgx-h100", "mi250x", "a100-pcie", "ascend910"};
    static const char *const fabrics[] = {"star", "rail", "fat-tree,radix=16"};

    for (size_t i = 0; i < 15; i++) {
        CS_AT_END(machine_close) struct machine machine;
        struct cs_strength merged, single;
        char spec[80];

        snprintf(spec, sizeof(spec), "cluster:node=%s,nodes=%zu,fabric=%s", nodes[i / 3], 2 + i % 4,
                 fabrics[i % 3]);
        machine_open(&machine, spec, 0, 0);
        merged = strength_with(&machine, cs_cells_of(&machine.graph, CS_NO_CELL, &machine.arena));
        single = strength_with(&machine, cs_cells_single(&machine.graph, &machine.arena));
        assert_near(merged.rate_Bps / (merged.groups - 1), single.rate_Bps / (single.groups - 1),
                    1e-9);
        assert_int_equal(merged.groups, single.groups);
        assert_int_equal(merged.first.ranks, single.first.ranks);
    }
}
