#include "algorithms/bounds/islands.h"

#include "sim/base/collections/disjoint.h"

struct making {
    const struct cs_graph *graph;
    double rate_Bps; /* wires up to the rate are cut */
    struct cs_arena scratch;
    struct cs_islands islands;
    uint32_t *piece_of; /* islands.piece_of */
    uint32_t pieces;
};

/* ---- connected devices ---- */

static uint32_t *bounds_islands_sets(uint32_t count, struct cs_arena *arena)
{
    uint32_t *parent = cs_arena_alloc(arena, count, sizeof(*parent));

    cs_disjoint_open(parent, count);
    return parent;
}

static bool is_joined(const struct making *making, const struct cs_wire *wire)
{
    return cs_wire_effective(wire) > making->rate_Bps;
}

/* ---- pieces ---- */

static bool is_in_node(const struct cs_graph *graph, uint32_t device)
{
    return device < graph->replicated.count * graph->replicated.devices;
}

static uint32_t kept_of(const struct cs_graph *graph, uint32_t device)
{
    return is_in_node(graph, device) ? device % graph->replicated.devices
                                     : device - cs_graph_skipped(graph, graph->replicated.devices);
}

/* Wires of the fabric follow the wires of the hosts; a wire with an end in a
 * host belongs to the host alone. */
static bool is_of_one(const struct cs_graph *graph, uint32_t w, const struct cs_wire *wire)
{
    return w >= graph->replicated.count * graph->replicated.wires &&
           (is_in_node(graph, wire->a) || is_in_node(graph, wire->b));
}

enum {
    MATTERS = 1,
    SHARED = 2, /* by the hosts; matters, too */
};

/* Joins kept devices, and marks devices with a wire of a single host. */
static void join_kept(const struct making *making, uint32_t *parent, uint8_t *what)
{
    const struct cs_graph *graph = making->graph;

    for (uint32_t w = 0; w < graph->wire_count; w = cs_graph_next_wire(graph, w)) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        uint32_t a = kept_of(graph, wire.a);
        uint32_t b = kept_of(graph, wire.b);

        if (!is_joined(making, &wire))
            continue;
        if (is_of_one(graph, w, &wire))
            what[a] = what[b] = MATTERS;
        else
            cs_disjoint_join(parent, b, a);
    }
}

/* Numbers the pieces of a kind, by roots. */
static void number_pieces(struct making *making, const uint32_t *parent, const uint8_t *what,
                          uint32_t kept, bool shared)
{
    for (uint32_t i = 0; i < kept; i++)
        if (parent[i] == i && what[i] && (what[i] >= SHARED) == shared)
            making->piece_of[i] = making->pieces++;
}

/* Sets piece_of, pieces and islands.own. */
static void make_pieces(struct making *making, struct cs_arena *arena)
{
    const struct cs_graph *graph = making->graph;
    uint32_t own = graph->replicated.devices;
    uint32_t kept = graph->device_count - cs_graph_skipped(graph, own);
    uint32_t *parent = bounds_islands_sets(kept, &making->scratch);
    uint8_t *what = cs_arena_alloc(&making->scratch, kept, sizeof(*what));

    making->piece_of = cs_arena_alloc(arena, kept, sizeof(*making->piece_of));
    join_kept(making, parent, what);
    for (uint32_t i = 0; i < kept; i++) {
        making->piece_of[i] = CS_NO_ISLAND;
        if (i >= own)
            what[i] |= SHARED;
        else if (cs_device_computes(graph->kept_devices[i].kind))
            what[i] |= MATTERS;
        what[cs_disjoint_root(parent, i)] |= what[i];
    }
    number_pieces(making, parent, what, kept, false);
    making->islands.own = making->pieces;
    number_pieces(making, parent, what, kept, true);
    for (uint32_t i = 0; i < kept; i++)
        making->piece_of[i] = making->piece_of[cs_disjoint_root(parent, i)];
    making->islands.piece_of = making->piece_of;
}

/* ---- islands ---- */

/* Joins pieces by the wires of single hosts. */
static void join_pieces(const struct making *making, uint32_t *parent)
{
    const struct cs_graph *graph = making->graph;
    uint32_t w;

    for (w = graph->replicated.count * graph->replicated.wires; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);

        if (is_of_one(graph, w, &wire) && is_joined(making, &wire))
            cs_disjoint_join(parent, cs_island_piece(&making->islands, wire.b),
                             cs_island_piece(&making->islands, wire.a));
    }
}

/* In the order of the ranks. */
static void number_islands(struct making *making, uint32_t *parent, uint32_t things,
                           struct cs_arena *arena)
{
    const struct cs_graph *graph = making->graph;
    uint32_t *of = cs_arena_alloc(arena, things, sizeof(*of));
    uint32_t *ranks = cs_arena_alloc(arena, graph->rank_count, sizeof(*ranks));

    for (uint32_t i = 0; i < graph->rank_count; i++) {
        uint32_t root =
            cs_disjoint_root(parent, cs_island_piece(&making->islands, graph->rank_device[i]));

        if (of[root] == 0)
            of[root] = ++making->islands.count;
        ranks[of[root] - 1]++;
    }
    for (uint32_t i = 0; i < things; i++)
        of[i] = of[cs_disjoint_root(parent, i)];
    for (uint32_t i = 0; i < things; i++)
        of[i]--; /* 0 - 1 is CS_NO_ISLAND */
    making->islands.of = of;
    making->islands.ranks = ranks;
}

struct cs_islands cs_islands_of(const struct cs_graph *graph, double rate_Bps,
                                struct cs_arena *arena)
{
    struct making making = {
        .graph = graph,
        .rate_Bps = rate_Bps,
        .islands = {.devices = graph->device_count, .replicated = graph->replicated}};
    uint32_t *parent;
    uint32_t things;

    make_pieces(&making, arena);
    things = making.pieces + cs_graph_skipped(graph, making.islands.own);
    parent = bounds_islands_sets(things, &making.scratch);
    join_pieces(&making, parent);
    number_islands(&making, parent, things, arena);
    cs_arena_free(&making.scratch);
    return making.islands;
}
