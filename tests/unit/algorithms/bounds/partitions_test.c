/*
 * Partitions and shifts that a machine keeps.
 */
#include "algorithms/bounds/partitions.h"

#include "tests/unit/algorithms/bounds/wired.h"
#include "topo/graph/lower.h"

/* Two fast pairs, joined by slow wires. */
static void open_pairs(struct wired *w)
{
    const struct pair pairs[] = {{0, 1, 10}, {2, 3, 10}, {0, 2, 1}, {1, 3, 1}};

    wired_open(w, 4, 0, pairs, COUNT(pairs));
}

static struct cs_partition find(struct cs_partitions *partitions, struct wired *w,
                                enum cs_cut_direction direction)
{
    struct cs_cells cells = cs_cells_of(&w->graph, 0, &w->arena);

    return cs_partitions_find(partitions, &w->graph, &cells, 0, direction);
}

WIRED_TEST(a_partition_is_searched_once)
{
    struct cs_partitions *partitions;
    struct cs_partition first;

    open_pairs(w);
    partitions = cs_partitions_new(&w->arena);
    first = find(partitions, w, CS_CUT_INTO);
    assert_int_equal(first.groups, 2);
    assert_near(first.rate_Bps, 4, 1e-9);
    assert_non_null(first.why);
    assert_ptr_equal(find(partitions, w, CS_CUT_INTO).why, first.why);
}

TEST(directions_have_partitions_of_their_own)
{
    struct cs_partitions *partitions;
    const char *into;

    CS_AT_END(wired_close) struct wired w;

    open_pairs(&w);
    partitions = cs_partitions_new(&w.arena);
    into = find(partitions, &w, CS_CUT_INTO).why;
    assert_ptr_not_equal(find(partitions, &w, CS_CUT_OUT_OF).why, into);
    assert_ptr_equal(find(partitions, &w, CS_CUT_INTO).why, into);
}

/* The order of ranks decides which of them the text names. */
WIRED_TEST(other_ranks_have_a_partition_of_their_own)
{
    struct cs_partitions *partitions;
    uint32_t swapped[] = {1, 0, 2, 3};
    const char *first;

    open_pairs(w);
    partitions = cs_partitions_new(&w->arena);
    first = find(partitions, w, CS_CUT_INTO).why;
    w->graph.rank_device = swapped;
    assert_ptr_not_equal(find(partitions, w, CS_CUT_INTO).why, first);
    w->graph.rank_count = 2;
    assert_int_equal(find(partitions, w, CS_CUT_INTO).groups, 2);
}

/* A shift along the slow wires, and one that alternates: 2 blocks over them. */
WIRED_TEST(a_shift_is_searched_once_for_an_order_of_ranks)
{
    const uint32_t order[] = {0, 2, 1, 3};
    struct cs_partitions *partitions;
    struct cs_shift first;
    struct cs_net net;

    open_pairs(w);
    partitions = cs_partitions_new(&w->arena);
    cs_lower(&w->graph, &net, &w->arena);
    first = cs_partitions_shift(partitions, &w->graph, &net);
    assert_near(first.seconds_per_byte, 0.5, 1e-9);
    assert_non_null(strstr(first.why, "routes from each rank to the next, over "));
    assert_ptr_equal(cs_partitions_shift(partitions, &w->graph, &net).why, first.why);
    cs_net_reorder(&net, order, &w->arena);
    assert_near(cs_partitions_shift(partitions, &w->graph, &net).seconds_per_byte, 1, 1e-9);
}

/* Of a set of two ranks 2 units leave; that of the root needs the root's search. */
WIRED_TEST(a_cut_is_searched_once_for_a_root_and_agents)
{
    struct cs_partitions *partitions;
    struct cs_found_cut first;
    uint32_t agent = 3;
    struct cs_cells cells;

    open_pairs(w);
    cells = cs_cells_of(&w->graph, 0, &w->arena);
    partitions = cs_partitions_new(&w->arena);
    first = cs_partitions_cut(partitions, &w->graph, &cells, 0, CS_CUT_INTO, cs_cuts_narrowest);
    assert_near(first.rate_Bps, 2, 1e-9);
    assert_int_equal(first.ranks, 2);
    assert_false(first.has_root);
    assert_ptr_equal(
        cs_partitions_cut(partitions, &w->graph, &cells, 0, CS_CUT_INTO, cs_cuts_narrowest).why,
        first.why);
    assert_ptr_not_equal(
        cs_partitions_cut(partitions, &w->graph, &cells, 0, CS_CUT_OUT_OF, cs_cuts_narrowest).why,
        first.why);
    assert_true(
        cs_partitions_cut(partitions, &w->graph, &cells, 0, CS_CUT_INTO, cs_cuts_towards).has_root);
    cells = cs_cells_of(&w->graph, 1, &w->arena);
    assert_ptr_not_equal(
        cs_partitions_cut(partitions, &w->graph, &cells, 1, CS_CUT_INTO, cs_cuts_narrowest).why,
        first.why);
    w->graph.agent_device = &agent;
    w->graph.agent_count = 1;
    assert_ptr_not_equal(
        cs_partitions_cut(partitions, &w->graph, &cells, 0, CS_CUT_INTO, cs_cuts_narrowest).why,
        first.why);
}

WIRED_TEST(a_single_rank_has_no_partition)
{
    struct cs_partition none;

    open_pairs(w);
    w->graph.rank_count = 1;
    none = find(cs_partitions_new(&w->arena), w, CS_CUT_INTO);
    assert_int_equal(none.groups, 0);
    assert_null(none.why);
}
