#include "scenarios/run/slowed_site.h"

#include "algorithms/libraries/site/node.h"
#include "topo/graph/equal_wires.h"

/* Marks the wires of the route between two ranks. */
static void slowed_mark_route(const struct cs_run *run, uint32_t src, uint32_t dst, uint32_t *links,
                              bool *used)
{
    const struct cs_net *net = &run->plan_net;
    uint32_t hops = net->route(net->route_ctx, src, dst, links);

    for (uint32_t i = 0; i < hops; i++)
        if (links[i] / 2 < run->graph.wire_count)
            used[links[i] / 2] = true;
}

/* The wires of a library's traffic: between neighbours, between equal GPUs of
 * neighbouring nodes, and the GPU links of the ranks. */
static bool *slowed_used_wires(const struct cs_run *run, uint32_t node_ranks)
{
    const struct cs_graph *graph = &run->graph;
    uint32_t ranks = graph->rank_count;
    uint32_t *links = cs_arena_alloc(run->arena, run->plan_net.max_hops + 1, sizeof(*links));
    bool *computes = cs_arena_alloc(run->arena, graph->device_count, sizeof(*computes));
    bool *used = cs_arena_alloc(run->arena, graph->wire_count, sizeof(*used));

    for (uint32_t r = 0; r < ranks; r++) {
        computes[graph->rank_device[r]] = true;
        slowed_mark_route(run, r, (r + 1) % ranks, links, used);
        slowed_mark_route(run, r, (r + node_ranks) % ranks, links, used);
    }
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        used[w] = used[w] || (cs_site_is_link(wire) && (computes[wire->a] || computes[wire->b]));
    }
    return used;
}

/* Gives every wire the least share of the equal wires in use. */
static void slowed_spread(const struct cs_run *run, const bool *used, struct cs_graph *graph)
{
    double *share = cs_arena_alloc(run->arena, graph->wire_count, sizeof(*share));
    uint32_t v, w;

    for (w = 0; w < graph->wire_count; w++)
        share[w] = 1;
    for (w = 0; w < graph->wire_count; w++) {
        double least =
            run->graph.wires[w].efficiency / run->machine->plan_graph.wires[w].efficiency;

        for (v = 0; used[w] && least < share[w] && v < graph->wire_count; v++)
            if (least < share[v] && cs_wires_are_equal(graph, v, w) && v != w)
                share[v] = least;
        if (used[w] && least < share[w])
            share[w] = least;
    }
    /* The rate, as the efficiency also counts as the share of payload. */
    for (w = 0; w < graph->wire_count; w++)
        graph->wires[w].rate_Bps *= share[w];
}

int cs_slowed_site_read(const struct cs_run *run, struct cs_site *planned, struct cs_site *site)
{
    struct cs_graph graph, slowed;
    int code;

    if (!run->machine->has_hidden) {
        code = cs_site_read(&run->graph, run->arena, site, run->err);
        *planned = *site;
        return code;
    }
    cs_graph_share(&run->machine->plan_graph, &graph, run->arena);
    graph.rank_count = run->graph.rank_count;
    graph.rank_device = run->graph.rank_device;
    code = cs_site_read(&graph, run->arena, planned, run->err);
    if (code)
        return code;
    cs_graph_copy(&graph, &slowed, run->arena);
    slowed_spread(run, slowed_used_wires(run, planned->node_ranks), &slowed);
    return cs_site_read(&slowed, run->arena, site, run->err);
}
