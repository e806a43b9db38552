/*
 * The wires that routes take, and bounds over them alone.
 */
#include "algorithms/bounds/bound.h"
#include "algorithms/bounds/used_links.h"

#include "tests/unit/algorithms/bounds/wired.h"
#include "topo/graph/lower.h"

struct restricted {
    struct wired w;
    struct cs_net net, few_net;
    struct cs_graph few;
    bool is_less;
};

/* Ranks 0 and 1 on a fast switch 2 and a slow switch 3. */
static void restricted_open(struct restricted *of, double slow_Bps)
{
    const struct pair pairs[] = {{0, 2, 8e9}, {1, 2, 8e9}, {0, 3, slow_Bps}, {1, 3, slow_Bps}};

    wired_open(&of->w, 2, 2, pairs, COUNT(pairs));
    cs_lower(&of->w.graph, &of->net, &of->w.arena);
    of->is_less = cs_used_links_of(&of->w.graph, &of->net, &of->few, &of->few_net, &of->w.arena);
}

static double bound_of(struct restricted *of, const struct cs_graph *graph,
                       const struct cs_net *net)
{
    struct cs_bound_request request = {.collective = &cs_collective_allreduce,
                                       .vector_bytes = 80e9};

    return cs_bound_of(graph, net, &request, &of->w.arena).time_s;
}

TEST(wires_that_no_route_takes_are_down)
{
    struct restricted of;

    restricted_open(&of, 2e9);
    assert_true(of.is_less);
    assert_false(of.few.wires[0].down || of.few.wires[1].down);
    assert_true(of.few.wires[2].down && of.few.wires[3].down);
    assert_false(of.w.graph.wires[2].down);
    assert_true(of.few_net.links[4].down && of.few_net.links[5].down);
    wired_close(&of.w);
}

TEST(the_bound_is_that_of_the_remaining_wires)
{
    struct restricted of;

    restricted_open(&of, 2e9);
    assert_near(bound_of(&of, &of.w.graph, &of.net), 8, 1e-9);
    assert_near(bound_of(&of, &of.few, &of.few_net), 10, 1e-9);
    wired_close(&of.w);
}

TEST(a_choice_of_routes_may_use_every_wire)
{
    struct cs_route_choice choice = {0};
    struct restricted of;

    restricted_open(&of, 2e9);
    of.net.choice = &choice;
    assert_false(cs_used_links_of(&of.w.graph, &of.net, &of.few, &of.few_net, &of.w.arena));
    wired_close(&of.w);
}

TEST(a_machine_whose_wires_are_all_used_is_not_copied)
{
    const struct pair pairs[] = {{0, 2, 8e9}, {1, 2, 8e9}};
    struct restricted of;

    wired_open(&of.w, 2, 1, pairs, COUNT(pairs));
    cs_lower(&of.w.graph, &of.net, &of.w.arena);
    assert_false(cs_used_links_of(&of.w.graph, &of.net, &of.few, &of.few_net, &of.w.arena));
    wired_close(&of.w);
}
