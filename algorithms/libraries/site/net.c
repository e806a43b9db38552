#include "algorithms/libraries/site/parts.h"
#include "algorithms/libraries/site/site.h"

/* Latency above which a network that nothing states is taken for kernel TCP: an
 * assumption, between InfiniBand's 1 us and 10 us of TCP (link_kinds.def). */
#define VERBS_LATENCY_MAX_PS 3000000

static enum cs_network_id site_net_of(const struct cs_wire *wire)
{
    if (wire->network != CS_NET_NONE)
        return (enum cs_network_id)wire->network;
    return wire->latency_ps > VERBS_LATENCY_MAX_PS ? CS_NET_SOCKET : CS_NET_IB;
}

/* ---- adapters ---- */

/* The nearest rank's path to each port. */
struct site_reach {
    struct cs_site_route **routes; /* by port: from the nearest rank */
    uint32_t *users;               /* by wire: ports whose path it is on */
};

static bool site_route_less(const struct cs_site_route *a, const struct cs_site_route *b)
{
    return a->path < b->path || (a->path == b->path && a->rate_Bps > b->rate_Bps);
}

static void site_reach_ports(const struct cs_site_node *node, struct cs_arena *arena,
                             struct site_reach *reach)
{
    const struct cs_graph *graph = &node->graph;

    reach->routes = cs_arena_alloc(arena, node->port_count, sizeof(struct cs_site_route *));
    reach->users = cs_arena_alloc(arena, graph->wire_count, sizeof(*reach->users));
    for (uint32_t r = 0; r < graph->rank_count; r++) {
        struct cs_site_route *routes = cs_site_routes_from(node, graph->rank_device[r], arena);

        for (uint32_t p = 0; p < node->port_count; p++) {
            uint32_t device = node->ports[p].device;

            if (!reach->routes[p] || site_route_less(&routes[device], &reach->routes[p][device]))
                reach->routes[p] = routes;
        }
    }
}

static enum cs_site_path site_best_path(const struct cs_site_node *node,
                                        const struct site_reach *reach)
{
    enum cs_site_path best = CS_PATH_NONE;

    for (uint32_t p = 0; p < node->port_count; p++) {
        enum cs_site_path path = reach->routes[p][node->ports[p].device].path;

        if (!node->ports[p].wire.down && path < best)
            best = path;
    }
    return best;
}

static bool site_uses(const struct cs_site_node *node, const struct site_reach *reach,
                      enum cs_site_path best, uint32_t p)
{
    return !node->ports[p].wire.down && reach->routes[p][node->ports[p].device].path == best;
}

/* Counts the ports on each wire between adapter and GPU, except at the GPU,
 * whose wire limits the GPU and not the adapters. */
static void site_count_users(const struct cs_site_node *node, const struct site_reach *reach,
                             uint32_t p)
{
    const struct cs_site_route *routes = reach->routes[p];
    uint32_t d = node->ports[p].device;

    while (routes[d].hops > 1) {
        reach->users[routes[d].wire]++;
        d = cs_wire_far_end(&node->graph.wires[routes[d].wire], d);
    }
}

static double site_port_rate(const struct cs_site_node *node, const struct site_reach *reach,
                             uint32_t p)
{
    const struct cs_site_route *routes = reach->routes[p];
    uint32_t d = node->ports[p].device;
    double least_Bps = cs_wire_effective(&node->ports[p].wire);

    while (routes[d].hops > 0) {
        const struct cs_wire *wire = &node->graph.wires[routes[d].wire];
        uint32_t users = routes[d].hops > 1 ? reach->users[routes[d].wire] : 1;
        double rate_Bps = cs_wire_effective(wire) / users;

        least_Bps = rate_Bps < least_Bps ? rate_Bps : least_Bps;
        d = cs_wire_far_end(wire, d);
    }
    return least_Bps;
}

/* Keeps the wire between an adapter and its GPU, except at the GPU, that has the
 * least rate for each of its adapters. */
static void site_note_slot(const struct cs_site_node *node, const struct site_reach *reach,
                           uint32_t p, struct cs_site *site)
{
    const struct cs_site_route *routes = reach->routes[p];
    uint32_t parts = node->ports[p].parts;
    uint32_t d = node->ports[p].device;

    while (routes[d].hops > 1) {
        const struct cs_wire *wire = &node->graph.wires[routes[d].wire];
        uint32_t users = reach->users[routes[d].wire] * parts;
        double rate_Bps = cs_wire_effective(wire);

        if (!site->slot_adapters || rate_Bps * site->slot_adapters < site->slot_Bps * users) {
            site->slot_Bps = rate_Bps;
            site->slot_adapters = users;
        }
        d = cs_wire_far_end(wire, d);
    }
}

static void site_sum_ports(const struct cs_site_node *node, const struct site_reach *reach,
                           struct cs_site *site)
{
    double gpus_Bps = site->pcie_Bps * site->node_ranks;

    site->net_path = site_best_path(node, reach);
    for (uint32_t p = 0; p < node->port_count; p++)
        if (site_uses(node, reach, site->net_path, p))
            site_count_users(node, reach, p);
    for (uint32_t p = 0; p < node->port_count; p++) {
        const struct cs_site_port *port = &node->ports[p];
        double each_Bps = cs_wire_effective(&port->wire) / port->parts;

        if (!site_uses(node, reach, site->net_path, p))
            continue;
        if (site->adapters == 0 || each_Bps < site->adapter_Bps)
            site->adapter_Bps = each_Bps;
        site->adapters += port->parts;
        site->node_Bps += site_port_rate(node, reach, p);
        site_note_slot(node, reach, p, site);
        site->net = site_net_of(&port->wire);
        site->net_is_assumed = port->wire.network == CS_NET_NONE;
        site->payload_share = port->wire.efficiency;
    }
    if (gpus_Bps > 0 && gpus_Bps < site->node_Bps)
        site->node_Bps = gpus_Bps;
}

/* Whether every adapter is at another socket than the rank. */
static bool site_is_away(const struct cs_site_node *node, const struct cs_site_route *routes)
{
    for (uint32_t p = 0; p < node->port_count; p++)
        if (!node->ports[p].wire.down && routes[node->ports[p].device].path < CS_PATH_SOCKET)
            return false;
    return node->port_count > 0;
}

static void site_count_away(const struct cs_site_node *node, struct cs_site *site)
{
    const struct cs_graph *graph = &node->graph;
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};

    for (uint32_t r = 0; r < graph->rank_count; r++)
        site->away_ranks +=
            site_is_away(node, cs_site_routes_from(node, graph->rank_device[r], &scratch));
}

/* A node of fewer ranks reaches fewer adapters, and the slowest node sets the
 * pace of all. */
static void site_limit_ports(const struct cs_graph *graph, const struct cs_site_node *node,
                             struct cs_arena *arena, struct cs_site *site)
{
    struct cs_site least = {.pcie_Bps = site->pcie_Bps};
    struct cs_site_node small;
    struct site_reach reach;

    if (node->least == node->rank)
        return;
    cs_site_node_read_least(graph, node, arena, &small);
    least.node_ranks = small.graph.rank_count;
    site_reach_ports(&small, arena, &reach);
    site_sum_ports(&small, &reach, &least);
    if (!least.adapters)
        return;
    if (least.adapters < site->adapters)
        site->adapters = least.adapters;
    if (least.node_Bps < site->node_Bps)
        site->node_Bps = least.node_Bps;
}

/* NCCL's default level is PXB, and C2C on Grace (NVIDIA/nccl
 * src/graph/paths.cc); GeForce has no GPUDirect RDMA, as no peer access. */
static bool site_has_gdr(const struct cs_site *site)
{
    if (site->maker == CS_MAKER_HOST || !site->peer_access)
        return false;
    if (cs_network_is_tcp(site->net) || site->net == CS_NET_NONE)
        return false;
    return cs_networks[site->net].carrier == CS_CARRIER_DEVICE_TCP || site->net_path <= CS_PATH_C2C;
}

void cs_site_use_rdma(struct cs_site *site)
{
    site->net = site->net == CS_NET_IPOIB ? CS_NET_IB : CS_NET_ROCE;
    site->gdr = site_has_gdr(site);
}

void cs_site_net_read(const struct cs_graph *graph, const struct cs_site_node *node,
                      struct cs_arena *arena, struct cs_site *site)
{
    struct site_reach reach;

    site->net = CS_NET_NONE;
    site->net_path = CS_PATH_NONE;
    if (node->nodes < 2)
        return;
    site_reach_ports(node, arena, &reach);
    site_sum_ports(node, &reach, site);
    site_count_away(node, site);
    site_limit_ports(graph, node, arena, site);
    if (node->domain != CS_NET_NONE) {
        site->net = node->domain;
        site->net_is_assumed = false;
    }
    site->gdr = site_has_gdr(site);
}
