#include "topo/generators/cluster/route.h"

struct cs_cluster_slot cs_cluster_slot_of_rank(const struct cs_cluster *cluster, uint32_t rank)
{
    const struct cs_cluster_part *part = cluster->parts;

    while (rank - part->first_rank >= part->nodes * part->node->ranks)
        part++;
    rank -= part->first_rank;
    return (struct cs_cluster_slot){part, rank / part->node->ranks, rank % part->node->ranks};
}

struct cs_cluster_slot cs_cluster_slot_of_agent(const struct cs_cluster *cluster, uint32_t agent)
{
    const struct cs_cluster_part *part = &cluster->parts[cluster->part_count - 1];
    uint32_t node = agent % cluster->nodes;

    if (part->serves)
        return (struct cs_cluster_slot){part, agent, 0};
    part = cluster->parts;
    while (node - part->first_node >= part->nodes)
        part++;
    return (struct cs_cluster_slot){part, node - part->first_node,
                                    part->node->ranks + agent / cluster->nodes};
}

static struct cs_cluster_slot slot_of(const struct cs_cluster *cluster, uint32_t party)
{
    return party < cluster->ranks ? cs_cluster_slot_of_rank(cluster, party)
                                  : cs_cluster_slot_of_agent(cluster, party - cluster->ranks);
}

/* The route between two parties of a node, with the link numbers of the
 * cluster. */
static uint32_t cluster_inside(struct cs_cluster_slot slot, uint32_t from, uint32_t to,
                               uint32_t *links)
{
    const struct cs_node *node = slot.part->node;
    uint32_t hops = cs_routes_find(node->routes, from, to, links);
    uint32_t first = 2 * (slot.part->first_wire + slot.node * slot.part->wires);

    for (uint32_t i = 0; i < hops; i++)
        links[i] += first;
    return hops;
}

/* The port of a node on the rail of port `other` of another node: `own` if
 * possible, otherwise the port with the same number. */
static uint32_t port_on_rail(const struct cs_cluster *cluster, const struct cs_node *node,
                             uint32_t own, uint32_t other)
{
    if (own % cluster->rails == other % cluster->rails)
        return own;
    return other < node->ports ? other : other % cluster->rails;
}

/* From a party to a port, through the relaying rank where the node has one. */
static uint32_t to_port(struct cs_cluster_slot slot, uint32_t port, uint32_t *links)
{
    const struct cs_node *node = slot.part->node;
    uint32_t hops = 0;

    if (slot.party < node->ranks && node->via[slot.party] != UINT32_MAX) {
        hops = cluster_inside(slot, slot.party, node->via[slot.party], links);
        slot.party = node->via[slot.party];
    }
    return hops + cluster_inside(slot, slot.party, cs_node_port(node, port), links + hops);
}

static uint32_t from_port(struct cs_cluster_slot slot, uint32_t port, uint32_t *links)
{
    const struct cs_node *node = slot.part->node;
    uint32_t via = slot.party < node->ranks ? node->via[slot.party] : UINT32_MAX;
    uint32_t hops;

    port = cs_node_port(node, port);
    if (via == UINT32_MAX)
        return cluster_inside(slot, port, slot.party, links);
    hops = cluster_inside(slot, port, via, links);
    return hops + cluster_inside(slot, via, slot.party, links + hops);
}

/* The device at the start of a link, counted inside the node. */
static uint32_t cluster_source_of(struct cs_cluster_slot slot, uint32_t link)
{
    const struct cs_graph *graph = &slot.part->node->graph;
    uint32_t own = link - 2 * (slot.part->first_wire + slot.node * slot.part->wires);
    const struct cs_wire *wire = &graph->wires[own / 2];

    return own % 2 ? wire->b : wire->a;
}

/* Whether the second part of a route, from `middle` on, returns to a device of
 * the first part: the detour over the GPU then gains nothing. */
static bool cluster_returns(struct cs_cluster_slot slot, const uint32_t *links, uint32_t middle,
                            uint32_t hops)
{
    for (uint32_t i = middle; i < hops; i++)
        for (uint32_t j = 0; j < middle; j++)
            if (cluster_source_of(slot, links[i]) == cluster_source_of(slot, links[j]))
                return true;
    return false;
}

/* With PXN, or where no other route leads to the port, its rank passes on what others of the
 * node send by it; NONE where the port is the party's own, or of none. */
static uint32_t cluster_relay(const struct cs_cluster *cluster, struct cs_cluster_slot slot,
                              uint32_t port)
{
    const struct cs_node *node = slot.part->node;

    return (cluster->pxn || node->is_apart) && port != node->port_of[slot.party]
               ? node->rank_of[port]
               : UINT32_MAX;
}

/* Whether the relay, if any, is a GPU of the job. */
static bool cluster_may_relay(const struct cs_cluster *cluster, struct cs_cluster_slot slot,
                              uint32_t port)
{
    uint32_t by = cluster_relay(cluster, slot, port);

    return by == UINT32_MAX ||
           slot.part->first_rank + slot.node * slot.part->node->ranks + by < cluster->ranks;
}

/* Between two parties of a node by way of the relay; 0 where there is none, or, unless it is
 * the only route, where the detour gains nothing. */
static uint32_t cluster_detour(struct cs_cluster_slot slot, uint32_t from, uint32_t by, uint32_t to,
                               bool is_only, uint32_t *links)
{
    uint32_t middle, hops;

    if (by == UINT32_MAX)
        return 0;
    middle = cluster_inside(slot, from, by, links);
    hops = middle + cluster_inside(slot, by, to, links + middle);
    return !is_only && cluster_returns(slot, links, middle, hops) ? 0 : hops;
}

/* From a party to a port. */
static uint32_t cluster_route_out(const struct cs_cluster *cluster, struct cs_cluster_slot slot,
                                  uint32_t port, uint32_t *links)
{
    uint32_t by = cluster_relay(cluster, slot, port), to = cs_node_port(slot.part->node, port);
    uint32_t hops = cluster->pxn ? cluster_detour(slot, slot.party, by, to, false, links) : 0;

    if (!hops)
        hops = to_port(slot, port, links);
    return hops ? hops : cluster_detour(slot, slot.party, by, to, true, links);
}

/* From a port to a party. */
static uint32_t cluster_route_in(const struct cs_cluster *cluster, struct cs_cluster_slot slot,
                                 uint32_t port, uint32_t *links)
{
    uint32_t by = cluster_relay(cluster, slot, port), from = cs_node_port(slot.part->node, port);
    uint32_t hops = cluster->pxn ? cluster_detour(slot, from, by, slot.party, false, links) : 0;

    if (!hops)
        hops = from_port(slot, port, links);
    return hops ? hops : cluster_detour(slot, from, by, slot.party, true, links);
}

/* Ports of a rail are numbered node by node. */
static uint32_t port_of_rail(const struct cs_cluster *cluster, struct cs_cluster_slot slot,
                             uint32_t port)
{
    return slot.part->first_port + slot.node * (slot.part->node->ports / cluster->rails) +
           port / cluster->rails;
}

/* The destination decides the rail; the source reaches that rail with or without PXN.  A GPU
 * that is not in the job passes nothing on: then the source decides. */
uint32_t cs_cluster_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct cs_cluster *cluster = ctx;
    struct cs_cluster_slot from = slot_of(cluster, src);
    struct cs_cluster_slot to = slot_of(cluster, dst);
    const struct cs_fabric *fabric;
    uint32_t in, out, hops;

    if (from.part == to.part && from.node == to.node)
        return cluster_inside(from, from.party, to.party, links);
    in = to.part->node->port_of[to.party];
    out = port_on_rail(cluster, from.part->node, from.part->node->port_of[from.party], in);
    if (!cluster_may_relay(cluster, from, out)) {
        out = from.part->node->port_of[from.party];
        in = port_on_rail(cluster, to.part->node, in, out);
    }
    fabric = &cluster->fabrics[in % cluster->rails];
    hops = cluster_route_out(cluster, from, out, links);
    hops += fabric->kind->route(fabric, port_of_rail(cluster, from, out),
                                port_of_rail(cluster, to, in), links + hops);
    return hops + cluster_route_in(cluster, to, in, links + hops);
}

/* A route has up to two parts in either node: to a relay or the GPU of PXN, and
 * on to the port. */
uint32_t cs_cluster_max_hops(const struct cs_cluster *cluster)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < cluster->part_count; i++) {
        uint32_t hops = cs_routes_max_hops(cluster->parts[i].node->routes);

        most = hops > most ? hops : most;
    }
    return 4 * most + cluster->fabrics->max_hops;
}
