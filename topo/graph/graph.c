#include "topo/graph/graph.h"

#include "sim/base/collections/name_index.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cs_graph_init(struct cs_graph *graph, struct cs_arena *arena)
{
    *graph =
        (struct cs_graph){.arena = arena, .name = "", .about = "", .file = ""};
}

/* Room for `capacity` items where `count` are in use. */
static void *graph_enlarge(struct cs_arena *arena, const void *old,
                           uint32_t count, uint32_t capacity, size_t size)
{
    void *new = cs_arena_alloc(arena, capacity, size);

    if (count)
        memcpy(new, old, count * size);
    return new;
}

void cs_graph_share(const struct cs_graph *from, struct cs_graph *graph,
                    struct cs_arena *arena)
{
    *graph = *from;
    graph->arena = arena;
    if (from->notes)
        graph->notes = graph_enlarge(arena, from->notes, from->note_count,
                                     CS_GRAPH_NOTES_MAX, sizeof(*graph->notes));
}

void cs_graph_copy(const struct cs_graph *from, struct cs_graph *graph,
                   struct cs_arena *arena)
{
    cs_graph_share(from, graph, arena);
    if (from->replicated.count)
        return; /* expanding makes arrays of its own */
    graph->devices = graph_enlarge(arena, from->devices, from->device_count,
                                   from->device_count, sizeof(*graph->devices));
    graph->device_capacity = from->device_count;
    graph->wires = graph_enlarge(arena, from->wires, from->wire_count,
                                 from->wire_count, sizeof(*graph->wires));
    graph->wire_capacity = from->wire_count;
}

static uint32_t kept_devices(const struct cs_graph *graph)
{
    return graph->device_count -
           cs_graph_skipped(graph, graph->replicated.devices);
}

static uint32_t kept_wires(const struct cs_graph *graph)
{
    return graph->wire_count - cs_graph_skipped(graph, graph->replicated.wires);
}

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
        *graph_devices_of(graph) = graph_enlarge(
            graph->arena, *graph_devices_of(graph), count,
            graph->device_capacity, sizeof(**graph_devices_of(graph)));
    }
    count = kept_wires(graph);
    if (wires > graph->wire_capacity - count) {
        graph->wire_capacity = count + wires;
        *graph_wires_of(graph) = graph_enlarge(
            graph->arena, *graph_wires_of(graph), count, graph->wire_capacity,
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

uint32_t cs_graph_add_wire(struct cs_graph *graph, struct cs_wire wire)
{
    uint32_t at = kept_wires(graph);

    if (at == graph->wire_capacity)
        cs_graph_reserve(graph, 0, at + 16);
    (*graph_wires_of(graph))[at] = wire;
    return graph->wire_count++;
}

/* ---- brief machines ---- */

void cs_graph_fold_replicas(struct cs_graph *graph,
                            struct cs_graph_replicas replicated)
{
    graph->kept_devices = graph->devices;
    graph->kept_wires = graph->wires;
    graph->devices = NULL;
    graph->wires = NULL;
    graph->replicated = replicated;
    graph->device_count += cs_graph_skipped(graph, replicated.devices);
    graph->wire_count += cs_graph_skipped(graph, replicated.wires);
}

const char *cs_graph_name(const struct cs_graph *graph, uint32_t device,
                          struct cs_arena *arena)
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
    uint32_t i;

    if (!graph->replicated.count)
        return;
    whole.replicated = (struct cs_graph_replicas){0};
    whole.device_count = whole.device_capacity = 0;
    whole.wire_count = whole.wire_capacity = 0;
    cs_graph_reserve(&whole, graph->device_count, graph->wire_count);
    for (i = 0; i < graph->device_count; i++) {
        struct cs_device device = cs_graph_device(graph, i);

        device.name = cs_graph_name(graph, i, graph->arena);
        cs_graph_add_device(&whole, device);
    }
    for (i = 0; i < graph->wire_count; i++)
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

/* The devices of some kinds, in order of declaration. */
static uint32_t *graph_all_of(const struct cs_graph *graph,
                              bool (*is_meant)(enum cs_device_kind),
                              uint32_t *count)
{
    uint32_t *devices =
        cs_arena_alloc(graph->arena, graph->device_count, sizeof(*devices));

    *count = 0;
    for (uint32_t i = 0; i < graph->device_count; i++)
        if (is_meant(graph->devices[i].kind))
            devices[(*count)++] = i;
    return devices;
}

void cs_graph_place_all(struct cs_graph *graph)
{
    graph->rank_device =
        graph_all_of(graph, cs_device_computes, &graph->rank_count);
}

static bool graph_is_cpu(enum cs_device_kind kind)
{
    return kind == CS_DEVICE_CPU;
}

void cs_graph_place_servers(struct cs_graph *graph)
{
    graph->agent_device =
        graph_all_of(graph, graph_is_cpu, &graph->agent_count);
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
        graph->notes = cs_arena_alloc(graph->arena, CS_GRAPH_NOTES_MAX,
                                      sizeof(*graph->notes));
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            *at = '?';
    graph->notes[graph->note_count++] = cs_arena_text(graph->arena, text);
}

const char *cs_device_kind_name(enum cs_device_kind kind)
{
    static const char *const names[CS_DEVICE_KINDS] = {
        [CS_DEVICE_GPU] = "gpu", [CS_DEVICE_HOST] = "host",
        [CS_DEVICE_CPU] = "cpu", [CS_DEVICE_NIC] = "nic",
        [CS_DEVICE_BUS] = "bus", [CS_DEVICE_SWITCH] = "switch",
    };

    return names[kind];
}

const char *cs_duplex_name(enum cs_duplex duplex)
{
    static const char *const names[CS_DUPLEX_KINDS] = {"full", "half", "bus"};

    return names[duplex];
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

unsigned cs_graph_abilities(const struct cs_graph *graph, uint32_t device)
{
    struct cs_device of = cs_graph_device(graph, device);
    unsigned abilities = 0;

    if (of.kind == CS_DEVICE_BUS)
        return CS_SWITCH_MULTICASTS;
    if (of.adds)
        abilities |= CS_SWITCH_REDUCES | CS_SWITCH_MULTICASTS;
    for (uint32_t w = 0;
         w < graph->wire_count && graph_is_switch(graph, device);
         w = cs_graph_next_wire(graph, w)) {
        struct cs_wire wire = cs_graph_wire(graph, w);

        if ((wire.a == device || wire.b == device) &&
            cs_link_families[wire.family].multicasts)
            return abilities | CS_SWITCH_MULTIMEM | CS_SWITCH_MULTICASTS;
    }
    return abilities;
}

bool cs_graph_link_is_free(const struct cs_graph *graph, uint32_t link)
{
    struct cs_wire wire = cs_graph_wire(graph, link / 2);

    return cs_graph_device(graph, link % 2 ? wire.b : wire.a).kind ==
           CS_DEVICE_BUS;
}

/* What messages call the machine. */
static const char *graph_where(const struct cs_graph *graph)
{
    return *graph->file ? graph->file : graph->name;
}

static int graph_check_names(const struct cs_graph *graph,
                             struct cs_arena *scratch, struct cs_err *err)
{
    struct cs_names names;

    cs_names_init(&names, scratch, graph->device_count);
    for (uint32_t i = 0; i < graph->device_count; i++) {
        const struct cs_device *device = &graph->devices[i];
        uint32_t other = cs_names_add(&names, device->name, i);

        if (other != CS_NO_NAME)
            return cs_err_at(err, CS_EINPUT, graph_where(graph), device->line,
                             "device '%s' is a duplicate of line %u",
                             device->name, graph->devices[other].line);
    }
    return 0;
}

static int check_bus(const struct cs_graph *graph, const struct cs_wire *wire,
                     struct cs_err *err)
{
    struct cs_device a = cs_graph_device(graph, wire->a);
    struct cs_device b = cs_graph_device(graph, wire->b);
    int buses = (a.kind == CS_DEVICE_BUS) + (b.kind == CS_DEVICE_BUS);

    if (buses == 2)
        return cs_err_at(err, CS_EINPUT, graph_where(graph), wire->line,
                         "'%s' and '%s' are both a bus; put a switch between",
                         a.name, b.name);
    if (buses && wire->duplex != CS_DUPLEX_BUS)
        return cs_err_at(err, CS_EINPUT, graph_where(graph), wire->line,
                         "'%s' is a bus, so '%s' needs 'duplex: bus'",
                         a.kind == CS_DEVICE_BUS ? a.name : b.name,
                         wire->class_name);
    if (!buses && wire->duplex == CS_DUPLEX_BUS)
        return cs_err_at(err, CS_EINPUT, graph_where(graph), wire->line,
                         "'%s' has 'duplex: bus', but neither '%s' nor '%s' "
                         "is a bus",
                         wire->class_name, a.name, b.name);
    return 0;
}

static int graph_check_wires(const struct cs_graph *graph, struct cs_err *err)
{
    for (uint32_t w = 0; w < graph->wire_count;
         w = cs_graph_next_wire(graph, w)) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        double rate_Bps = cs_wire_when_up(&wire);
        int rc;

        if (wire.a == wire.b)
            return cs_err_at(err, CS_EINPUT, graph_where(graph), wire.line,
                             "'%s' is linked to itself",
                             cs_graph_device(graph, wire.a).name);
        if (!isfinite(rate_Bps) || rate_Bps <= 0)
            return cs_err_at(err, CS_EINPUT, graph_where(graph), wire.line,
                             "the rate of '%s' is not above zero and finite",
                             wire.class_name);
        rc = check_bus(graph, &wire, err);
        if (rc)
            return rc;
    }
    return 0;
}

static uint32_t graph_party_device(const struct cs_graph *graph, uint32_t party)
{
    return party < graph->rank_count
               ? graph->rank_device[party]
               : graph->agent_device[party - graph->rank_count];
}

static uint32_t party_count(const struct cs_graph *graph)
{
    return graph->rank_count + graph->agent_count;
}

static int check_slots(const struct cs_graph *graph, struct cs_arena *scratch,
                       struct cs_err *err)
{
    uint8_t *taken = cs_arena_alloc(scratch, graph->device_count, 1);

    if (graph->rank_count == 0)
        return cs_err_at(err, CS_EINPUT, graph_where(graph), 0,
                         "no rank: the machine has neither a gpu nor a host");
    for (uint32_t i = 0; i < party_count(graph); i++) {
        uint32_t d = graph_party_device(graph, i);
        struct cs_device device = cs_graph_device(graph, d);

        if (i < graph->rank_count && !cs_device_computes(device.kind))
            return cs_err_at(err, CS_EINPUT, graph_where(graph), device.line,
                             "'%s' is a %s and cannot be a rank; a rank is a "
                             "gpu or a host",
                             device.name, cs_device_kind_name(device.kind));
        if (device.kind == CS_DEVICE_BUS)
            return cs_err_at(err, CS_EINPUT, graph_where(graph), device.line,
                             "'%s' is a bus and cannot hold a server",
                             device.name);
        if (taken[d])
            return cs_err_at(err, CS_EINPUT, graph_where(graph), device.line,
                             "'%s' would be two ranks or servers at once",
                             device.name);
        taken[d] = 1;
    }
    return 0;
}

/*
 * Reachability.  Forwarding devices that are joined form islands; a party
 * reaches what it is wired to, and every party on an island that it touches.
 */
struct islands {
    const struct cs_graph *graph;
    uint32_t *parent; /* union-find over devices; a root names an island */
    uint32_t *stamp;  /* device: last party (+ 1) that touches or reaches it */
    uint32_t *start;  /* device -> its first wire in `wires` */
    uint32_t *wires;  /* wire numbers, by device */
};

static uint32_t graph_root(uint32_t *parent, uint32_t device)
{
    while (parent[device] != device) {
        parent[device] = parent[parent[device]];
        device = parent[device];
    }
    return device;
}

static void islands_join(struct islands *islands)
{
    const struct cs_graph *graph = islands->graph;

    for (uint32_t i = 0; i < graph->device_count; i++)
        islands->parent[i] = i;
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        uint32_t a = graph->wires[w].a;
        uint32_t b = graph->wires[w].b;

        if (cs_graph_forwards(graph, a) && cs_graph_forwards(graph, b))
            islands->parent[graph_root(islands->parent, b)] =
                graph_root(islands->parent, a);
    }
}

/* The wires of each device, as compressed rows. */
static void islands_index(struct islands *islands)
{
    const struct cs_graph *graph = islands->graph;
    uint32_t *start = islands->start;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        start[graph->wires[w].a + 1]++;
        start[graph->wires[w].b + 1]++;
    }
    for (uint32_t i = 0; i < graph->device_count; i++)
        start[i + 1] += start[i];
    for (uint32_t w = graph->wire_count; w-- > 0;) {
        /* Filled from the end of each row, which becomes its start. */
        islands->wires[--start[graph->wires[w].a + 1]] = w;
        islands->wires[--start[graph->wires[w].b + 1]] = w;
    }
    /* start[i + 1] is now where row i begins; the last row ends at the end. */
    memmove(start, start + 1, graph->device_count * sizeof(*start));
    start[graph->device_count] = 2 * graph->wire_count;
}

static uint32_t far_end(const struct cs_wire *wire, uint32_t device)
{
    return wire->a == device ? wire->b : wire->a;
}

/* What a party's stamp goes on when it has a wire to `device`: the island of a
 * device that forwards, else the device itself. */
static uint32_t graph_landing(const struct islands *islands, uint32_t device)
{
    return graph_root(islands->parent, device);
}

/* Stamps all that the device touches with `mark`, and its own island. */
static void stamp_touched(const struct islands *islands, uint32_t device,
                          uint32_t mark)
{
    islands->stamp[graph_landing(islands, device)] = mark;
    for (uint32_t i = islands->start[device]; i < islands->start[device + 1];
         i++) {
        const struct cs_wire *wire = &islands->graph->wires[islands->wires[i]];

        islands->stamp[graph_landing(islands, far_end(wire, device))] = mark;
    }
}

/* Whether the device, or an island that it touches, has the stamp. */
static bool is_reached(const struct islands *islands, uint32_t device,
                       uint32_t mark)
{
    if (islands->stamp[graph_landing(islands, device)] == mark)
        return true;
    for (uint32_t i = islands->start[device]; i < islands->start[device + 1];
         i++) {
        const struct cs_wire *wire = &islands->graph->wires[islands->wires[i]];
        uint32_t other = far_end(wire, device);

        if (cs_graph_forwards(islands->graph, other) &&
            islands->stamp[graph_landing(islands, other)] == mark)
            return true;
    }
    return false;
}

/* Moves the stamp of the device's island on from `mark`, if it has that stamp
 * and forwards; says whether it has. */
static bool graph_move_on(const struct islands *islands, uint32_t device,
                          uint32_t mark)
{
    uint32_t *stamp = &islands->stamp[graph_landing(islands, device)];

    if (!cs_graph_forwards(islands->graph, device) || *stamp < mark)
        return false;
    *stamp = mark + 1;
    return true;
}

/* Whether there is an island that every party touches: the usual case.  Party
 * 0's islands are candidates; each next party strikes out those it misses, by
 * not moving their stamp on. */
static bool one_island_for_all(const struct islands *islands)
{
    const struct cs_graph *graph = islands->graph;

    stamp_touched(islands, graph_party_device(graph, 0), 1);
    for (uint32_t p = 1; p < party_count(graph); p++) {
        uint32_t device = graph_party_device(graph, p);
        bool any = graph_move_on(islands, device, p);

        for (uint32_t i = islands->start[device];
             i < islands->start[device + 1]; i++) {
            uint32_t wire = islands->wires[i];

            any |=
                graph_move_on(islands, far_end(&graph->wires[wire], device), p);
        }
        if (!any)
            return false;
    }
    return true;
}

static int check_each_pair(const struct islands *islands, struct cs_err *err)
{
    const struct cs_graph *graph = islands->graph;

    memset(islands->stamp, 0, graph->device_count * sizeof(*islands->stamp));
    for (uint32_t p = 0; p < party_count(graph); p++) {
        uint32_t from = graph_party_device(graph, p);

        stamp_touched(islands, from, p + 1);
        for (uint32_t q = 0; q < party_count(graph); q++) {
            uint32_t to = graph_party_device(graph, q);

            if (q != p && !is_reached(islands, to, p + 1))
                return cs_err_at(
                    err, CS_EINPUT, graph_where(graph), graph->devices[to].line,
                    "'%s' cannot be reached from '%s'%s",
                    graph->devices[to].name, graph->devices[from].name,
                    graph->direct ? ""
                                  : "; only a cpu, nic, switch or bus passes "
                                    "messages on");
        }
    }
    return 0;
}

static int check_reach(const struct cs_graph *graph, struct cs_arena *scratch,
                       struct cs_err *err)
{
    struct islands islands = {.graph = graph};
    size_t n = graph->device_count;

    islands.parent = cs_arena_alloc(scratch, n, sizeof(uint32_t));
    islands.stamp = cs_arena_alloc(scratch, n, sizeof(uint32_t));
    islands.start = cs_arena_alloc(scratch, n + 1, sizeof(uint32_t));
    islands.wires =
        cs_arena_alloc(scratch, graph->wire_count, 2 * sizeof(uint32_t));
    islands_join(&islands);
    islands_index(&islands);
    if (party_count(graph) < 2 || one_island_for_all(&islands))
        return 0;
    return check_each_pair(&islands, err);
}

int cs_graph_check(const struct cs_graph *graph, struct cs_err *err)
{
    struct cs_arena scratch = {0};
    bool is_read = *graph->file || !graph->route;
    int rc = is_read ? graph_check_names(graph, &scratch, err) : 0;

    if (!rc)
        rc = graph_check_wires(graph, err);
    if (!rc)
        rc = check_slots(graph, &scratch, err);
    if (!rc && !graph->route)
        rc = check_reach(graph, &scratch, err);
    cs_arena_free(&scratch);
    return rc;
}

const char *cs_graph_link_name(const struct cs_graph *graph, uint32_t link,
                               struct cs_arena *arena)
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
    return cs_arena_printf(arena, "%s -> %s (%s)", from_name, to_name,
                           wire.class_name);
}
