#include "scenarios/plan/price/inventory.h"

#include "sim/base/units_show.h"

#include <string.h>

enum {
    TIERS_MAX = 4
};

uint32_t cs_inventory_tiers(uint64_t ports, uint32_t radix)
{
    uint64_t held = radix;

    for (uint32_t tiers = 1; tiers <= TIERS_MAX; ++tiers) {
        if (ports <= held)
            return tiers;
        held *= radix / 2;
    }
    return 0;
}

int cs_inventory_add_switch(struct cs_inventory *inventory, uint64_t ports, uint32_t radix,
                            struct cs_err *err)
{
    uint32_t tiers = cs_inventory_tiers(ports, radix);
    char text[CS_UNITS_TEXT];

    if (!tiers)
        return cs_err_set(err, CS_EINPUT,
                          "%d tiers of switches with %u ports do not join %s ports; expected "
                          "larger switches or more of them",
                          TIERS_MAX, radix, cs_units_show_count(text, ports));
    inventory->switch_ports += (2 * (uint64_t)tiers - 1) * ports;
    inventory->cables += (uint64_t)(tiers - 1) * ports;
    if (tiers > inventory->tiers)
        inventory->tiers = tiers;
    return 0;
}

void cs_inventory_finish(struct cs_inventory *inventory, uint32_t radix)
{
    inventory->boxes = (inventory->switch_ports + radix - 1) / radix;
}

/* ---- of a graph ---- */

static bool is_outside(const struct cs_device *device)
{
    return device->host == CS_NO_HOST && device->kind == CS_DEVICE_SWITCH;
}

/* Cables of a wire: a bond has one for each of its adapters. */
static uint64_t wire_cables(const struct cs_device *a, const struct cs_device *b)
{
    uint64_t cables = 1;

    if (a->bond)
        cables = a->bond->count;
    if (b->bond && b->bond->count > cables)
        cables = b->bond->count;
    return cables;
}

/* Adds a wire of the network between nodes to the ports of its switches. */
static void count_wire(const struct cs_graph *graph, uint32_t w, uint64_t *ports,
                       struct cs_inventory *inventory)
{
    struct cs_wire wire = cs_graph_wire(graph, w);
    struct cs_device a = cs_graph_device(graph, wire.a);
    struct cs_device b = cs_graph_device(graph, wire.b);
    bool a_outside = is_outside(&a), b_outside = is_outside(&b);
    uint64_t cables;

    if (!a_outside && !b_outside && a.host == b.host)
        return;
    cables = wire_cables(&a, &b);
    inventory->cables += cables;
    if (a_outside)
        ports[wire.a] += cables;
    else
        inventory->adapters += cables;
    if (b_outside)
        ports[wire.b] += cables;
    else
        inventory->adapters += cables;
}

static void count_nodes(const struct cs_graph *graph, struct cs_inventory *inventory)
{
    bool is_alone = false;

    for (uint32_t d = 0; d < graph->device_count; ++d) {
        struct cs_device device = cs_graph_device(graph, d);

        if (device.kind == CS_DEVICE_GPU)
            ++inventory->gpus;
        if (device.host == CS_NO_HOST)
            is_alone |= device.kind == CS_DEVICE_GPU;
        else if (device.host + 1 > inventory->nodes)
            inventory->nodes = device.host + 1;
    }
    if (!inventory->nodes && is_alone)
        inventory->nodes = 1;
}

int cs_inventory_count(const struct cs_graph *graph, uint32_t radix, struct cs_arena *arena,
                       struct cs_inventory *inventory, struct cs_err *err)
{
    uint64_t *ports = cs_arena_alloc(arena, graph->device_count + 1, sizeof(*ports));
    int code = 0;

    *inventory = (struct cs_inventory){0};
    memset(ports, 0, (graph->device_count + 1) * sizeof(*ports));
    count_nodes(graph, inventory);
    for (uint32_t w = 0; w < graph->wire_count; ++w)
        count_wire(graph, w, ports, inventory);
    for (uint32_t d = 0; d < graph->device_count && !code; ++d)
        if (ports[d])
            code = cs_inventory_add_switch(inventory, ports[d], radix, err);
    cs_inventory_finish(inventory, radix);
    return code;
}

double cs_inventory_port_Bps(const struct cs_graph *graph)
{
    double rate_Bps = 0;

    for (uint32_t w = 0; w < graph->wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        struct cs_device a = cs_graph_device(graph, wire.a);
        struct cs_device b = cs_graph_device(graph, wire.b);
        double each = wire.rate_Bps / (double)wire_cables(&a, &b);

        if ((is_outside(&a) || is_outside(&b)) && each > rate_Bps)
            rate_Bps = each;
    }
    return rate_Bps;
}
