#include "topo/kinds/relation.h"

#include "sim/base/text.h"
#include "topo/kinds/link_kind.h"

#include <stdio.h>
#include <string.h>

enum {
    NONE = UINT32_MAX
};

const uint32_t *cs_relation_devices(const struct cs_graph *graph, struct cs_arena *arena,
                                    uint32_t *count)
{
    uint32_t *list = cs_arena_alloc(arena, graph->device_count, sizeof(*list));

    *count = 0;
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (cs_device_computes(graph->devices[d].kind))
            list[(*count)++] = d;
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (graph->devices[d].kind == CS_DEVICE_NIC)
            list[(*count)++] = d;
    return list;
}

/* ---- links of GPUs ---- */

static bool relation_joins_gpus(const struct cs_wire *wire)
{
    return cs_link_families[wire->family].word;
}

static uint32_t relation_width_of(const struct cs_wire *wire)
{
    struct cs_link_class cut;

    if (cs_link_class_cut(wire->class_name, &cut, NULL) || !cut.width)
        return 1;
    return cut.width;
}

/* Numbers of GPU links between `from` and each device, direct and through one
 * switch. */
struct reach {
    const struct cs_graph *graph;
    uint32_t *links;  /* device -> number of links from `from` */
    uint8_t *family;  /* device -> family of the links */
    uint32_t *second; /* device -> links through one switch */
    uint8_t *second_family;
};

static void reach_out(const struct reach *reach, uint32_t from)
{
    const struct cs_graph *graph = reach->graph;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        uint32_t to = cs_wire_far_end(wire, from);

        if (!relation_joins_gpus(wire) || (wire->a != from && wire->b != from) || wire->down)
            continue;
        reach->links[to] += relation_width_of(wire);
        reach->family[to] = (uint8_t)wire->family;
    }
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        uint32_t by = graph->devices[wire->a].kind == CS_DEVICE_SWITCH ? wire->a : wire->b;
        uint32_t to = cs_wire_far_end(wire, by);
        uint32_t width = relation_width_of(wire);

        if (!relation_joins_gpus(wire) || !reach->links[by] || wire->down ||
            graph->devices[by].kind != CS_DEVICE_SWITCH)
            continue;
        reach->second[to] += width < reach->links[by] ? width : reach->links[by];
        reach->second_family[to] = (uint8_t)wire->family;
    }
}

/* ---- PCIe ---- */

/* The shortest PCIe path from a device: CPUs with their host bridges, and
 * switches, on the path, breadth first. A path may lead through a GPU with a NIC below. */
struct relation_route {
    uint32_t *hops; /* NONE: not reached */
    uint16_t *switches, *cpus;
    bool *sockets; /* crosses a link between sockets */
    bool *nets;    /* crosses a network */
};

/* Extends a path by a wire inside the host. */
static void relation_cross(const struct cs_graph *graph, const struct relation_route *route,
                           const struct cs_wire *wire, uint32_t d)
{
    uint32_t to = cs_wire_far_end(wire, d);
    const struct cs_device *a = &graph->devices[d], *b = &graph->devices[to];
    bool in_cpu = b->kind == CS_DEVICE_CPU || cs_graph_is_host_bridge(graph, to);

    route->hops[to] = route->hops[d] + 1;
    route->switches[to] = (uint16_t)(route->switches[d] + (b->kind == CS_DEVICE_SWITCH && !in_cpu));
    route->cpus[to] = (uint16_t)(route->cpus[d] + in_cpu);
    route->sockets[to] =
        route->sockets[d] || wire->family == CS_LINK_SOCKET ||
        (a->kind == CS_DEVICE_CPU && b->kind == CS_DEVICE_CPU && wire->family != CS_LINK_LOCAL);
    route->nets[to] = route->nets[d] || wire->family == CS_LINK_NETWORK;
}

static bool is_inside(const struct cs_graph *graph, uint32_t d, uint32_t to)
{
    return graph->devices[d].host == graph->devices[to].host;
}

static void relation_search(const struct cs_graph *graph, uint32_t from,
                            const struct relation_route *route)
{
    bool changed = true;

    memset(route->hops, 0xff, graph->device_count * sizeof(*route->hops));
    route->hops[from] = 0;
    for (uint32_t round = 0; changed; round++) {
        changed = false;
        for (uint32_t w = 0; w < graph->wire_count; w++) {
            const struct cs_wire *wire = &graph->wires[w];

            if (wire->down || relation_joins_gpus(wire) || !is_inside(graph, wire->a, wire->b))
                continue;
            for (int side = 0; side < 2; side++) {
                uint32_t d = side ? wire->b : wire->a;

                if (route->hops[d] != round || route->hops[cs_wire_far_end(wire, d)] != NONE ||
                    graph->devices[d].kind == CS_DEVICE_HOST)
                    continue;
                relation_cross(graph, route, wire, d);
                changed = true;
            }
        }
    }
}

static const char *relation_word_of(const struct relation_route *route, uint32_t d)
{
    if (route->nets[d])
        return "NET";
    if (route->hops[d] == NONE || route->sockets[d])
        return "SYS";
    if (route->cpus[d] == 0)
        return route->switches[d] <= 1 ? "PIX" : "PXB";
    return route->cpus[d] == 1 ? "PHB" : "NODE";
}

/* ---- rows ---- */

static void relation_put_link(char text[CS_RELATION_TEXT], uint8_t family, uint32_t links)
{
    const struct cs_link_properties *of = &cs_link_families[family];

    if (of->is_counted)
        (void)snprintf(text, CS_RELATION_TEXT, "%s%u", of->word, links);
    else
        (void)snprintf(text, CS_RELATION_TEXT, "%s", of->word);
}

static void relation_put(const struct reach *reach, const struct relation_route *route,
                         uint32_t from, uint32_t to, char text[CS_RELATION_TEXT])
{
    if (from == to)
        (void)snprintf(text, CS_RELATION_TEXT, "X");
    else if (reach->links[to])
        relation_put_link(text, reach->family[to], reach->links[to]);
    else if (reach->second[to])
        relation_put_link(text, reach->second_family[to], reach->second[to]);
    else if (!is_inside(reach->graph, from, to))
        (void)snprintf(text, CS_RELATION_TEXT, "NET");
    else
        (void)snprintf(text, CS_RELATION_TEXT, "%s", relation_word_of(route, to));
}

void cs_relation_row(const struct cs_graph *graph, uint32_t from, const uint32_t *devices,
                     uint32_t count, char (*texts)[CS_RELATION_TEXT])
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    uint32_t n = graph->device_count;
    struct reach reach = {
        .graph = graph,
        .links = cs_arena_alloc(&arena, n, sizeof(uint32_t)),
        .family = cs_arena_alloc(&arena, n, 1),
        .second = cs_arena_alloc(&arena, n, sizeof(uint32_t)),
        .second_family = cs_arena_alloc(&arena, n, 1),
    };
    struct relation_route route = {
        .hops = cs_arena_alloc(&arena, n, sizeof(uint32_t)),
        .switches = cs_arena_alloc(&arena, n, sizeof(uint16_t)),
        .cpus = cs_arena_alloc(&arena, n, sizeof(uint16_t)),
        .sockets = cs_arena_alloc(&arena, n, sizeof(bool)),
        .nets = cs_arena_alloc(&arena, n, sizeof(bool)),
    };

    reach_out(&reach, from);
    relation_search(graph, from, &route);
    for (uint32_t i = 0; i < count; i++)
        relation_put(&reach, &route, from, devices[i], texts[i]);
}
