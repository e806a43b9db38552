#include "scenarios/machine/oddities.h"

#include "sim/base/text.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/port.h"

#include <string.h>

enum {
    NONE = UINT32_MAX
};

struct oddities {
    const struct cs_graph *graph;
    struct cs_arena *arena;
    struct cs_oddity *list;
    uint32_t count, room;
};

static void add(struct oddities *found, uint32_t device, const char *words)
{
    for (uint32_t i = 0; i < found->count; i++)
        if (cs_same(found->list[i].words, words)) {
            found->list[i].more++;
            return;
        }
    if (found->count < found->room)
        found->list[found->count++] = (struct cs_oddity){NULL, words, device, 0};
}

static void name_places(const struct oddities *found)
{
    for (uint32_t i = 0; i < found->count; i++) {
        struct cs_oddity *odd = &found->list[i];

        odd->where = found->graph->devices[odd->device].name;
        if (odd->more)
            odd->where = cs_arena_printf(found->arena, "%s and %u more", odd->where, odd->more);
    }
}

static bool is_gpu(const struct cs_graph *graph, uint32_t d)
{
    return graph->devices[d].kind == CS_DEVICE_GPU;
}

/* ---- links ---- */

/* The effective rate of the links of GPUs, by device. */
static double *gpu_link_rates(const struct oddities *found)
{
    const struct cs_graph *graph = found->graph;
    double *rates_Bps = cs_arena_alloc(found->arena, graph->device_count, sizeof(*rates_Bps));

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        if (!cs_link_families[wire->family].word)
            continue;
        rates_Bps[wire->a] += cs_wire_effective(wire);
        rates_Bps[wire->b] += cs_wire_effective(wire);
    }
    return rates_Bps;
}

/* The number of GPUs of a model whose links carry the most, and that rate. */
static uint32_t count_best(const struct oddities *found, const struct cs_gpu_kind *model,
                           const double *rates_Bps, double *most_Bps)
{
    const struct cs_graph *graph = found->graph;
    uint32_t count = 0;

    *most_Bps = 0;
    for (uint32_t d = 0; d < graph->device_count; d++) {
        if (!is_gpu(graph, d) || graph->devices[d].model != model)
            continue;
        if (rates_Bps[d] > *most_Bps * (1 + 1e-9)) {
            *most_Bps = rates_Bps[d];
            count = 0;
        }
        count += rates_Bps[d] >= *most_Bps * (1 - 1e-9);
    }
    return count;
}

/* A GPU that lost all its links; more than half of the GPUs have theirs. */
static void find_lost_links(struct oddities *found)
{
    const struct cs_graph *graph = found->graph;
    const double *rates_Bps = gpu_link_rates(found);
    const struct cs_gpu_kind *model = NULL;
    double most_Bps = 0;
    uint32_t gpus = 0, count = 0;
    bool counted = false; /* `count` is that of `model` */

    for (uint32_t d = 0; d < graph->device_count; d++)
        gpus += is_gpu(graph, d);
    for (uint32_t d = 0; d < graph->device_count; d++) {
        if (!is_gpu(graph, d) || rates_Bps[d] > 0)
            continue;
        if (!counted || graph->devices[d].model != model)
            count = count_best(found, graph->devices[d].model, rates_Bps, &most_Bps);
        counted = true;
        model = graph->devices[d].model;
        if (2 * count > gpus && most_Bps > 0)
            add(found, d,
                cs_arena_printf(
                    found->arena,
                    "no links to other GPUs, which %u GPUs have: PCIe carries all its traffic",
                    count));
    }
}

/* ---- PCIe ---- */

static void find_slow_slot(struct oddities *found, uint32_t d, const struct cs_wire *slot)
{
    const struct cs_device *device = &found->graph->devices[d];
    const struct cs_wire *port;
    struct cs_wire meant = {0};

    if (device->kind == CS_DEVICE_GPU && device->model &&
        !cs_link_kind_find(device->model->pcie, &meant, NULL) && meant.family == CS_LINK_PCIE &&
        cs_wire_when_up(slot) < 0.99 * cs_wire_when_up(&meant))
        add(found, d,
            cs_arena_printf(found->arena, "on %s, where %s has %s", slot->class_name,
                            device->model->name, device->model->pcie));
    if (device->kind != CS_DEVICE_NIC)
        return;
    port = cs_port_link(found->graph, device, found->arena);
    if (port && cs_wire_when_up(slot) < 0.9 * cs_wire_when_up(port))
        add(found, d,
            cs_arena_printf(found->arena, "on %s, which carries less than its port of %s",
                            slot->class_name, port->class_name));
}

static void find_slow_slots(struct oddities *found)
{
    for (uint32_t w = 0; w < found->graph->wire_count; w++) {
        const struct cs_wire *wire = &found->graph->wires[w];

        if (wire->family != CS_LINK_PCIE)
            continue;
        find_slow_slot(found, wire->a, wire);
        find_slow_slot(found, wire->b, wire);
    }
}

/* ---- sockets ---- */

/* The CPU nearest to each device, without links of GPUs, between sockets and of
 * networks; NONE: none. */
static uint32_t *cpus_of(const struct oddities *found)
{
    const struct cs_graph *graph = found->graph;
    uint32_t *cpu = cs_arena_alloc(found->arena, graph->device_count, sizeof(*cpu));
    bool changed = true;

    for (uint32_t d = 0; d < graph->device_count; d++)
        cpu[d] = graph->devices[d].kind == CS_DEVICE_CPU ? d : NONE;
    while (changed) {
        changed = false;
        for (uint32_t w = 0; w < graph->wire_count; w++) {
            const struct cs_wire *wire = &graph->wires[w];
            uint32_t from = cpu[wire->a] == NONE ? wire->b : wire->a;
            uint32_t to = cs_wire_far_end(wire, from);

            if (cpu[from] == NONE || cpu[to] != NONE || cs_link_families[wire->family].word ||
                wire->family == CS_LINK_SOCKET || wire->family == CS_LINK_NETWORK)
                continue;
            cpu[to] = cpu[from];
            changed = true;
        }
    }
    return cpu;
}

/* Devices below a CPU. */
struct below {
    uint32_t gpus, nics;
};

/* The CPUs of a host with the most GPUs, and with the most NICs of those with
 * GPUs; NONE: none. */
struct leaders {
    uint32_t gpus, nics;
};

/* By host; `below` is by device. */
static struct leaders *find_leaders(const struct oddities *found, const struct below *below)
{
    const struct cs_graph *graph = found->graph;
    struct leaders *leaders = cs_arena_alloc(found->arena, graph->device_count, sizeof(*leaders));

    memset(leaders, 0xff, graph->device_count * sizeof(*leaders));
    for (uint32_t d = 0; d < graph->device_count; d++) {
        struct leaders *of;

        if (!below[d].gpus || graph->devices[d].host >= graph->device_count)
            continue;
        of = &leaders[graph->devices[d].host];
        if (of->gpus == NONE || below[d].gpus > below[of->gpus].gpus)
            of->gpus = d;
        if (of->nics == NONE || below[d].nics > below[of->nics].nics)
            of->nics = d;
    }
    return leaders;
}

static void find_uneven_sockets(struct oddities *found)
{
    const struct cs_graph *graph = found->graph;
    const uint32_t *cpu = cpus_of(found);
    struct below *below = cs_arena_alloc(found->arena, graph->device_count, sizeof(*below));
    const struct leaders *leaders;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        if (cpu[d] == NONE)
            continue;
        below[cpu[d]].gpus += is_gpu(graph, d);
        below[cpu[d]].nics += graph->devices[d].kind == CS_DEVICE_NIC;
    }
    leaders = find_leaders(found, below);
    for (uint32_t d = 0; d < graph->device_count; d++) {
        uint32_t host = graph->devices[d].host;
        uint32_t other;

        if (!below[d].gpus || host >= graph->device_count)
            continue;
        other = leaders[host].gpus;
        if (below[d].gpus < below[other].gpus)
            add(found, d,
                cs_arena_printf(found->arena, "%u GPUs, %s has %u", below[d].gpus,
                                graph->devices[other].name, below[other].gpus));
        other = leaders[host].nics;
        if (below[d].nics == 0 && below[other].nics > 1)
            add(found, d,
                cs_arena_printf(found->arena, "no NIC for its %u GPUs, %s has %u NICs",
                                below[d].gpus, graph->devices[other].name, below[other].nics));
    }
}

/* ---- models and ports ---- */

static void find_other_models(struct oddities *found)
{
    const struct cs_graph *graph = found->graph;
    const struct cs_gpu_kind *first = NULL;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        const struct cs_gpu_kind *model = graph->devices[d].model;

        if (!is_gpu(graph, d) || !model)
            continue;
        first = first ? first : model;
        if (model != first)
            add(found, d, cs_arena_printf(found->arena, "%s beside %s", model->name, first->name));
    }
}

static void find_lone_nics(struct oddities *found)
{
    const struct cs_graph *graph = found->graph;
    struct cs_ports ports;

    cs_ports_choose(graph, &ports, found->arena);
    for (uint32_t d = 0; d < graph->device_count && ports.count; d++) {
        const struct cs_wire *own;

        if (graph->devices[d].kind != CS_DEVICE_NIC || ports.is_port[d])
            continue;
        own = cs_port_link(graph, &graph->devices[d], found->arena);
        add(found, d,
            own && ports.link && cs_wire_when_up(own) > 0
                ? cs_arena_printf(found->arena, "a port of %s beside %u of %s: joins no fabric",
                                  own->class_name, ports.count, ports.link->class_name)
                : "a port of unknown rate beside others: joins no fabric");
    }
}

uint32_t cs_oddities_find(const struct cs_graph *graph, struct cs_arena *arena,
                          struct cs_oddity *list, uint32_t room)
{
    struct oddities found = {graph, arena, list, 0, room};

    find_lost_links(&found);
    find_slow_slots(&found);
    find_uneven_sockets(&found);
    find_other_models(&found);
    find_lone_nics(&found);
    name_places(&found);
    return found.count;
}
