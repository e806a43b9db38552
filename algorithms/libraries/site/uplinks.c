#include "algorithms/libraries/site/parts.h"

#include <math.h>

enum {
    NO_UPLINK = UINT32_MAX
};

/* The PCIe links between switches and CPUs, by wire of the node. */
struct uplinks {
    const struct cs_graph *graph;
    const struct cs_site_route **from; /* by CPU's device */
    uint32_t *gpus;                    /* with a rank, below */
    double *ports_Bps;                 /* of adapters below */
};

/* The wire by which the topmost PCIe switch above a device reaches the nearest
 * CPU. */
static uint32_t uplink_of(const struct uplinks *uplinks, uint32_t device)
{
    const struct cs_graph *graph = uplinks->graph;
    const struct cs_site_route *routes = NULL;
    uint32_t wire = NO_UPLINK;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        const struct cs_site_route *from = uplinks->from[d];

        if (from && from[device].path <= CS_PATH_HOST &&
            (!routes || from[device].hops < routes[device].hops))
            routes = from;
    }
    for (uint32_t d = device; routes && routes[d].hops > 0;) {
        uint32_t above = cs_wire_far_end(&graph->wires[routes[d].wire], d);

        if (graph->devices[d].kind == CS_DEVICE_SWITCH && !cs_graph_is_host_bridge(graph, d))
            wire = routes[d].wire;
        d = above;
    }
    return wire;
}

static void uplinks_count(const struct cs_site_node *node, struct uplinks *uplinks,
                          double *free_Bps)
{
    const struct cs_graph *graph = &node->graph;

    for (uint32_t r = 0; r < graph->rank_count; r++) {
        uint32_t wire = uplink_of(uplinks, graph->rank_device[r]);

        if (wire != NO_UPLINK)
            uplinks->gpus[wire]++;
    }
    for (uint32_t p = 0; p < node->port_count; p++) {
        const struct cs_site_port *port = &node->ports[p];
        double rate_Bps = cs_wire_effective(&port->wire);
        uint32_t wire = uplink_of(uplinks, port->device);

        if (port->wire.down)
            continue;
        if (wire == NO_UPLINK)
            *free_Bps += rate_Bps;
        else
            uplinks->ports_Bps[wire] += rate_Bps;
    }
}

void cs_site_uplinks_read(const struct cs_site_node *node, struct cs_arena *arena,
                          struct cs_site *site)
{
    const struct cs_graph *graph = &node->graph;
    struct uplinks uplinks = {
        graph, cs_arena_alloc(arena, graph->device_count, sizeof(const struct cs_site_route *)),
        cs_arena_alloc(arena, graph->wire_count, sizeof(uint32_t)),
        cs_arena_alloc(arena, graph->wire_count, sizeof(double))};
    double free_Bps = 0;
    double held_Bps = 0;

    for (uint32_t d = 0; d < graph->device_count; d++)
        if (graph->devices[d].kind == CS_DEVICE_CPU)
            uplinks.from[d] = cs_site_routes_from(node, d, arena);
    uplinks_count(node, &uplinks, &free_Bps);
    site->ring_uplink_Bps = 0;
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        double rate_Bps = cs_wire_effective(&graph->wires[w]);

        /* A lone GPU has no peer below its switch. */
        if (uplinks.gpus[w] > 1) {
            double ring_Bps = rate_Bps / uplinks.gpus[w];

            if (site->ring_uplink_Bps <= 0 || ring_Bps < site->ring_uplink_Bps)
                site->ring_uplink_Bps = ring_Bps;
        }
        held_Bps += fmin(uplinks.ports_Bps[w], rate_Bps / 2);
    }
    site->node_uplink_Bps = held_Bps > 0 ? held_Bps + free_Bps : 0;
}
