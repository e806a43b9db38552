#include "topo/graph/lower.h"

#include "topo/graph/route.h"

#include <math.h>
#include <string.h>

/* Resource numbers for the links; the wires of a bus share the resource of the
 * bus. */
struct lower_resources {
    uint32_t *of_bus; /* device -> resource + 1; 0: none yet */
    uint32_t count;
};

static uint32_t bus_resource(const struct cs_graph *graph, const struct cs_wire *wire,
                             struct lower_resources *resources)
{
    uint32_t bus = graph->devices[wire->a].kind == CS_DEVICE_BUS ? wire->a : wire->b;

    if (resources->of_bus[bus] == 0)
        resources->of_bus[bus] = ++resources->count;
    return resources->of_bus[bus] - 1;
}

/* Both links of a wire.  The rate is that of the wire when up; `down` is
 * separate, as in sim/net/net.h. */
static void lower_wire(const struct cs_graph *graph, uint32_t w, struct lower_resources *resources,
                       struct cs_net_link *links)
{
    const struct cs_wire *wire = &graph->wires[w];

    for (uint32_t side = 0; side < 2; side++) {
        bool is_free = cs_graph_link_is_free(graph, 2 * w + side);

        links[side] = (struct cs_net_link){
            .from = side ? wire->b : wire->a,
            .to = side ? wire->a : wire->b,
            .rate_Bps = is_free ? (double)INFINITY : cs_wire_when_up(wire),
            .latency_ps = is_free ? 0 : wire->latency_ps,
            .down = !cs_wire_leads(wire, side),
        };
    }
    switch (wire->duplex) {
    case CS_DUPLEX_FULL:
        links[0].resource = resources->count++;
        links[1].resource = resources->count++;
        break;
    case CS_DUPLEX_HALF:
        links[0].resource = links[1].resource = resources->count++;
        break;
    case CS_DUPLEX_BUS:
        /* The free link out of the bus must not queue behind messages on the
         * medium. */
        for (uint32_t side = 0; side < 2; side++)
            links[side].resource = isinf(links[side].rate_Bps)
                                       ? resources->count++
                                       : bus_resource(graph, wire, resources);
        break;
    case CS_DUPLEX_KINDS:
        break;
    }
}

/* A reduction without gamma costs nothing: 0 ps per byte. */
static struct cs_net_party lower_party(const struct cs_graph *graph, uint32_t d)
{
    struct cs_device device = cs_graph_device(graph, d);

    return (struct cs_net_party){
        .node = d,
        .reduce_ps_per_byte = device.reduce_Bps > 0 ? 1e12 / device.reduce_Bps : 0,
        .reduce_overhead_ps = device.reduce_overhead_ps,
    };
}

static void lower_routes(const struct cs_graph *graph, struct cs_net *net, struct cs_arena *arena)
{
    struct cs_routes *routes;

    net->choice = graph->choice;
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

/* ---- folded form ---- */

/* A lower bound of the time of the first arrival at each stored device
 * (ahead_ps): the least over the identical devices, so never too late. */
struct lower_replicas {
    const struct cs_graph *graph;
    uint64_t *soonest_ps;
    struct cs_net_link *first; /* links of the first node */
};

static uint64_t *soonest_at(const struct lower_replicas *replicated, uint32_t device)
{
    struct cs_graph_replicas of = replicated->graph->replicated;

    if (device < of.count * of.devices)
        return &replicated->soonest_ps[device % of.devices];
    return &replicated->soonest_ps[device - (of.count - 1) * of.devices];
}

static struct cs_net_link lower_link(const struct lower_replicas *replicated, uint32_t link)
{
    struct cs_wire wire = cs_graph_wire(replicated->graph, link / 2);
    double rate_Bps = cs_wire_when_up(&wire);
    uint32_t from = link % 2 ? wire.b : wire.a;

    return (struct cs_net_link){
        .ps_per_byte = 1e12 / rate_Bps,
        .rate_Bps = rate_Bps,
        .latency_ps = wire.latency_ps,
        .resource = link,
        .from = from,
        .to = link % 2 ? wire.a : wire.b,
        .down = !cs_wire_leads(&wire, link),
        .ahead_ps = *soonest_at(replicated, from),
    };
}

/* A link by number: the link of the first node, moved to the link's node. */
static struct cs_net_link replicated_link(const void *ctx, uint32_t number)
{
    const struct lower_replicas *replicated = ctx;
    struct cs_graph_replicas of = replicated->graph->replicated;
    struct cs_net_link link;
    uint32_t node;

    if (number >= of.count * (2 * of.wires))
        return lower_link(replicated, number);
    node = number / (2 * of.wires);
    link = replicated->first[number % (2 * of.wires)];
    link.resource = number;
    if (link.from < of.devices)
        link.from += node * of.devices;
    if (link.to < of.devices)
        link.to += node * of.devices;
    return link;
}

static struct cs_net_party replicated_party(const void *ctx, uint32_t party)
{
    const struct lower_replicas *replicated = ctx;

    return lower_party(replicated->graph, replicated->graph->rank_device[party]);
}

static void lower_arrival(const struct lower_replicas *replicated, uint32_t device,
                          uint64_t time_ps)
{
    if (time_ps < *soonest_at(replicated, device))
        *soonest_at(replicated, device) = time_ps;
}

/* Links are computed on request: memory is O(stored devices and wires). */
static void lower_folded(const struct cs_graph *graph, struct cs_net *net, struct cs_arena *arena)
{
    struct cs_graph_replicas of = graph->replicated;
    uint32_t kept = graph->device_count - (of.count - 1) * of.devices;
    struct lower_replicas *replicated = cs_arena_alloc(arena, 1, sizeof(*replicated));

    replicated->graph = graph;
    replicated->soonest_ps = cs_arena_alloc(arena, kept, sizeof(*replicated->soonest_ps));
    memset(replicated->soonest_ps, 0xff, kept * sizeof(*replicated->soonest_ps));
    for (uint32_t i = 0; i < graph->wire_count; i = cs_graph_next_wire(graph, i)) {
        struct cs_wire wire = cs_graph_wire(graph, i);

        lower_arrival(replicated, wire.a, wire.latency_ps);
        lower_arrival(replicated, wire.b, wire.latency_ps);
    }
    for (uint32_t i = 0; i < graph->rank_count; i++)
        lower_arrival(replicated, graph->rank_device[i], 0);
    replicated->first = cs_arena_alloc(arena, of.wires, 2 * sizeof(*replicated->first));
    for (uint32_t i = 0; i < 2 * of.wires; i++)
        replicated->first[i] = lower_link(replicated, i);
    net->resource_count = net->link_count;
    net->replicated = (struct cs_net_replicas){
        .link = replicated_link,
        .party = replicated_party,
        .ctx = replicated,
        .each = 2 * of.wires,
        .copies = of.count,
        .moving_route = of.moving_route,
        .ranks = graph->rank_count / of.count,
    };
    lower_routes(graph, net, arena);
}

void cs_lower(const struct cs_graph *graph, struct cs_net *net, struct cs_arena *arena)
{
    struct lower_resources resources = {0};

    *net = (struct cs_net){
        .node_count = graph->device_count,
        .link_count = 2 * graph->wire_count,
        .party_count = graph->rank_count + graph->agent_count,
    };
    if (graph->replicated.count) {
        lower_folded(graph, net, arena);
        return;
    }
    net->links = cs_arena_alloc(arena, net->link_count, sizeof(*net->links));
    net->parties = cs_arena_alloc(arena, net->party_count, sizeof(*net->parties));
    resources.of_bus = cs_arena_alloc(arena, graph->device_count, sizeof(*resources.of_bus));
    for (uint32_t w = 0; w < graph->wire_count; w++)
        lower_wire(graph, w, &resources, &net->links[2 * (size_t)w]);
    net->resource_count = resources.count;
    for (uint32_t i = 0; i < graph->rank_count; i++)
        net->parties[i] = lower_party(graph, graph->rank_device[i]);
    for (uint32_t i = 0; i < graph->agent_count; i++)
        net->parties[graph->rank_count + i] = lower_party(graph, graph->agent_device[i]);
    lower_routes(graph, net, arena);
    cs_net_finish(net);
}
