#include "topo/node.h"

#include <math.h>
#include <string.h>

/* Ports stand behind the servers, as agents too. */
static void seat_ports(struct cs_node *node)
{
    struct cs_graph *graph = &node->graph;
    uint32_t *devices;

    cs_graph_seat_servers(graph);
    node->servers = graph->agent_count;
    devices = cs_arena_alloc(graph->arena,
                             (uint64_t)node->servers + graph->device_count,
                             sizeof(*devices));
    memcpy(devices, graph->agent_device, node->servers * sizeof(*devices));
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (graph->devices[d].kind == CS_DEVICE_NIC || graph->device_count == 1)
            devices[node->servers + node->ports++] = d;
    graph->agent_device = devices;
    graph->agent_count = node->servers + node->ports;
}

/* What the way to a port costs, as route.h counts. */
static double cost_ps(const struct cs_node *node, uint32_t party, uint32_t port,
                      uint32_t *links)
{
    uint32_t hops =
        cs_routes_find(node->routes, party, cs_node_port(node, port), links);
    double sum_ps = hops || node->graph.device_count == 1 ? 0 : INFINITY;

    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_wire *wire = &node->graph.wires[links[i] / 2];

        sum_ps += (double)wire->latency_ps +
                  (1 << 20) * 1e12 / cs_wire_effective(wire);
    }
    return sum_ps;
}

/* The next of the ports that cost least, after those that others took: the
 * least taken of them, the first of equals. */
static uint32_t nearest(const struct cs_node *node, uint32_t party,
                        const uint32_t *taken, uint32_t *links)
{
    uint32_t best = UINT32_MAX;
    double best_ps = INFINITY;

    for (uint32_t p = 0; p < node->ports; p++) {
        double ps = cost_ps(node, party, p, links);

        if (ps < best_ps * (1 - 1e-9) ||
            (ps <= best_ps * (1 + 1e-9) && best != UINT32_MAX &&
             taken[p] < taken[best])) {
            best = p;
            best_ps = ps;
        }
    }
    return best;
}

static int choose_ports(struct cs_node *node, struct cs_err *err)
{
    struct cs_arena *arena = node->graph.arena;
    uint32_t parties = node->ranks + node->servers;
    uint32_t *taken = cs_arena_alloc(arena, node->ports, sizeof(*taken));
    uint32_t *links =
        cs_arena_alloc(arena, cs_routes_max_hops(node->routes), sizeof(*links));

    node->port_of = cs_arena_alloc(arena, parties, sizeof(*node->port_of));
    node->rank_of = cs_arena_alloc(arena, node->ports, sizeof(*node->rank_of));
    memset(node->rank_of, 0xff, node->ports * sizeof(*node->rank_of));
    for (uint32_t i = 0; i < parties; i++) {
        uint32_t port = nearest(node, i, taken, links);

        if (port == UINT32_MAX)
            return cs_err_set(err, CS_EINPUT,
                              "no NIC of '%s' can be reached from all its "
                              "ranks and CPUs",
                              node->graph.name);
        node->port_of[i] = port;
        if (i == node->ranks)
            memset(taken, 0, node->ports * sizeof(*taken));
        taken[port]++;
        if (i < node->ranks && node->rank_of[port] == UINT32_MAX)
            node->rank_of[port] = i;
    }
    return 0;
}

int cs_node_make(struct cs_node *node, struct cs_err *err)
{
    struct cs_graph *graph = &node->graph;

    node->ranks = graph->rank_count;
    node->ports = 0;
    node->hosts = 1;
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (graph->devices[d].host != CS_NO_HOST &&
            graph->devices[d].host >= node->hosts)
            node->hosts = graph->devices[d].host + 1;
    seat_ports(node);
    if (!node->ports)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' has no NIC that a fabric could join",
                          graph->name);
    node->routes = cs_routes_new(graph, graph->arena);
    return choose_ports(node, err);
}
