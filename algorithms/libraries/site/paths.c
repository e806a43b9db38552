#include "algorithms/libraries/site/parts.h"

enum {
    NOT_REACHED = UINT32_MAX
};

static enum cs_site_path site_class_of(const struct cs_site_route *route)
{
    if (route->hops == NOT_REACHED)
        return CS_PATH_NONE;
    if (route->hops == 0)
        return CS_PATH_LOCAL;
    if (route->crosses_sockets || route->cpus > 1)
        return CS_PATH_SOCKET;
    if (route->cpus == 0 && !route->host_bridges)
        return route->switches > 1 ? CS_PATH_BRIDGE : CS_PATH_SWITCH;
    return route->starts_in_package ? CS_PATH_C2C : CS_PATH_HOST;
}

/* Extends the path at device `d` by a wire. */
static void site_extend(const struct cs_graph *graph, struct cs_site_route *routes, uint32_t w,
                        uint32_t d)
{
    const struct cs_wire *wire = &graph->wires[w];
    uint32_t to = cs_wire_far_end(wire, d);
    enum cs_device_kind kind = graph->devices[to].kind;
    double rate_Bps = cs_wire_effective(wire);
    struct cs_site_route route = routes[d];

    route.starts_in_package = route.hops ? route.starts_in_package : wire->family == CS_LINK_C2C;
    route.hops++;
    route.wire = w;
    if (cs_graph_is_host_bridge(graph, to))
        route.host_bridges = true;
    else
        route.switches += kind == CS_DEVICE_SWITCH;
    route.cpus += kind == CS_DEVICE_CPU;
    route.crosses_sockets = route.crosses_sockets || wire->family == CS_LINK_SOCKET ||
                            (kind == CS_DEVICE_CPU && graph->devices[d].kind == CS_DEVICE_CPU &&
                             wire->family != CS_LINK_LOCAL);
    if (rate_Bps < route.rate_Bps)
        route.rate_Bps = rate_Bps;
    routes[to] = route;
}

static bool site_is_inner(const struct cs_wire *wire)
{
    return !wire->down && !cs_site_is_link(wire) && wire->family != CS_LINK_NETWORK;
}

/* Adds the devices one wire beyond those of the last round. */
static bool site_reach_further(const struct cs_graph *graph, struct cs_site_route *routes,
                               uint32_t round)
{
    bool changed = false;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        for (int side = 0; side < 2 && site_is_inner(wire); side++) {
            uint32_t d = side ? wire->b : wire->a;

            if (routes[d].hops != round || routes[cs_wire_far_end(wire, d)].hops != NOT_REACHED ||
                (round > 0 && !cs_graph_forwards(graph, d)))
                continue;
            site_extend(graph, routes, w, d);
            changed = true;
        }
    }
    return changed;
}

struct cs_site_route *cs_site_routes_from(const struct cs_site_node *node, uint32_t device,
                                          struct cs_arena *arena)
{
    const struct cs_graph *graph = &node->graph;
    struct cs_site_route *routes = cs_arena_alloc(arena, graph->device_count, sizeof(*routes));
    uint32_t round = 0;

    for (uint32_t d = 0; d < graph->device_count; d++)
        routes[d].hops = NOT_REACHED;
    routes[device].hops = 0;
    routes[device].rate_Bps = 1e300;
    while (site_reach_further(graph, routes, round))
        round++;
    for (uint32_t d = 0; d < graph->device_count; d++)
        routes[d].path = site_class_of(&routes[d]);
    return routes;
}

bool cs_site_has_link(const struct cs_graph *graph, uint32_t a, uint32_t b)
{
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        if (!wire->down && cs_site_is_link(wire) && cs_wire_has_end(wire, a) &&
            cs_wire_has_end(wire, b))
            return true;
    }
    return false;
}

enum cs_site_path cs_site_path_of_gpus(const struct cs_site_node *node, uint32_t a, uint32_t b,
                                       const struct cs_site_route *routes)
{
    const struct cs_graph *graph = &node->graph;
    enum cs_site_path best = routes[b].path;

    if (cs_site_has_link(graph, a, b))
        return CS_PATH_LINKS;
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        uint32_t by = cs_wire_far_end(wire, a);

        if (wire->down || !cs_site_is_link(wire) || !cs_wire_has_end(wire, a) ||
            !cs_site_has_link(graph, by, b))
            continue;
        if (graph->devices[by].kind == CS_DEVICE_SWITCH)
            return CS_PATH_LINKS;
        best = CS_PATH_RELAY;
    }
    return best;
}
