/*
 * Concurrent flow between pairs of ranks, against known optima.
 */
#include "algorithms/bounds/rates/pairs.h"

#include "tests/fixture.h"
#include "tests/unit/algorithms/bounds/wired.h"

static struct cs_pairs pairs_of(struct wired *wired)
{
    struct cs_cells cells = cs_cells_of(&wired->graph, CS_NO_CELL, &wired->arena);
    struct cs_lengths lengths = cs_lengths_of(&wired->graph, &cells, &wired->arena);

    struct cs_demand demand = cs_demand_of_all(&lengths, &wired->arena);

    return cs_pairs_of(&demand, &wired->arena);
}

static void expect_seconds(uint32_t ranks, uint32_t switches, const struct pair *pairs,
                           size_t count, double seconds)
{
    CS_AT_END(wired_close) struct wired w;
    struct cs_pairs bound;

    wired_open(&w, ranks, switches, pairs, count);
    bound = pairs_of(&w);
    assert_true(bound.is_exact);
    assert_near(bound.seconds_per_byte, seconds, 1e-9);
}

/* Distances 1 1 2 2 from each of five ranks, over ten directions. */
TEST(a_ring_of_five_is_limited_by_its_distances)
{
    const struct pair pairs[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 0, 1}};

    expect_seconds(5, 0, pairs, COUNT(pairs), 3);
}

/* K(2,3): the cuts allow 2 s; 8 pairs are 2 apart and 12 are 1, over 12
 * directions (Okamura and Seymour, JCTB 31, 1981). */
TEST(k23_is_limited_by_more_than_cuts)
{
    const struct pair pairs[] = {{0, 2, 1}, {0, 3, 1}, {0, 4, 1}, {1, 2, 1}, {1, 3, 1}, {1, 4, 1}};

    expect_seconds(5, 0, pairs, COUNT(pairs), (12 + 8 * 2) / 12.0);
}

TEST(a_slow_wire_in_the_middle_carries_all_pairs_across)
{
    const struct pair pairs[] = {{0, 4, 9}, {1, 4, 9}, {2, 5, 9}, {3, 5, 9}, {4, 5, 1}};

    expect_seconds(4, 2, pairs, COUNT(pairs), 4);
}

/* One rank has a wire of rate 2 and all others of 8: four blocks by 2. */
TEST(a_slow_port_limits_its_own_blocks)
{
    const struct pair pairs[] = {{0, 5, 2}, {1, 5, 8}, {2, 5, 8}, {3, 5, 8}, {4, 5, 8}};

    expect_seconds(5, 1, pairs, COUNT(pairs), 2);
}

/* Both directions of a half-duplex wire, and all ranks of a bus, share. */
WIRED_TEST(what_is_shared_carries_both_directions)
{
    const struct pair pairs[] = {{0, 3, 4}, {1, 3, 4}, {2, 3, 4}};

    wired_open(w, 3, 1, pairs, COUNT(pairs));
    for (uint32_t i = 0; i < 3; i++)
        w->graph.wires[i].duplex = CS_DUPLEX_HALF;
    assert_near(pairs_of(w).seconds_per_byte, 1, 1e-9);
    w->graph.devices[3].kind = CS_DEVICE_BUS;
    for (uint32_t i = 0; i < 3; i++)
        w->graph.wires[i].duplex = CS_DUPLEX_BUS;
    assert_near(pairs_of(w).seconds_per_byte, 6 / 4.0, 1e-9);
}

enum {
    LEAVES = 100,
    LEAF_RANKS = 2 * LEAVES
};

/* Leaf switches of two ranks each, no two with equal uplinks: too many resources for the
 * best prices.  The first uplink has the rate, each other one a step more. */
static double seconds_of_leaves(double rate, double step)
{
    struct pair pairs[LEAF_RANKS + LEAVES];
    CS_AT_END(wired_close) struct wired w;
    struct cs_pairs bound;

    for (uint32_t r = 0; r < LEAF_RANKS; r++)
        pairs[r] = (struct pair){r, LEAF_RANKS + r / 2, 1};
    for (uint32_t i = 0; i < LEAVES; i++)
        pairs[LEAF_RANKS + i] = (struct pair){LEAF_RANKS + i, LEAF_RANKS + LEAVES, rate + step * i};
    wired_open(&w, LEAF_RANKS, LEAVES + 1, pairs, COUNT(pairs));
    bound = pairs_of(&w);
    assert_false(bound.is_exact);
    return bound.seconds_per_byte;
}

/* A rank's port of rate 1 carries the blocks of 199 others. */
TEST(ports_limit_a_large_machine_of_fast_switches)
{
    assert_near(seconds_of_leaves(1000, 1), LEAF_RANKS - 1, 1e-9);
}

/* Both directions of the uplinks carry 198 blocks of each rank. */
TEST(uplinks_limit_a_large_machine_of_slow_switches)
{
    double rates = 0;

    for (uint32_t i = 0; i < LEAVES; i++)
        rates += 0.1 + 1e-6 * i;
    assert_near(seconds_of_leaves(0.1, 1e-6), LEAF_RANKS * (LEAF_RANKS - 2) / rates, 1e-9);
}

/* ---- blocks to the next rank ---- */

/* Ranks 0 1 2 3 on switches 4 5, in this order of ranks. */
static void expect_shift(const uint32_t *order, double seconds)
{
    const struct pair pairs[] = {{0, 4, 9}, {1, 4, 9}, {2, 5, 9}, {3, 5, 9}, {4, 5, 1}};
    CS_AT_END(wired_close) struct wired w;
    struct cs_cells cells;
    struct cs_lengths lengths;
    struct cs_demand demand;
    struct cs_pairs bound;
    struct cs_net net;

    wired_open(&w, 4, 2, pairs, COUNT(pairs));
    cs_lower(&w.graph, &net, &w.arena);
    cs_net_reorder(&net, order, &w.arena);
    cells = cs_cells_single(&w.graph, &w.arena);
    lengths = cs_lengths_of(&w.graph, &cells, &w.arena);
    demand = cs_demand_of_shift(&lengths, &w.graph, &net, &w.arena);
    bound = cs_pairs_of(&demand, &w.arena);
    assert_true(bound.is_exact);
    assert_near(bound.seconds_per_byte, seconds, 1e-9);
}

TEST(a_shift_crosses_once_where_neighbours_are_near)
{
    expect_shift((const uint32_t[]){0, 1, 2, 3}, 1);
}

TEST(a_shift_crosses_twice_where_ranks_alternate)
{
    expect_shift((const uint32_t[]){0, 2, 1, 3}, 2);
}

/* An adapter without a network, behind a socket: on no path between ranks. */
WIRED_TEST(dead_ends_have_no_resources)
{
    const struct pair pairs[] = {{0, 2, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}};
    struct cs_cells cells;
    struct cs_lengths lengths;

    wired_open(w, 2, 3, pairs, COUNT(pairs));
    cells = cs_cells_single(&w->graph, &w->arena);
    lengths = cs_lengths_of(&w->graph, &cells, &w->arena);
    assert_int_equal(lengths.resource_count, 4);
    assert_int_equal(lengths.first[cells.count], 4);
}

/* Ranks of a set of devices, as bits. */
static uint32_t ranks_in(const struct wired_web *web, uint32_t set)
{
    return (uint32_t)__builtin_popcount(set & ((1U << web->ranks) - 1));
}

/* Blocks out of a set of devices, over the rates of the wires that leave it: the most of all
 * sets. */
static double slowest_cut(const struct wired_web *web)
{
    double most = 0;

    for (uint32_t set = 1; set + 1 < 1U << web->devices; set++) {
        uint32_t inside = ranks_in(web, set);

        most = fmax(most, inside * (web->ranks - inside) / wired_rate_out(web, set));
    }
    return most;
}

/* Each direction of a wire, from 0: forwards and backwards in turn. */
static struct pair direction(const struct wired_web *web, size_t i)
{
    struct pair wire = web->pair[i / 2];

    return i % 2 ? (struct pair){wire.b, wire.a, wire.rate} : wire;
}

/* The direction by which a path of fewest wires from `s` enters each device. */
static void shortest_paths(const struct wired_web *web, uint32_t s, size_t *via)
{
    uint32_t far[WIRED_DEVICES];

    for (uint32_t d = 0; d < web->devices; d++) {
        far[d] = d == s ? 0 : UINT32_MAX;
        via[d] = 0;
    }
    for (uint32_t step = 0; step < web->devices; step++)
        for (size_t i = 0; i < 2 * web->wires; i++) {
            struct pair wire = direction(web, i);

            if (far[wire.a] == step && far[wire.b] == UINT32_MAX) {
                far[wire.b] = step + 1;
                via[wire.b] = i;
            }
        }
}

/* Every block by such a path. */
static double by_shortest_paths(const struct wired_web *web)
{
    double load[2 * WIRED_WIRES] = {0}, most = 0;

    for (uint32_t s = 0; s < web->ranks; s++) {
        size_t via[WIRED_DEVICES] = {0};

        shortest_paths(web, s, via);
        for (uint32_t t = 0; t < web->ranks; t++)
            for (uint32_t at = t; at != s; at = direction(web, via[at]).a)
                load[via[at]] += 1 / direction(web, via[at]).rate;
    }
    for (size_t i = 0; i < 2 * web->wires; i++)
        most = fmax(most, load[i]);
    return most;
}

/* No cut is slower, and no routing faster; the mixture of routes that proves it is found. */
TEST(few_ranks_have_the_best_of_all_routings)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("pairs");

    for (uint32_t n = 0; n < 100; n++) {
        struct wired_web web = wired_random(random, 3, 6, 2);
        struct cs_pairs bound;
        CS_AT_END(wired_close) struct wired w;

        wired_open(&w, web.ranks, web.devices - web.ranks, web.pair, web.wires);
        bound = pairs_of(&w);
        assert_true(bound.is_exact);
        assert_true(bound.seconds_per_byte >= slowest_cut(&web) * (1 - 1e-9));
        assert_true(bound.seconds_per_byte <= by_shortest_paths(&web) * (1 + 1e-9));
    }
}
