#include "topo/kinds/node.h"

#include <math.h>
#include <string.h>

/* Ports become agents after the servers, so cs_routes_find routes to ports as
 * to every other party. */
static void slot_ports(struct cs_node *node)
{
    struct cs_graph *graph = &node->graph;
    uint32_t *devices;

    cs_graph_place_servers(graph);
    cs_ports_choose(graph, &node->joins, graph->arena);
    node->servers = graph->agent_count;
    devices = cs_arena_alloc(graph->arena, (uint64_t)node->servers + graph->device_count,
                             sizeof(*devices));
    memcpy(devices, graph->agent_device, node->servers * sizeof(*devices));
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (node->joins.is_port[d])
            devices[node->servers + node->ports++] = d;
    graph->agent_device = devices;
    graph->agent_count = node->servers + node->ports;
}

/* The cost of the route between two parties, as in route.h. */
static double cost_ps(const struct cs_node *node, uint32_t party, uint32_t to, uint32_t *links)
{
    uint32_t hops = cs_routes_find(node->routes, party, to, links);
    double sum_ps = hops || node->graph.device_count == 1 ? 0 : INFINITY;

    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_wire *wire = &node->graph.wires[links[i] / 2];

        sum_ps += (double)wire->latency_ps + (1 << 20) * 1e12 / cs_wire_effective(wire);
    }
    return sum_ps;
}

/* The port of least cost; among equal costs (within rounding) the port with the
 * fewest parties so far, then the first. */
static uint32_t node_nearest(struct cs_node *node, uint32_t party, const uint32_t *taken,
                             uint32_t *links)
{
    uint32_t best = UINT32_MAX;
    double best_ps = INFINITY;

    for (uint32_t p = 0; p < node->ports; p++) {
        double ps = cost_ps(node, party, cs_node_port(node, p), links);

        node->is_apart |= isinf(ps);
        if (ps < best_ps * (1 - 1e-9) ||
            (ps <= best_ps * (1 + 1e-9) && best != UINT32_MAX && taken[p] < taken[best])) {
            best = p;
            best_ps = ps;
        }
    }
    return best;
}

/* Assigns the nearest port to each party, or UINT32_MAX without a route.  Ranks
 * and servers are balanced separately. */
static void choose_ports(struct cs_node *node, uint32_t *links)
{
    struct cs_arena *arena = node->graph.arena;
    uint32_t parties = node->ranks + node->servers;
    uint32_t *taken = cs_arena_alloc(arena, node->ports, sizeof(*taken));

    node->serves = true;
    node->port_of = cs_arena_alloc(arena, parties, sizeof(*node->port_of));
    node->rank_of = cs_arena_alloc(arena, node->ports, sizeof(*node->rank_of));
    memset(node->rank_of, 0xff, node->ports * sizeof(*node->rank_of));
    for (uint32_t i = 0; i < parties; i++) {
        uint32_t port = node_nearest(node, i, taken, links);

        node->port_of[i] = port;
        if (i == node->ranks)
            memset(taken, 0, node->ports * sizeof(*taken));
        if (port == UINT32_MAX) {
            node->serves &= i < node->ranks;
            continue;
        }
        taken[port]++;
        if (i < node->ranks && node->rank_of[port] == UINT32_MAX)
            node->rank_of[port] = i;
    }
}

/* The nearest rank with a port, for a rank without one; or UINT32_MAX. */
static uint32_t nearest_relay(const struct cs_node *node, uint32_t rank, uint32_t *links)
{
    uint32_t best = UINT32_MAX;
    double best_ps = INFINITY;

    for (uint32_t p = 0; p < node->ports; p++) {
        double ps = INFINITY;

        if (node->rank_of[p] != UINT32_MAX)
            ps = cost_ps(node, rank, node->rank_of[p], links);
        if (ps < best_ps) {
            best = node->rank_of[p];
            best_ps = ps;
        }
    }
    return best;
}

/* Ranks without a route to a NIC send through another rank: with NICs attached
 * to GPUs, no forwarding device joins the two. */
static int choose_relays(struct cs_node *node, uint32_t *links, struct cs_err *err)
{
    node->via = cs_arena_alloc(node->graph.arena, node->ranks, sizeof(*node->via));
    for (uint32_t i = 0; i < node->ranks; i++) {
        node->via[i] = UINT32_MAX;
        if (node->port_of[i] != UINT32_MAX)
            continue;
        node->via[i] = nearest_relay(node, i, links);
        if (node->via[i] == UINT32_MAX)
            return cs_err_set(err, CS_EINPUT, "no NIC of '%s' can be reached from '%s'",
                              node->graph.name,
                              node->graph.devices[node->graph.rank_device[i]].name);
        node->port_of[i] = node->port_of[node->via[i]];
    }
    return 0;
}

int cs_node_make(struct cs_node *node, struct cs_err *err)
{
    struct cs_graph *graph = &node->graph;
    uint32_t *links;

    node->ranks = graph->rank_count;
    node->ports = 0;
    node->hosts = 1;
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (graph->devices[d].host != CS_NO_HOST && graph->devices[d].host >= node->hosts)
            node->hosts = graph->devices[d].host + 1;
    slot_ports(node);
    if (!node->ports)
        return cs_err_set(
            err, CS_EINPUT,
            "'%s' has no NIC that a fabric could join; node: takes them as in port=100gbe",
            graph->name);
    node->routes = cs_routes_new(graph, graph->arena);
    links = cs_arena_alloc(graph->arena, cs_routes_max_hops(node->routes), sizeof(*links));
    choose_ports(node, links);
    return choose_relays(node, links, err);
}
