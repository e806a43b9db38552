#include "algorithms/bounds/rates/demand.h"

#include <string.h>

enum {
    NONE = UINT32_MAX
};

struct lengths_build {
    const struct cs_graph *graph;
    const struct cs_cells *cells;
    struct cs_arena scratch;
    uint32_t *shared;  /* wire -> the first host's equal wire */
    uint32_t *forward; /* wire -> resource from a to b, or NONE */
    uint32_t *back;
    uint32_t *of_bus; /* cell -> resource, or NONE */
    bool *is_spare;   /* device -> on no path between ranks */
};

/* ---- devices that no path between ranks crosses ---- */

/* A device's wires in use: the exclusive or of their numbers is the last. */
struct lengths_ends {
    uint32_t count, wires;
};

static bool lengths_carries(const struct lengths_build *build, const struct cs_wire *wire)
{
    return !wire->down && build->cells->passes[wire->a] && build->cells->passes[wire->b];
}

/* Removes the device, if it is a dead end, and the dead ends behind it: an
 * adapter without a network. */
static void lengths_cut_end(struct lengths_build *build, struct lengths_ends *ends,
                            const bool *is_party, uint32_t device)
{
    while (ends[device].count == 1 && !is_party[device]) {
        uint32_t w = ends[device].wires;
        struct cs_wire wire = cs_graph_wire(build->graph, w);

        build->is_spare[device] = true;
        ends[device].count = 0;
        device = wire.a == device ? wire.b : wire.a;
        ends[device].count--;
        ends[device].wires ^= w;
    }
}

static void lengths_find_spare(struct lengths_build *build)
{
    const struct cs_graph *graph = build->graph;
    uint32_t devices = graph->device_count;
    struct cs_arena *scratch = &build->scratch;
    struct lengths_ends *ends = cs_arena_alloc(scratch, devices, sizeof(*ends));
    bool *is_party = cs_arena_alloc(scratch, devices, sizeof(*is_party));

    build->is_spare = cs_arena_alloc(scratch, devices, sizeof(bool));
    for (uint32_t r = 0; r < graph->rank_count; r++)
        is_party[graph->rank_device[r]] = true;
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);

        if (!lengths_carries(build, &wire))
            continue;
        ends[wire.a].count++;
        ends[wire.b].count++;
        ends[wire.a].wires ^= w;
        ends[wire.b].wires ^= w;
    }
    for (uint32_t d = 0; d < devices; d++)
        lengths_cut_end(build, ends, is_party, d);
}

/* ---- wires of merged hosts and of first hosts ---- */

/* The group of hosts with an end of the wire, or NONE. */
static uint32_t lengths_group(const struct lengths_build *build, const struct cs_wire *wire)
{
    uint32_t a = build->cells->group[build->cells->of[wire->a]];

    return a != CS_NO_CELL ? a : build->cells->group[build->cells->of[wire->b]];
}

/* Interchangeable hosts have equal wires in equal order: the k-th wire of
 * merged hosts shares the resources of the first host's k-th. */
static void lengths_match(struct lengths_build *build)
{
    const struct cs_graph *graph = build->graph;
    uint32_t wires = graph->wire_count;
    uint32_t cells = build->cells->count;
    uint32_t *next = cs_arena_alloc(&build->scratch, wires, sizeof(*next));
    uint32_t *head = cs_arena_alloc(&build->scratch, cells, sizeof(*head));

    memset(head, 0xff, cells * sizeof(*head));
    for (uint32_t w = wires; w-- > 0;) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        uint32_t group = lengths_group(build, &wire);

        build->shared[w] = w;
        if (group == NONE || cs_cells_wire_weight(build->cells, &wire) != 1)
            continue;
        next[w] = head[group];
        head[group] = w;
    }
    for (uint32_t w = 0; w < wires; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);

        if (cs_cells_wire_weight(build->cells, &wire) > 1) {
            uint32_t *first = &head[lengths_group(build, &wire)];

            build->shared[w] = *first;
            *first = next[*first];
        }
    }
}

/* ---- resources ---- */

static uint32_t lengths_add_resource(struct cs_lengths *lengths, const struct cs_wire *wire,
                                     uint32_t w)
{
    lengths->resources[lengths->resource_count] =
        (struct cs_lengths_resource){.wire = w, .latency_ps = wire->latency_ps};
    return lengths->resource_count++;
}

/* The medium of the bus at an end of a wire. */
static uint32_t lengths_bus(struct lengths_build *build, struct cs_lengths *lengths,
                            const struct cs_wire *wire, uint32_t w)
{
    uint32_t a = build->cells->of[wire->a];
    uint32_t b = build->cells->of[wire->b];
    uint32_t bus = cs_graph_device(build->graph, wire->a).kind == CS_DEVICE_BUS ? a : b;

    if (build->of_bus[bus] == NONE)
        build->of_bus[bus] = lengths_add_resource(lengths, wire, w);
    return build->of_bus[bus];
}

/* Resources of a wire without an earlier equal wire; on a bus only the link to
 * the bus occupies the medium. */
static void lengths_own(struct lengths_build *build, struct cs_lengths *lengths,
                        const struct cs_wire *wire, uint32_t w)
{
    bool from_bus = cs_graph_device(build->graph, wire->a).kind == CS_DEVICE_BUS;
    uint32_t medium;

    switch (wire->duplex) {
    case CS_DUPLEX_FULL:
        build->forward[w] = lengths_add_resource(lengths, wire, w);
        build->back[w] = lengths_add_resource(lengths, wire, w);
        break;
    case CS_DUPLEX_HALF:
        build->forward[w] = build->back[w] = lengths_add_resource(lengths, wire, w);
        break;
    case CS_DUPLEX_BUS:
        medium = lengths_bus(build, lengths, wire, w);
        build->forward[w] = from_bus ? NONE : medium;
        build->back[w] = from_bus ? medium : NONE;
        break;
    case CS_DUPLEX_KINDS:
        break;
    }
}

static bool lengths_is_used(const struct lengths_build *build, const struct cs_wire *wire)
{
    return lengths_carries(build, wire) && !build->is_spare[wire->a] && !build->is_spare[wire->b] &&
           cs_cells_wire_weight(build->cells, wire) > 0;
}

/* Counts a wire's resource; a medium is counted by buses, not by wires. */
static void lengths_count(struct cs_lengths *lengths, const struct cs_wire *wire, uint32_t resource,
                          uint32_t weight)
{
    struct cs_lengths_resource *at;

    if (resource == NONE)
        return;
    at = &lengths->resources[resource];
    if (wire->latency_ps < at->latency_ps)
        at->latency_ps = wire->latency_ps;
    if (wire->duplex != CS_DUPLEX_BUS)
        at->count += weight;
}

/* Finds the resources of a wire: new resources, or the resources of the first
 * host's equal wire, to be found before. */
static void lengths_find_resource(struct lengths_build *build, struct cs_lengths *lengths,
                                  uint32_t w)
{
    struct cs_wire wire = cs_graph_wire(build->graph, w);
    uint32_t from = build->shared[w];
    uint32_t weight = cs_cells_wire_weight(build->cells, &wire);

    if (!lengths_is_used(build, &wire))
        return;
    if (from == w)
        lengths_own(build, lengths, &wire, w);
    build->forward[w] = build->forward[from];
    build->back[w] = build->back[from];
    lengths_count(lengths, &wire, build->forward[w], weight);
    if (build->back[w] != build->forward[w])
        lengths_count(lengths, &wire, build->back[w], weight);
}

static void lengths_find_resources(struct lengths_build *build, struct cs_lengths *lengths)
{
    uint32_t wires = build->graph->wire_count;

    for (uint32_t i = 0; i < wires; i++)
        if (build->shared[i] == i)
            lengths_find_resource(build, lengths, i);
    for (uint32_t i = 0; i < wires; i++)
        if (build->shared[i] != i)
            lengths_find_resource(build, lengths, i);
    for (uint32_t i = 0; i < build->cells->count; i++) {
        uint32_t twin = build->cells->twin[i];

        if (build->of_bus[i] != NONE)
            lengths->resources[build->of_bus[i]].count +=
                build->cells->weight[i] + (twin == CS_NO_CELL ? 0 : build->cells->weight[twin]);
    }
}

/* ---- arcs by origin, and by end ---- */

static void lengths_add_arc(struct cs_lengths *lengths, uint32_t *fill, uint32_t from,
                            struct cs_lengths_arc arc)
{
    if (lengths->arcs)
        lengths->arcs[fill[from]] = arc;
    fill[from]++;
}

/* Fills in the arcs, or, without room for arcs, counts arcs. */
static void lengths_fill(const struct lengths_build *build, struct cs_lengths *lengths,
                         uint32_t *fill)
{
    const struct cs_graph *graph = build->graph;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        uint32_t a = build->cells->of[wire.a];
        uint32_t b = build->cells->of[wire.b];
        double seconds = 1 / cs_wire_effective(&wire);

        if (!lengths_is_used(build, &wire))
            continue;
        if (!wire.backwards)
            lengths_add_arc(lengths, fill, a,
                            (struct cs_lengths_arc){a, b, build->forward[w], seconds});
        lengths_add_arc(lengths, fill, b, (struct cs_lengths_arc){b, a, build->back[w], seconds});
    }
}

static void lengths_find_arcs(struct lengths_build *build, struct cs_lengths *lengths,
                              struct cs_arena *arena)
{
    uint32_t cells = build->cells->count;
    uint32_t *fill = cs_arena_alloc(&build->scratch, cells, sizeof(*fill));

    lengths->first = cs_arena_alloc(arena, (size_t)cells + 1, sizeof(uint32_t));
    lengths_fill(build, lengths, fill);
    for (uint32_t c = 0; c < cells; c++) {
        lengths->first[c + 1] = lengths->first[c] + fill[c];
        fill[c] = lengths->first[c];
    }
    lengths->arcs = cs_arena_alloc(arena, lengths->first[cells], sizeof(*lengths->arcs));
    lengths_fill(build, lengths, fill);
}

/* Lists the arcs by end. */
static void lengths_find_entering(struct cs_lengths *lengths, struct cs_arena *arena)
{
    uint32_t cells = lengths->cells.count;
    uint32_t arcs = lengths->first[cells];
    uint32_t *first = cs_arena_alloc(arena, (size_t)cells + 2, sizeof(*first));

    lengths->entering = cs_arena_alloc(arena, arcs, sizeof(uint32_t));
    for (uint32_t e = 0; e < arcs; e++)
        first[lengths->arcs[e].to + 2]++;
    for (uint32_t c = 0; c < cells; c++)
        first[c + 2] += first[c + 1];
    for (uint32_t e = 0; e < arcs; e++)
        lengths->entering[first[lengths->arcs[e].to + 1]++] = e;
    lengths->first_entering = first;
}

/* Cells with ranks, in the order of ranks: equal on replicated and full
 * machines. */
static void lengths_find_targets(const struct cs_graph *graph, struct cs_lengths *lengths,
                                 struct cs_arena *arena)
{
    bool *seen = cs_arena_alloc(arena, lengths->cells.count, sizeof(*seen));

    lengths->targets = cs_arena_alloc(arena, lengths->cells.count, sizeof(uint32_t));
    for (uint32_t r = 0; r < graph->rank_count; r++) {
        uint32_t cell = lengths->cells.of[graph->rank_device[r]];

        if (!seen[cell])
            lengths->targets[lengths->target_count++] = cell;
        seen[cell] = true;
    }
}

struct cs_lengths cs_lengths_of(const struct cs_graph *graph, const struct cs_cells *cells,
                                struct cs_arena *arena)
{
    struct lengths_build build = {.graph = graph, .cells = cells};
    struct cs_lengths lengths = {.cells = *cells};
    uint32_t wires = graph->wire_count;

    build.shared = cs_arena_alloc(&build.scratch, wires, sizeof(uint32_t));
    build.forward = cs_arena_alloc(&build.scratch, wires, sizeof(uint32_t));
    build.back = cs_arena_alloc(&build.scratch, wires, sizeof(uint32_t));
    build.of_bus = cs_arena_alloc(&build.scratch, cells->count, sizeof(uint32_t));
    memset(build.of_bus, 0xff, cells->count * sizeof(uint32_t));
    lengths.resources = cs_arena_alloc(arena, wires, 2 * sizeof(*lengths.resources));
    lengths_find_spare(&build);
    lengths_match(&build);
    lengths_find_resources(&build, &lengths);
    lengths_find_arcs(&build, &lengths, arena);
    lengths_find_entering(&lengths, arena);
    lengths_find_targets(graph, &lengths, arena);
    cs_arena_free(&build.scratch);
    return lengths;
}
