#include "algorithms/bounds/rates/cells.h"

#include "sim/base/hash.h"

#include <string.h>

enum {
    NONE = UINT32_MAX,
    MERGED_MIN = 3, /* hosts; merging the second of two would save no cell */
};

/* A host's description: equal hosts have equal words. */
struct description {
    uint64_t *words;
    uint32_t count;
    bool is_single; /* wired to a host, or kept apart */
    uint32_t group;
};

struct cells_build {
    const struct cs_graph *graph;
    struct cs_arena scratch;
    uint32_t *host;  /* device -> host, or NONE: of the fabric */
    uint32_t *local; /* device -> number within the host */
    uint32_t hosts;
    struct description *described;
    uint32_t *first;  /* group -> host */
    uint32_t *second; /* group -> host, or NONE */
    uint32_t *size;   /* group -> hosts */
    uint32_t groups;
};

/* ---- hosts ---- */

/* The host of a device: a replica, a host, or a lone rank. */
static uint32_t cells_new_host(struct cells_build *build, uint32_t *of_number, uint32_t device)
{
    struct cs_device at = cs_graph_device(build->graph, device);
    struct cs_graph_replicas replicated = build->graph->replicated;

    if (device < replicated.count * replicated.devices)
        return device / replicated.devices;
    if (at.host == CS_NO_HOST || at.host >= build->graph->device_count)
        return cs_device_computes(at.kind) ? build->hosts++ : NONE;
    if (of_number[at.host] == NONE)
        of_number[at.host] = build->hosts++;
    return of_number[at.host];
}

static void cells_find_hosts(struct cells_build *build)
{
    uint32_t devices = build->graph->device_count;
    uint32_t *of_number = cs_arena_alloc(&build->scratch, devices, sizeof(*of_number));
    uint32_t *sizes = cs_arena_alloc(&build->scratch, devices, sizeof(*sizes));

    memset(of_number, 0xff, devices * sizeof(*of_number));
    build->host = cs_arena_alloc(&build->scratch, devices, sizeof(uint32_t));
    build->local = cs_arena_alloc(&build->scratch, devices, sizeof(uint32_t));
    build->hosts = build->graph->replicated.count;
    for (uint32_t d = 0; d < devices; d++) {
        build->host[d] = cells_new_host(build, of_number, d);
        if (build->host[d] != NONE)
            build->local[d] = sizes[build->host[d]]++;
    }
}

/* ---- descriptions ---- */

enum {
    WIRE_WORDS = 4
};

/* Makes room for the words of every host. */
static void cells_make_room(struct cells_build *build)
{
    const struct cs_graph *graph = build->graph;

    build->described = cs_arena_alloc(&build->scratch, build->hosts, sizeof(*build->described));
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (build->host[d] != NONE)
            build->described[build->host[d]].count++;
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        uint32_t a = build->host[wire.a];
        uint32_t b = build->host[wire.b];

        if (a != NONE)
            build->described[a].count += WIRE_WORDS;
        else if (b != NONE)
            build->described[b].count += WIRE_WORDS;
        if (a != NONE && b != NONE && a != b)
            build->described[a].is_single = build->described[b].is_single = true;
    }
    for (uint32_t i = 0; i < build->hosts; i++) {
        build->described[i].words =
            cs_arena_alloc(&build->scratch, build->described[i].count, sizeof(uint64_t));
        build->described[i].count = 0;
    }
}

static void cells_add_word(struct cells_build *build, uint32_t host, uint64_t word)
{
    struct description *described = &build->described[host];

    described->words[described->count++] = word;
}

/* Kinds, and the roles of devices: a party forwards bytes. */
static void cells_describe_devices(struct cells_build *build)
{
    const struct cs_graph *graph = build->graph;
    uint8_t *roles = cs_arena_alloc(&build->scratch, graph->device_count, sizeof(*roles));

    for (uint32_t r = 0; r < graph->rank_count; r++)
        roles[graph->rank_device[r]] |= 1;
    for (uint32_t i = 0; i < graph->agent_count; i++)
        roles[graph->agent_device[i]] |= 2;
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (build->host[d] != NONE)
            cells_add_word(build, build->host[d],
                           (uint64_t)cs_graph_device(graph, d).kind << 8 | roles[d]);
}

/* An end inside by the local number, an end in the fabric by the device. */
static uint64_t cells_end(const struct cells_build *build, uint32_t device)
{
    return build->host[device] == NONE ? (uint64_t)1 << 32 | device : build->local[device];
}

/* Latency is part of the description: merged cuts report the least latency. */
static void cells_describe_wires(struct cells_build *build)
{
    const struct cs_graph *graph = build->graph;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        double rate_Bps = cs_wire_effective(&wire);
        uint32_t at = build->host[wire.a] != NONE ? build->host[wire.a] : build->host[wire.b];
        uint64_t rate;

        if (at == NONE)
            continue;
        memcpy(&rate, &rate_Bps, sizeof(rate));
        cells_add_word(build, at, cells_end(build, wire.a));
        cells_add_word(build, at, cells_end(build, wire.b));
        cells_add_word(build, at, rate);
        cells_add_word(build, at,
                       wire.latency_ps << 3 | (uint64_t)wire.duplex << 1 | wire.backwards);
    }
}

/* ---- groups of equal descriptions ---- */

/* Words decide equality; a collision only costs time. */
static uint64_t cells_hash(const struct description *described)
{
    uint64_t hash = CS_HASH_START;

    for (uint32_t i = 0; i < described->count; i++)
        hash = cs_hash_mix(hash, described->words[i]);
    return hash;
}

/* A host next to a host has no description independent of other hosts, and is
 * never merged. */
static bool cells_are_equal(const struct description *x, const struct description *y)
{
    return !x->is_single && !y->is_single && x->count == y->count &&
           memcmp(x->words, y->words, x->count * sizeof(*x->words)) == 0;
}

static void cells_join(struct cells_build *build, uint32_t host, uint32_t group)
{
    if (group == build->groups) {
        build->groups++;
        build->first[group] = host;
        build->second[group] = NONE;
    } else if (build->second[group] == NONE) {
        build->second[group] = host;
    }
    build->size[group]++;
    build->described[host].group = group;
}

/* The slot of the hash table (open addressing) where the host's group is,
 * or belongs. */
static uint32_t cells_slot(const struct cells_build *build, const struct description *described,
                           const uint32_t *table, uint32_t slots)
{
    uint32_t slot = cs_hash_slot(cells_hash(described)) & (slots - 1);

    while (table[slot] != NONE &&
           !cells_are_equal(described, &build->described[build->first[table[slot]]]))
        slot = (slot + 1) & (slots - 1);
    return slot;
}

static uint32_t *cells_numbers(struct cells_build *build, uint32_t count)
{
    return cs_arena_alloc(&build->scratch, count, sizeof(uint32_t));
}

static void cells_find_groups(struct cells_build *build)
{
    uint32_t slots = 2;
    uint32_t *table;

    while (slots < 2 * build->hosts)
        slots *= 2;
    table = cells_numbers(build, slots);
    memset(table, 0xff, slots * sizeof(*table));
    build->first = cells_numbers(build, build->hosts);
    build->second = cells_numbers(build, build->hosts);
    build->size = cells_numbers(build, build->hosts);
    for (uint32_t i = 0; i < build->hosts; i++) {
        const struct description *described = &build->described[i];
        uint32_t slot;

        if (described->is_single) {
            cells_join(build, i, build->groups);
            continue;
        }
        slot = cells_slot(build, described, table, slots);
        if (table[slot] == NONE)
            table[slot] = build->groups;
        cells_join(build, i, table[slot]);
    }
}

/* ---- cells ---- */

/* The host with the cells of the devices of `host`. */
static uint32_t cells_stand_in(const struct cells_build *build, uint32_t host)
{
    uint32_t group = build->described[host].group;

    if (build->size[group] < MERGED_MIN || host == build->first[group])
        return host;
    return build->second[group];
}

/* The first cell of every host with cells; hosts side by side, then the fabric.
 * Sets the number of cells of hosts. */
static uint32_t *cells_number_hosts(struct cells_build *build, struct cs_cells *cells)
{
    uint32_t *base = cells_numbers(build, build->hosts);

    for (uint32_t d = 0; d < build->graph->device_count; d++) {
        uint32_t host = build->host[d];

        cells->is_kept[d] = host == NONE || cells_stand_in(build, host) == host;
        if (cells->is_kept[d] && host != NONE)
            base[host]++;
    }
    for (uint32_t i = 0; i < build->hosts; i++) {
        uint32_t size = base[i];

        base[i] = cells->count;
        cells->count += size;
    }
    return base;
}

/* Devices of merged hosts fall into the cells of the second host, by local
 * number. */
static void cells_place(struct cells_build *build, struct cs_cells *cells, const uint32_t *base)
{
    for (uint32_t d = 0; d < build->graph->device_count; d++) {
        uint32_t host = build->host[d];
        uint32_t cell =
            host == NONE ? cells->count++ : base[cells_stand_in(build, host)] + build->local[d];

        cells->of[d] = cell;
        cells->group[cell] = host == NONE ? CS_NO_CELL : build->described[host].group;
        if (cells->is_kept[d])
            cells->device[cell] = d;
        cells->weight[cell]++;
    }
}

static void cells_find_twins(const struct cells_build *build, struct cs_cells *cells,
                             const uint32_t *base)
{
    memset(cells->twin, 0xff, cells->count * sizeof(*cells->twin));
    for (uint32_t d = 0; d < build->graph->device_count; d++) {
        uint32_t host = build->host[d];
        uint32_t group;

        if (host == NONE)
            continue;
        group = build->described[host].group;
        if (build->size[group] >= MERGED_MIN && host == build->first[group])
            cells->twin[cells->of[d]] = base[build->second[group]] + build->local[d];
    }
}

/* Parties forward even where the kind of device does not: algorithms relay. */
static struct cs_cells cells_new(const struct cs_graph *graph, struct cs_arena *arena)
{
    uint32_t devices = graph->device_count;
    struct cs_cells cells = {
        .of = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .device = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .weight = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .twin = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .group = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .is_kept = cs_arena_alloc(arena, devices, sizeof(bool)),
        .passes = cs_arena_alloc(arena, devices, sizeof(bool)),
    };

    for (uint32_t i = 0; i < devices; i++)
        cells.passes[i] = cs_graph_forwards(graph, i);
    for (uint32_t i = 0; i < graph->rank_count; i++)
        cells.passes[graph->rank_device[i]] = true;
    for (uint32_t i = 0; i < graph->agent_count; i++)
        cells.passes[graph->agent_device[i]] = true;
    return cells;
}

struct cs_cells cs_cells_of(const struct cs_graph *graph, uint32_t apart, struct cs_arena *arena)
{
    struct cells_build build = {.graph = graph};
    struct cs_cells cells = cells_new(graph, arena);
    const uint32_t *base;

    cells_find_hosts(&build);
    cells_make_room(&build);
    if (apart != CS_NO_CELL && build.host[apart] != NONE)
        build.described[build.host[apart]].is_single = true;
    cells_describe_devices(&build);
    cells_describe_wires(&build);
    cells_find_groups(&build);
    base = cells_number_hosts(&build, &cells);
    cells_place(&build, &cells, base);
    cells_find_twins(&build, &cells, base);
    cs_arena_free(&build.scratch);
    return cells;
}

struct cs_cells cs_cells_single(const struct cs_graph *graph, struct cs_arena *arena)
{
    struct cs_cells cells = cells_new(graph, arena);

    cells.count = graph->device_count;
    for (uint32_t d = 0; d < graph->device_count; d++) {
        cells.of[d] = cells.device[d] = d;
        cells.weight[d] = 1;
        cells.twin[d] = cells.group[d] = CS_NO_CELL;
        cells.is_kept[d] = true;
    }
    return cells;
}

uint32_t cs_cells_wires(const struct cs_cells *cells, const struct cs_graph *graph)
{
    uint32_t kept = 0;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);

        kept += cs_cells_wire_weight(cells, &wire) > 0;
    }
    return kept;
}
