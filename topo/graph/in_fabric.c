#include "topo/graph/in_fabric.h"

#include "topo/graph/in_switch.h"
#include "topo/graph/route.h"

#include <assert.h>

/* Routes to and from the agents: parts of routes between ranks. */
struct fabric_routes {
    cs_route_fn *route; /* between ranks */
    void *route_ctx;
    const struct cs_graph *graph;
    uint32_t group; /* ranks of a node, and agents */
    uint32_t first; /* party; those before are agents inside nodes */
};

static uint32_t fabric_link_end(const struct cs_graph *graph, uint32_t link)
{
    struct cs_wire wire = cs_graph_wire(graph, link / 2);

    return link % 2 ? wire.a : wire.b;
}

/* The links of a route up to a device; 0: the route does not pass the device. */
static uint32_t hops_up_to(const struct cs_graph *graph, const uint32_t *links, uint32_t hops,
                           uint32_t device)
{
    for (uint32_t i = 0; i < hops; i++)
        if (fabric_link_end(graph, links[i]) == device)
            return i + 1;
    return 0;
}

/* The rank of the next node on the rail. */
static uint32_t next_on_rail(const struct fabric_routes *routes, uint32_t rank)
{
    return (rank + routes->group) % routes->graph->rank_count;
}

/* A rank and an agent of another rail have no route. */
static uint32_t fabric_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct fabric_routes *routes = ctx;
    const struct cs_graph *graph = routes->graph;
    uint32_t hops, skipped, i;

    if (src < routes->first && dst < routes->first)
        return routes->route(routes->route_ctx, src, dst, links);
    if (src >= graph->rank_count && dst >= graph->rank_count)
        return 0;
    if (src < graph->rank_count) {
        hops = routes->route(routes->route_ctx, src, next_on_rail(routes, src), links);
        return hops_up_to(graph, links, hops, cs_graph_party_device(graph, dst));
    }
    hops = routes->route(routes->route_ctx, next_on_rail(routes, dst), dst, links);
    skipped = hops_up_to(graph, links, hops, cs_graph_party_device(graph, src));
    for (i = skipped; i < hops; i++)
        links[i - skipped] = links[i];
    return skipped ? hops - skipped : 0;
}

/* The first switch outside of nodes on the route to the next node; device_count
 * without a switch. */
static uint32_t first_switch(const struct fabric_routes *routes, uint32_t rank, uint32_t *links)
{
    const struct cs_graph *graph = routes->graph;
    uint32_t hops = routes->route(routes->route_ctx, rank, next_on_rail(routes, rank), links);

    for (uint32_t i = 0; i < hops; i++) {
        uint32_t end = fabric_link_end(graph, links[i]);
        struct cs_device device = cs_graph_device(graph, end);

        if (device.kind == CS_DEVICE_SWITCH && device.host == CS_NO_HOST)
            return end;
    }
    return graph->device_count;
}

static int fabric_place_all(struct cs_graph *graph, const struct fabric_routes *routes,
                            uint32_t *agent_device, struct cs_err *err)
{
    uint32_t *links = cs_arena_alloc(graph->arena, graph->route_max_hops + 1, sizeof(*links));

    for (uint32_t rank = 0; rank < graph->rank_count; rank++) {
        uint32_t *slot = &agent_device[rank % routes->group];
        uint32_t met = first_switch(routes, rank, links);

        if (met == graph->device_count)
            return cs_err_set(err, CS_EINPUT,
                              "no switch is on the route from rank %u to rank %u in another node",
                              rank, next_on_rail(routes, rank));
        if (rank >= routes->group && *slot != met)
            return cs_err_set(err, CS_EINPUT,
                              "ranks %u and %u are on different switches, '%s' and '%s'; reduction "
                              "across nodes needs one switch for a rail",
                              rank % routes->group, rank, cs_graph_name(graph, *slot, graph->arena),
                              cs_graph_name(graph, met, graph->arena));
        *slot = met;
    }
    return 0;
}

/* Behind the agents that the graph has. */
static int fabric_place(struct cs_graph *graph, uint32_t agents, struct cs_err *err)
{
    struct fabric_routes *routes = cs_arena_alloc(graph->arena, 1, sizeof(*routes));
    uint32_t before = graph->agent_count;
    uint32_t *devices = cs_arena_alloc(graph->arena, before + agents, sizeof(*devices));
    int code;

    assert(agents > 0 && graph->rank_count % agents == 0 && graph->rank_count > agents);
    cs_routes_give(graph);
    *routes = (struct fabric_routes){graph->route, graph->route_ctx, graph, agents,
                                     graph->rank_count + before};
    for (uint32_t i = 0; i < before; i++)
        devices[i] = graph->agent_device[i];
    code = fabric_place_all(graph, routes, devices + before, err);
    if (code)
        return code;
    graph->agent_device = devices;
    graph->agent_count = before + agents;
    graph->route = fabric_route;
    graph->route_ctx = routes;
    return 0;
}

int cs_graph_place_fabric(struct cs_graph *graph, uint32_t agents, struct cs_err *err)
{
    graph->agent_count = 0;
    return fabric_place(graph, agents, err);
}

int cs_graph_place_nodes_and_fabric(struct cs_graph *graph, uint32_t agents, struct cs_err *err)
{
    uint32_t each = cs_graph_ranks_of_switch(graph);
    uint32_t nodes = each ? graph->rank_count / each : 0;
    int code;

    if (nodes < 2 || nodes * each != graph->rank_count || nodes + each != agents)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' has not one switch for the ranks of each of several nodes",
                          graph->name);
    code = cs_graph_place_nodes(graph, nodes, err);
    return code ? code : fabric_place(graph, each, err);
}
