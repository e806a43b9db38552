#include "topo/inside.h"

#include "topo/route.h"

#include <string.h>

enum {
    NO_LINK = UINT32_MAX
};

/* The way into the switch and out of it, for each rank. */
struct ways {
    cs_route_fn *route; /* between ranks */
    void *route_ctx;
    uint32_t ranks;
    uint32_t *into;   /* rank -> link to the switch */
    uint32_t *out_of; /* rank -> link from it */
};

static uint32_t inside_route(void *ctx, uint32_t src, uint32_t dst,
                             uint32_t *links)
{
    const struct ways *ways = ctx;

    if (dst >= ways->ranks && src < ways->ranks)
        links[0] = ways->into[src];
    else if (src >= ways->ranks && dst < ways->ranks)
        links[0] = ways->out_of[dst];
    else
        return ways->route(ways->route_ctx, src, dst, links);
    return 1;
}

/* The switch with the most bandwidth straight to ranks; the first of equals.
 * device_count when there is none. */
static uint32_t busiest_switch(const struct cs_graph *graph)
{
    double *rates_Bps =
        cs_arena_alloc(graph->arena, graph->device_count, sizeof(*rates_Bps));
    uint32_t best = graph->device_count;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        if (cs_device_computes(graph->devices[wire->a].kind))
            rates_Bps[wire->b] += cs_wire_effective(wire);
        if (cs_device_computes(graph->devices[wire->b].kind))
            rates_Bps[wire->a] += cs_wire_effective(wire);
    }
    for (uint32_t d = 0; d < graph->device_count; d++) {
        enum cs_device_kind kind = graph->devices[d].kind;

        if (kind != CS_DEVICE_SWITCH && kind != CS_DEVICE_BUS)
            continue;
        if (rates_Bps[d] > 0 &&
            (best == graph->device_count || rates_Bps[d] > rates_Bps[best]))
            best = d;
    }
    return best;
}

static uint32_t *no_links(const struct cs_graph *graph)
{
    uint32_t *links =
        cs_arena_alloc(graph->arena, graph->rank_count, sizeof(*links));

    memset(links, 0xff, graph->rank_count * sizeof(*links));
    return links;
}

static struct ways *find_ways(const struct cs_graph *graph, uint32_t inside)
{
    struct ways *ways = cs_arena_alloc(graph->arena, 1, sizeof(*ways));
    uint32_t *rank_of =
        cs_arena_alloc(graph->arena, graph->device_count, sizeof(*rank_of));

    ways->ranks = graph->rank_count;
    ways->into = no_links(graph);
    ways->out_of = no_links(graph);
    for (uint32_t r = 0; r < graph->rank_count; r++)
        rank_of[graph->rank_device[r]] = r + 1;
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        uint32_t side = wire->b == inside ? 0 : 1;
        uint32_t device = side ? wire->b : wire->a;

        if ((wire->a != inside && wire->b != inside) || !rank_of[device])
            continue;
        ways->into[rank_of[device] - 1] = 2 * w + side;
        ways->out_of[rank_of[device] - 1] = 2 * w + 1 - side;
    }
    return ways;
}

static int check_ways(const struct cs_graph *graph, const struct ways *ways,
                      uint32_t inside, struct cs_err *err)
{
    for (uint32_t r = 0; r < graph->rank_count; r++)
        if (ways->into[r] == NO_LINK)
            return cs_err_set(err, CS_EINPUT,
                              "'%s' cannot be reached from '%s' by a wire of "
                              "its own, which reduction in the switch needs",
                              graph->devices[inside].name,
                              graph->devices[graph->rank_device[r]].name);
    return 0;
}

int cs_graph_seat_inside(struct cs_graph *graph, uint32_t agents,
                         struct cs_err *err)
{
    uint32_t inside = busiest_switch(graph);
    struct ways *ways;

    if (inside == graph->device_count)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' has no switch that its ranks are wired to",
                          graph->name);
    ways = find_ways(graph, inside);
    if (check_ways(graph, ways, inside, err))
        return CS_EINPUT;
    ways->route = graph->route;
    ways->route_ctx = graph->route_ctx;
    if (!graph->route) {
        struct cs_routes *routes = cs_routes_new(graph, graph->arena);

        ways->route = cs_routes_find;
        ways->route_ctx = routes;
        graph->route_max_hops = cs_routes_max_hops(routes);
    }
    graph->route = inside_route;
    graph->route_ctx = ways;
    graph->agent_count = agents;
    graph->agent_device =
        cs_arena_alloc(graph->arena, agents, sizeof(*graph->agent_device));
    for (uint32_t i = 0; i < agents; i++)
        graph->agent_device[i] = inside;
    return 0;
}
