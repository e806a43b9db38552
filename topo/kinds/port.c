#include "topo/kinds/port.h"

#include "sim/base/text.h"
#include "topo/kinds/link_kind.h"

#include <math.h>

const struct cs_wire *cs_port_link(const struct cs_graph *graph, const struct cs_device *device,
                                   struct cs_arena *arena)
{
    struct cs_wire *link;

    if (device->port || !graph->port_class)
        return device->port;
    link = cs_arena_alloc(arena, 1, sizeof(*link));
    if (cs_link_kind_find(graph->port_class, link, NULL))
        return NULL;
    link->class_name = graph->port_class;
    return link;
}

bool cs_port_is_equal(const struct cs_wire *a, const struct cs_wire *b)
{
    if (!a || !b)
        return a == b;
    return cs_same(a->class_name, b->class_name) && a->rate_Bps == b->rate_Bps &&
           a->efficiency == b->efficiency && a->latency_ps == b->latency_ps &&
           a->duplex == b->duplex;
}

/* Marks NICs with wires that all stay inside a host at no cost. */
static void find_virtual(const struct cs_graph *graph, bool *is_virtual)
{
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (graph->wires[w].family == CS_LINK_LOCAL)
            is_virtual[graph->wires[w].a] = is_virtual[graph->wires[w].b] = true;
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (graph->wires[w].family != CS_LINK_LOCAL)
            is_virtual[graph->wires[w].a] = is_virtual[graph->wires[w].b] = false;
}

static double port_rate_Bps(const struct cs_wire *link)
{
    return link ? cs_wire_when_up(link) : 0;
}

void cs_ports_choose(const struct cs_graph *graph, struct cs_ports *ports, struct cs_arena *arena)
{
    uint32_t n = graph->device_count;
    const struct cs_wire **links = cs_arena_alloc(arena, n, sizeof(*links));
    bool *is_virtual = cs_arena_alloc(arena, n, sizeof(*is_virtual));
    uint32_t real = 0;
    double most_Bps = 0;

    *ports = (struct cs_ports){.is_port = cs_arena_alloc(arena, n, sizeof(*ports->is_port))};
    find_virtual(graph, is_virtual);
    for (uint32_t d = 0; d < n; d++)
        real += graph->devices[d].kind == CS_DEVICE_NIC && !is_virtual[d];
    for (uint32_t d = 0; d < n; d++) {
        const struct cs_device *device = &graph->devices[d];

        ports->is_port[d] = device->kind == CS_DEVICE_NIC || n == 1;
        if (!ports->is_port[d])
            continue;
        links[d] = cs_port_link(graph, device, arena);
        if (real && is_virtual[d]) {
            ports->is_port[d] = false;
            ports->virtual_count++;
        } else {
            most_Bps = fmax(most_Bps, port_rate_Bps(links[d]));
        }
    }
    for (uint32_t d = 0; d < n; d++) {
        if (!ports->is_port[d])
            continue;
        if (port_rate_Bps(links[d]) < most_Bps * (1 - 1e-9)) {
            ports->is_port[d] = false;
            ports->slow_count++;
            continue;
        }
        if (!ports->count++)
            ports->link = links[d];
    }
}
