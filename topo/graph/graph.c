#include "topo/graph/graph.h"

#include "sim/base/hint.h"
#include "topo/graph/link_family.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cs_graph_init(struct cs_graph *graph, struct cs_arena *arena)
{
    *graph = (struct cs_graph){.arena = arena, .name = "", .about = "", .file = ""};
}

/* A copy of the first `count` items, with memory for `capacity`. */
static void *graph_enlarge(struct cs_arena *arena, const void *old, uint32_t count,
                           uint32_t capacity, size_t size)
{
    void *new = cs_arena_alloc(arena, capacity, size);

    if (count)
        memcpy(new, old, count * size);
    return new;
}

void cs_graph_share(const struct cs_graph *from, struct cs_graph *graph, struct cs_arena *arena)
{
    *graph = *from;
    graph->arena = arena;
    if (from->notes)
        graph->notes = graph_enlarge(arena, from->notes, from->note_count, CS_GRAPH_NOTES_MAX,
                                     sizeof(*graph->notes));
}

void cs_graph_copy(const struct cs_graph *from, struct cs_graph *graph, struct cs_arena *arena)
{
    cs_graph_share(from, graph, arena);
    if (from->replicated.count)
        return; /* only expansion writes, to new arrays */
    graph->devices = graph_enlarge(arena, from->devices, from->device_count, from->device_count,
                                   sizeof(*graph->devices));
    graph->device_capacity = from->device_count;
    graph->wires = graph_enlarge(arena, from->wires, from->wire_count, from->wire_count,
                                 sizeof(*graph->wires));
    graph->wire_capacity = from->wire_count;
}

/* In the full form every device is stored. */
static uint32_t kept_devices(const struct cs_graph *graph)
{
    return graph->device_count - cs_graph_skipped(graph, graph->replicated.devices);
}

static uint32_t kept_wires(const struct cs_graph *graph)
{
    return graph->wire_count - cs_graph_skipped(graph, graph->replicated.wires);
}

/* The array of the current form. */
static struct cs_device **graph_devices_of(struct cs_graph *graph)
{
    return graph->replicated.count ? &graph->kept_devices : &graph->devices;
}

static struct cs_wire **graph_wires_of(struct cs_graph *graph)
{
    return graph->replicated.count ? &graph->kept_wires : &graph->wires;
}

void cs_graph_reserve(struct cs_graph *graph, uint32_t devices, uint32_t wires)
{
    uint32_t count = kept_devices(graph);

    if (devices > graph->device_capacity - count) {
        graph->device_capacity = count + devices;
        *graph_devices_of(graph) =
            graph_enlarge(graph->arena, *graph_devices_of(graph), count, graph->device_capacity,
                          sizeof(**graph_devices_of(graph)));
    }
    count = kept_wires(graph);
    if (wires > graph->wire_capacity - count) {
        graph->wire_capacity = count + wires;
        *graph_wires_of(graph) =
            graph_enlarge(graph->arena, *graph_wires_of(graph), count, graph->wire_capacity,
                          sizeof(**graph_wires_of(graph)));
    }
}

uint32_t cs_graph_add_device(struct cs_graph *graph, struct cs_device device)
{
    uint32_t at = kept_devices(graph);

    if (at == graph->device_capacity)
        cs_graph_reserve(graph, at + 16, 0);
    (*graph_devices_of(graph))[at] = device;
    return graph->device_count++;
}

uint32_t cs_graph_add(struct cs_graph *graph, enum cs_device_kind kind, uint32_t host,
                      const char *name)
{
    return cs_graph_add_device(graph, (struct cs_device){.name = name, .kind = kind, .host = host});
}

uint32_t cs_graph_add_wire(struct cs_graph *graph, struct cs_wire wire)
{
    uint32_t at = kept_wires(graph);

    if (at == graph->wire_capacity)
        cs_graph_reserve(graph, 0, at + 16);
    (*graph_wires_of(graph))[at] = wire;
    return graph->wire_count++;
}

/* ---- folded form ---- */

void cs_graph_fold_replicas(struct cs_graph *graph, struct cs_graph_replicas replicated)
{
    graph->kept_devices = graph->devices;
    graph->kept_wires = graph->wires;
    graph->devices = NULL;
    graph->wires = NULL;
    graph->replicated = replicated;
    graph->device_count += cs_graph_skipped(graph, replicated.devices);
    graph->wire_count += cs_graph_skipped(graph, replicated.wires);
}

const char *cs_graph_name(const struct cs_graph *graph, uint32_t device, struct cs_arena *arena)
{
    struct cs_graph_replicas replicated = graph->replicated;
    const char *name = cs_graph_device(graph, device).name;

    if (device >= replicated.count * replicated.devices)
        return name;
    if (replicated.devices == 1)
        return cs_arena_printf(arena, "%s%u", name, device);
    return cs_arena_printf(arena, "n%u.%s", device / replicated.devices, name);
}

void cs_graph_expand(struct cs_graph *graph)
{
    struct cs_graph whole = *graph;

    if (!graph->replicated.count)
        return;
    whole.replicated = (struct cs_graph_replicas){0};
    whole.device_count = whole.device_capacity = 0;
    whole.wire_count = whole.wire_capacity = 0;
    cs_graph_reserve(&whole, graph->device_count, graph->wire_count);
    for (uint32_t i = 0; i < graph->device_count; i++) {
        struct cs_device device = cs_graph_device(graph, i);

        device.name = cs_graph_name(graph, i, graph->arena);
        cs_graph_add_device(&whole, device);
    }
    for (uint32_t i = 0; i < graph->wire_count; i++)
        cs_graph_add_wire(&whole, cs_graph_wire(graph, i));
    *graph = whole;
}

uint32_t cs_graph_find(const struct cs_graph *graph, const char *name)
{
    for (uint32_t i = 0; i < graph->device_count; i++)
        if (strcmp(graph->devices[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

int cs_graph_no_device(const struct cs_graph *graph, const char *name, struct cs_err *err)
{
    const char **names = cs_arena_alloc(graph->arena, graph->device_count, sizeof(*names));

    for (uint32_t i = 0; i < graph->device_count; i++)
        names[i] = graph->devices[i].name;
    return cs_err_set(
        err, CS_EINPUT, "'%s' has no device '%.40s'%s", graph->name, name,
        cs_hint(name, names, graph->device_count, "'collsim topo show' has all").text);
}

/* The devices of selected kinds, in order of declaration. */
static uint32_t *graph_all_of(const struct cs_graph *graph,
                              bool (*is_selected)(enum cs_device_kind), uint32_t *count)
{
    uint32_t *devices = cs_arena_alloc(graph->arena, graph->device_count, sizeof(*devices));

    *count = 0;
    for (uint32_t i = 0; i < graph->device_count; i++)
        if (is_selected(graph->devices[i].kind))
            devices[(*count)++] = i;
    return devices;
}

void cs_graph_place_all(struct cs_graph *graph)
{
    graph->rank_device = graph_all_of(graph, cs_device_computes, &graph->rank_count);
}

void cs_graph_place_first(struct cs_graph *graph)
{
    uint32_t *ranks = graph->rank_device, count = graph->rank_count;

    if (!graph->devices || graph->route || graph->given_routes)
        return;
    cs_graph_place_all(graph);
    if (graph->rank_count == count)
        graph->rank_device = ranks;
    graph->rank_count = count;
}

bool cs_device_is_cpu(enum cs_device_kind kind)
{
    return kind == CS_DEVICE_CPU;
}

void cs_graph_place_servers(struct cs_graph *graph)
{
    graph->agent_device = graph_all_of(graph, cs_device_is_cpu, &graph->agent_count);
}

void cs_graph_note(struct cs_graph *graph, const char *format, ...)
{
    char text[CS_ERR_TEXT_MAX];
    va_list args;

    if (graph->note_count == CS_GRAPH_NOTES_MAX) {
        graph->notes[CS_GRAPH_NOTES_MAX - 1] = "there are more notes";
        return;
    }
    if (!graph->notes)
        graph->notes = cs_arena_alloc(graph->arena, CS_GRAPH_NOTES_MAX, sizeof(*graph->notes));
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    /* Names from a file may contain control characters; a note is one line. */
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            *at = '?';
    graph->notes[graph->note_count++] = cs_arena_text(graph->arena, text);
}

const char *cs_device_kind_name(enum cs_device_kind kind)
{
    static const char *const names[CS_DEVICE_KINDS] = {
        [CS_DEVICE_GPU] = "gpu", [CS_DEVICE_HOST] = "host", [CS_DEVICE_CPU] = "cpu",
        [CS_DEVICE_NIC] = "nic", [CS_DEVICE_BUS] = "bus",   [CS_DEVICE_SWITCH] = "switch",
    };

    return names[kind];
}

const char *cs_duplex_name(enum cs_duplex duplex)
{
    static const char *const names[CS_DUPLEX_KINDS] = {"full", "half", "bus"};

    return names[duplex];
}

const char *cs_cpu_vendor_name(enum cs_cpu_vendor vendor)
{
    static const char *const names[CS_CPU_VENDORS] = {
        [CS_CPU_UNKNOWN] = NULL, [CS_CPU_INTEL] = "intel", [CS_CPU_AMD] = "amd",
        [CS_CPU_ARM] = "arm",    [CS_CPU_IBM] = "ibm",     [CS_CPU_ZHAOXIN] = "zhaoxin",
    };

    return names[vendor];
}

bool cs_device_computes(enum cs_device_kind kind)
{
    return kind == CS_DEVICE_GPU || kind == CS_DEVICE_HOST;
}

bool cs_device_forwards(enum cs_device_kind kind)
{
    return !cs_device_computes(kind);
}

static bool graph_is_switch(const struct cs_graph *graph, uint32_t device)
{
    return cs_graph_device(graph, device).kind == CS_DEVICE_SWITCH;
}

/* Those of the device alone, whatever its wires. */
static unsigned graph_own_abilities(const struct cs_graph *graph, uint32_t device)
{
    struct cs_device of = cs_graph_device(graph, device);

    if (of.kind == CS_DEVICE_BUS)
        return CS_SWITCH_MULTICASTS;
    return of.reduces ? CS_SWITCH_REDUCES | CS_SWITCH_MULTICASTS : 0;
}

/* Those of the first of identical nodes, and of the fabric. */
static void graph_find_abilities(const struct cs_graph *graph, unsigned *abilities)
{
    struct cs_graph_replicas nodes = graph->replicated;

    for (uint32_t d = 0; d < graph->device_count; d++)
        if (d < nodes.devices || d >= nodes.count * nodes.devices)
            abilities[d] = graph_own_abilities(graph, d);
    for (uint32_t w = 0; w < graph->wire_count; w = cs_graph_next_wire(graph, w)) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        const uint32_t ends[] = {wire.a, wire.b};

        for (int e = 0; e < 2 && cs_link_families[wire.family].multicasts; e++)
            if (graph_is_switch(graph, ends[e]))
                abilities[ends[e]] |= CS_SWITCH_MULTIMEM | CS_SWITCH_MULTICASTS;
    }
}

const unsigned *cs_graph_abilities(const struct cs_graph *graph, struct cs_arena *arena)
{
    struct cs_graph_replicas nodes = graph->replicated;
    unsigned *abilities = cs_arena_alloc(arena, graph->device_count, sizeof(*abilities));

    graph_find_abilities(graph, abilities);
    for (uint32_t d = nodes.devices; d < nodes.count * nodes.devices; d++)
        abilities[d] |= abilities[d - nodes.devices];
    return abilities;
}

bool cs_graph_is_host_bridge(const struct cs_graph *graph, uint32_t device)
{
    if (graph->devices[device].kind != CS_DEVICE_SWITCH)
        return false;
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (graph->wires[w].family == CS_LINK_LOCAL && cs_wire_has_end(&graph->wires[w], device) &&
            graph->devices[cs_wire_far_end(&graph->wires[w], device)].kind == CS_DEVICE_CPU)
            return true;
    return false;
}

bool cs_graph_link_is_free(const struct cs_graph *graph, uint32_t link)
{
    struct cs_wire wire = cs_graph_wire(graph, link / 2);

    return cs_graph_device(graph, link % 2 ? wire.b : wire.a).kind == CS_DEVICE_BUS;
}

const char *cs_graph_link_name(const struct cs_graph *graph, uint32_t link, struct cs_arena *arena)
{
    struct cs_wire wire = cs_graph_wire(graph, link / 2);
    uint32_t from = link % 2 ? wire.b : wire.a;
    uint32_t to = link % 2 ? wire.a : wire.b;
    const char *from_name = cs_graph_name(graph, from, arena);
    const char *to_name = cs_graph_name(graph, to, arena);

    if (cs_graph_device(graph, from).kind == CS_DEVICE_BUS)
        return from_name;
    if (cs_graph_device(graph, to).kind == CS_DEVICE_BUS)
        return to_name;
    return cs_arena_printf(arena, "%s -> %s (%s)", from_name, to_name, wire.class_name);
}
