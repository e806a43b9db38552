#include "topo/lower.h"

#include "topo/route.h"

#include <math.h>

/* A server number for each wire's links; wires of one bus share the bus's. */
struct servers {
    uint32_t *of_bus; /* device -> server + 1; 0: none yet */
    uint32_t count;
};

static uint32_t bus_server(const struct cs_graph *graph,
                           const struct cs_wire *wire, struct servers *servers)
{
    uint32_t bus =
        graph->devices[wire->a].kind == CS_DEVICE_BUS ? wire->a : wire->b;

    if (servers->of_bus[bus] == 0)
        servers->of_bus[bus] = ++servers->count;
    return servers->of_bus[bus] - 1;
}

static void lower_wire(const struct cs_graph *graph, uint32_t w,
                       struct servers *servers, struct cs_net_link *links)
{
    const struct cs_wire *wire = &graph->wires[w];

    for (uint32_t side = 0; side < 2; side++) {
        bool is_free = cs_graph_link_is_free(graph, 2 * w + side);

        links[side] = (struct cs_net_link){
            .from = side ? wire->b : wire->a,
            .to = side ? wire->a : wire->b,
            .rate_Bps = is_free ? (double)INFINITY : cs_wire_effective(wire),
            .latency_ps = is_free ? 0 : wire->latency_ps,
            .down = wire->down,
        };
    }
    switch (wire->duplex) {
    case CS_DUPLEX_FULL:
        links[0].server = servers->count++;
        links[1].server = servers->count++;
        break;
    case CS_DUPLEX_HALF:
        links[0].server = links[1].server = servers->count++;
        break;
    case CS_DUPLEX_BUS:
        /* What costs nothing does not stand in line either. */
        for (uint32_t side = 0; side < 2; side++)
            links[side].server = isinf(links[side].rate_Bps)
                                     ? servers->count++
                                     : bus_server(graph, wire, servers);
        break;
    }
}

static struct cs_net_party lower_party(const struct cs_graph *graph, uint32_t d)
{
    const struct cs_device *device = &graph->devices[d];

    return (struct cs_net_party){
        .node = d,
        .reduce_ps_per_byte =
            device->reduce_Bps > 0 ? 1e12 / device->reduce_Bps : 0,
        .reduce_overhead_ps = device->reduce_overhead_ps,
    };
}

static void lower_routes(const struct cs_graph *graph, struct cs_net *net,
                         struct cs_arena *arena)
{
    struct cs_routes *routes;

    if (graph->route) {
        net->route = graph->route;
        net->route_ctx = graph->route_ctx;
        net->max_hops = graph->route_max_hops;
        return;
    }
    routes = cs_routes_new(graph, arena);
    net->route = cs_routes_find;
    net->route_ctx = routes;
    net->max_hops = cs_routes_max_hops(routes);
}

void cs_lower(const struct cs_graph *graph, struct cs_net *net,
              struct cs_arena *arena)
{
    struct servers servers = {0};

    *net = (struct cs_net){
        .node_count = graph->device_count,
        .link_count = 2 * graph->wire_count,
        .party_count = graph->rank_count + graph->agent_count,
    };
    net->links = cs_arena_alloc(arena, net->link_count, sizeof(*net->links));
    net->parties =
        cs_arena_alloc(arena, net->party_count, sizeof(*net->parties));
    servers.of_bus =
        cs_arena_alloc(arena, graph->device_count, sizeof(*servers.of_bus));
    for (uint32_t w = 0; w < graph->wire_count; w++)
        lower_wire(graph, w, &servers, &net->links[2 * (size_t)w]);
    net->server_count = servers.count;
    for (uint32_t i = 0; i < graph->rank_count; i++)
        net->parties[i] = lower_party(graph, graph->rank_device[i]);
    for (uint32_t i = 0; i < graph->agent_count; i++)
        net->parties[graph->rank_count + i] =
            lower_party(graph, graph->agent_device[i]);
    lower_routes(graph, net, arena);
    cs_net_finish(net);
}
