/* GOAL graphs: rounds, lanes, waits and cycles. */
#include "algorithms/schedules/goal/graph.h"

#include "tests/fixture.h"

struct graph {
    struct cs_goal_edges edges, starts;
    struct cs_goal_lanes lanes;
    struct cs_arena arena;
};

static void graph_require(struct graph *graph, uint32_t after, uint32_t before)
{
    cs_goal_edges_add(&graph->edges, (struct cs_goal_edge){after, before});
}

static struct cs_goal_result graph_layout(struct graph *graph, uint32_t ops)
{
    return cs_goal_layout(ops, &graph->edges, &graph->starts, &graph->lanes, &graph->arena);
}

static void graph_free(struct graph *graph)
{
    cs_goal_edges_free(&graph->edges);
    cs_goal_edges_free(&graph->starts);
    cs_arena_free(&graph->arena);
}

#define GRAPH_TEST(name) TEST_OF(struct graph, graph, graph_free, name)

GRAPH_TEST(a_tidy_list_is_sorted_without_duplicates)
{
    graph_require(graph, 2, 1);
    graph_require(graph, 1, 0);
    graph_require(graph, 2, 1);
    graph_require(graph, 2, 0);
    cs_goal_edges_tidy(&graph->edges);
    assert_int_equal(graph->edges.count, 3);
    assert_int_equal(graph->edges.edge[0].after, 1);
    assert_int_equal(graph->edges.edge[1].before, 0);
    assert_int_equal(graph->edges.edge[2].before, 1);
}

GRAPH_TEST(rows_list_both_directions)
{
    struct cs_goal_rows needs, needed_by;

    graph_require(graph, 2, 0);
    graph_require(graph, 2, 1);
    needs = cs_goal_rows_of(3, &graph->edges, CS_GOAL_NEEDS, &graph->arena);
    needed_by = cs_goal_rows_of(3, &graph->edges, CS_GOAL_NEEDED_BY, &graph->arena);
    assert_int_equal(needs.row[2], 0);
    assert_int_equal(needs.row[3], 2);
    assert_int_equal(needs.to[1], 1);
    assert_int_equal(needed_by.row[1], 1);
    assert_int_equal(needed_by.row[2], 2);
    assert_int_equal(needed_by.to[0], 2);
}

GRAPH_TEST(ops_with_equal_requirements_share_a_round)
{
    graph_require(graph, 1, 0);
    graph_require(graph, 2, 0);
    graph_require(graph, 3, 1);
    graph_require(graph, 3, 2);
    assert_int_equal(graph_layout(graph, 4).fault, CS_GOAL_FINE);
    assert_int_equal(graph->lanes.count, 1);
    assert_int_equal(graph->lanes.nodes[graph->lanes.first[0]].ops, 1);
    assert_int_equal(graph->lanes.nodes[graph->lanes.nodes[graph->lanes.first[0]].next].ops, 2);
}

/* 0 -> 1 -> 3 and 0 -> 2 -> 4, then 5 after 3 and 4. */
GRAPH_TEST(a_join_waits_for_the_other_lane)
{
    uint32_t waits = 0;

    graph_require(graph, 1, 0);
    graph_require(graph, 2, 0);
    graph_require(graph, 3, 1);
    graph_require(graph, 4, 2);
    graph_require(graph, 5, 3);
    graph_require(graph, 5, 4);
    assert_int_equal(graph_layout(graph, 6).fault, CS_GOAL_FINE);
    assert_int_equal(graph->lanes.count, 2);
    for (uint32_t i = 0; i < 6; i++)
        waits += graph->lanes.nodes[i].waits;
    assert_int_equal(waits, 2); /* the fork and the join */
}

GRAPH_TEST(independent_chains_get_separate_lanes)
{
    graph_require(graph, 2, 0);
    graph_require(graph, 3, 1);
    assert_int_equal(graph_layout(graph, 4).fault, CS_GOAL_FINE);
    assert_int_equal(graph->lanes.count, 2);
}

GRAPH_TEST(a_cycle_is_found_with_an_op)
{
    struct cs_goal_result result;

    graph_require(graph, 1, 2);
    graph_require(graph, 2, 1);
    result = graph_layout(graph, 3);
    assert_int_equal(result.fault, CS_GOAL_CYCLE);
    assert_int_equal(result.where, 1);
}

GRAPH_TEST(a_cycle_through_starts_is_found)
{
    graph_require(graph, 1, 0);
    cs_goal_edges_add(&graph->starts, (struct cs_goal_edge){0, 1});
    assert_int_equal(graph_layout(graph, 2).fault, CS_GOAL_CYCLE);
}

GRAPH_TEST(a_start_inherits_predecessors_along_a_chain)
{
    /* 1 after 0; 2 starts with 1; 3 starts with 2: all three after 0. */
    graph_require(graph, 1, 0);
    cs_goal_edges_add(&graph->starts, (struct cs_goal_edge){2, 1});
    cs_goal_edges_add(&graph->starts, (struct cs_goal_edge){3, 2});
    assert_int_equal(graph_layout(graph, 4).fault, CS_GOAL_FINE);
    assert_int_equal(graph->lanes.count, 1);
    assert_int_equal(graph->lanes.nodes[graph->lanes.nodes[graph->lanes.first[0]].next].ops, 3);
}
