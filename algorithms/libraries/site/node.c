#include "algorithms/libraries/site/node.h"

enum {
    NO_DEVICE = UINT32_MAX
};

static uint32_t site_host_of(const struct cs_graph *graph, uint32_t rank)
{
    uint32_t host = cs_graph_rank_host(graph, rank);

    return host == CS_NO_HOST ? 0 : host;
}

/* Sums the rates of each host's wires; hosts of the folded form are equal. */
static void site_sum_rates(const struct cs_graph *graph, uint32_t hosts, double *rate_Bps)
{
    if (graph->replicated.count)
        return;
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        uint32_t a = graph->devices[wire->a].host;
        uint32_t b = graph->devices[wire->b].host;

        if (a < hosts)
            rate_Bps[a] += cs_wire_effective(wire);
        if (b < hosts && b != a)
            rate_Bps[b] += cs_wire_effective(wire);
    }
}

/* Of the hosts the one with the most ranks, and of several that with the slowest
 * wires. */
static uint32_t site_most_ranks(const uint32_t *ranks, const double *rate_Bps, uint32_t hosts)
{
    uint32_t best = 0;

    for (uint32_t h = 0; h < hosts; h++)
        if (ranks[h] > ranks[best] || (ranks[h] == ranks[best] && rate_Bps[h] < rate_Bps[best]))
            best = h;
    return best;
}

/* The host with the fewest ranks, in the same way; `best` where all have equally
 * many. */
static uint32_t site_fewest_ranks(const uint32_t *ranks, const double *rate_Bps, uint32_t hosts,
                                  uint32_t best)
{
    uint32_t least = best;

    for (uint32_t h = 0; h < hosts; h++)
        if (ranks[h] &&
            (ranks[h] < ranks[least] ||
             (ranks[h] == ranks[least] && ranks[h] < ranks[best] && rate_Bps[h] < rate_Bps[least])))
            least = h;
    return least;
}

/* Finds the hosts with the most and the fewest ranks; of several the one with
 * the slowest wires, which a library's channels follow, or else the first.  Sets
 * nodes, rank, least and other. */
static void site_find_hosts(const struct cs_graph *graph, struct cs_site_node *node)
{
    struct cs_arena scratch = {0};
    uint32_t hosts = 0, best, least;
    uint32_t *ranks;
    double *rate_Bps;

    for (uint32_t r = 0; r < graph->rank_count; r++)
        if (site_host_of(graph, r) >= hosts)
            hosts = site_host_of(graph, r) + 1;
    ranks = cs_arena_alloc(&scratch, hosts, sizeof(*ranks));
    rate_Bps = cs_arena_alloc(&scratch, hosts, sizeof(*rate_Bps));
    site_sum_rates(graph, hosts, rate_Bps);
    for (uint32_t r = 0; r < graph->rank_count; r++)
        node->nodes += ranks[site_host_of(graph, r)]++ == 0;
    best = site_most_ranks(ranks, rate_Bps, hosts);
    least = site_fewest_ranks(ranks, rate_Bps, hosts, best);
    cs_arena_free(&scratch);
    node->rank = node->least = UINT32_MAX;
    for (uint32_t r = graph->rank_count; r-- > 0;) {
        if (site_host_of(graph, r) == least)
            node->least = r;
        if (site_host_of(graph, r) == best)
            node->rank = r;
    }
}

/* The devices and wires of the machine among which a node's are: of the folded form
 * those of the node, and the wires behind all nodes. */
struct site_range {
    const struct cs_graph *graph;
    uint32_t host;
    uint32_t device, devices;
    uint32_t wire, own_wires; /* the first, and wires of the node */
    uint32_t rest;            /* wires of no node; they end the list */
    uint32_t wires;           /* of both */
    uint32_t *place;          /* device - first -> device of the node, or NO_DEVICE */
};

static struct site_range site_range_of(const struct cs_graph *graph, uint32_t host, uint32_t rank)
{
    struct cs_graph_replicas each = graph->replicated;
    uint32_t device = graph->rank_device[rank];
    struct site_range range = {.graph = graph,
                               .host = host,
                               .devices = graph->device_count,
                               .own_wires = graph->wire_count};

    if (each.count && device < each.count * each.devices) {
        range.device = device / each.devices * each.devices;
        range.devices = each.devices;
        range.wire = device / each.devices * each.wires;
        range.own_wires = each.wires;
        range.rest = graph->wire_count - each.count * each.wires;
    }
    range.wires = range.own_wires + range.rest;
    return range;
}

static struct cs_wire site_wire_at(const struct site_range *range, uint32_t i)
{
    return cs_graph_wire(range->graph, i < range->own_wires
                                           ? range->wire + i
                                           : range->graph->wire_count - range->wires + i);
}

static uint32_t site_place_of(const struct site_range *range, uint32_t device)
{
    if (device < range->device || device - range->device >= range->devices)
        return NO_DEVICE;
    return range->place[device - range->device];
}

static void site_add_device(const struct site_range *range, uint32_t device,
                            struct cs_site_node *node)
{
    range->place[device - range->device] =
        cs_graph_add_device(&node->graph, cs_graph_device(range->graph, device));
}

/* Whether a wire joins parts of a node: GPU links or PCIe, but not those of an
 * adapter, which lead to the network. */
static bool is_inside(const struct site_range *range, const struct cs_wire *wire, uint32_t near)
{
    return (cs_site_is_link(wire) || wire->family == CS_LINK_PCIE) &&
           cs_graph_device(range->graph, near).kind != CS_DEVICE_NIC;
}

/* Machines without `node:` leave the switches inside the node without a host. */
static bool site_add_switches(const struct site_range *range, struct cs_site_node *node)
{
    bool changed = false;

    for (uint32_t i = 0; i < range->wires; i++) {
        struct cs_wire wire = site_wire_at(range, i);
        bool has_a = site_place_of(range, wire.a) != NO_DEVICE;
        bool has_b = site_place_of(range, wire.b) != NO_DEVICE;
        uint32_t far = has_a ? wire.b : wire.a;

        if (has_a == has_b || !is_inside(range, &wire, has_a ? wire.a : wire.b) ||
            cs_graph_device(range->graph, far).host != CS_NO_HOST)
            continue;
        site_add_device(range, far, node);
        changed = true;
    }
    return changed;
}

static void site_add_port(const struct cs_wire *wire, uint32_t device, struct cs_site_node *node)
{
    const struct cs_bond *bond = node->graph.devices[device].bond;

    node->ports[node->port_count++] = (struct cs_site_port){device, bond ? bond->count : 1, *wire};
}

static void site_add_wires(const struct site_range *range, struct cs_site_node *node)
{
    for (uint32_t i = 0; i < range->wires; i++) {
        struct cs_wire wire = site_wire_at(range, i);
        uint32_t a = site_place_of(range, wire.a);
        uint32_t b = site_place_of(range, wire.b);

        uint32_t near = a == NO_DEVICE ? b : a;

        if (a == NO_DEVICE && b == NO_DEVICE)
            continue;
        wire.a = a;
        wire.b = b;
        if (a != NO_DEVICE && b != NO_DEVICE)
            cs_graph_add_wire(&node->graph, wire);
        else if (cs_site_is_link(&wire) && node->graph.devices[near].kind != CS_DEVICE_NIC)
            node->domain = wire.family == CS_LINK_HCCS ? CS_NET_HCCS : CS_NET_NVLINK;
        else
            site_add_port(&wire, near, node);
    }
}

static void site_place_ranks(const struct site_range *range, struct cs_site_node *node)
{
    const struct cs_graph *graph = range->graph;

    node->graph.rank_device = cs_arena_alloc(node->graph.arena, node->graph.device_count,
                                             sizeof(*node->graph.rank_device));
    for (uint32_t r = 0; r < graph->rank_count; r++)
        if (site_host_of(graph, r) == range->host)
            node->graph.rank_device[node->graph.rank_count++] =
                site_place_of(range, graph->rank_device[r]);
}

static void site_fill_node(const struct cs_graph *graph, struct cs_arena *arena,
                           struct cs_site_node *node)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    uint32_t host = site_host_of(graph, node->rank);
    struct site_range range = site_range_of(graph, host, node->rank);

    range.place = cs_arena_alloc(&scratch, range.devices, sizeof(*range.place));
    cs_graph_init(&node->graph, arena);
    node->graph.direct = graph->direct;
    for (uint32_t i = 0; i < range.devices; i++) {
        struct cs_device device = cs_graph_device(graph, range.device + i);

        range.place[i] = NO_DEVICE;
        if (device.host == host || (device.host == CS_NO_HOST && cs_device_computes(device.kind)))
            site_add_device(&range, range.device + i, node);
    }
    while (site_add_switches(&range, node))
        ;
    node->ports = cs_arena_alloc(arena, range.wires, sizeof(*node->ports));
    site_add_wires(&range, node);
    site_place_ranks(&range, node);
}

void cs_site_node_read(const struct cs_graph *graph, struct cs_arena *arena,
                       struct cs_site_node *node)
{
    *node = (struct cs_site_node){0};
    site_find_hosts(graph, node);
    site_fill_node(graph, arena, node);
}

void cs_site_node_read_least(const struct cs_graph *graph, const struct cs_site_node *largest,
                             struct cs_arena *arena, struct cs_site_node *node)
{
    *node = (struct cs_site_node){
        .nodes = largest->nodes, .rank = largest->least, .least = largest->least};
    site_fill_node(graph, arena, node);
}
