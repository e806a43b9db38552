#include "topo/graph/replicated.h"

#include <stdlib.h>
#include <string.h>

enum {
    NONE = UINT32_MAX,
    KEPT = 3, /* of a group */
    GROUPS_MAX = 1024,
};

/* A wire between a computer and the fabric, seen from the computer. */
struct plug {
    uint32_t inner; /* device, of the computer's first */
    uint32_t outer; /* device of the fabric */
    uint32_t side;  /* 0: the wire's a is inside */
    uint32_t wire;
    uint64_t latency_ps;
    double rate_Bps; /* effective */
    enum cs_duplex duplex;
};

struct replicated_group {
    uint32_t first; /* the first computer of it */
    uint32_t size;
    uint32_t kept; /* number of its first in the small machine */
};

/* A wire of the small machine's fabric. */
struct outer_wire {
    uint32_t kept; /* which computer it leads to; NONE: none */
    uint32_t of;   /* which of its plugs; the wire, where there is none */
};

struct cs_copies {
    const struct cs_graph *whole;
    struct cs_graph small;
    struct cs_graph_copies each;
    struct plug *plugs; /* of each computer, one after the other, in order */
    uint32_t *start;    /* computer -> its first plug */
    uint32_t *group_of; /* computer -> group */
    struct replicated_group groups[GROUPS_MAX];
    uint32_t group_count;
    uint32_t kept_count;
    uint32_t kept_group[KEPT * GROUPS_MAX]; /* kept computer -> group */
    struct outer_wire *outer;               /* wires behind the computers' */
};

/* ---- what the computers have in common ---- */

static bool replicated_identical(const struct cs_wire *x,
                                 const struct cs_wire *y)
{
    return cs_wire_effective(x) == cs_wire_effective(y) &&
           x->latency_ps == y->latency_ps && x->duplex == y->duplex;
}

/* Whether all computers are what the graph says. */
static bool are_copies(const struct cs_graph *graph)
{
    struct cs_graph_copies each = graph->copies;

    if ((uint64_t)each.count * each.devices > graph->device_count ||
        (uint64_t)each.count * each.wires > graph->wire_count)
        return false;
    for (uint32_t d = each.devices; d < each.count * each.devices; d++)
        if (graph->devices[d].kind != graph->devices[d % each.devices].kind)
            return false;
    for (uint32_t w = 0; w < each.count * each.wires; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        const struct cs_wire *first = &graph->wires[w % each.wires];
        uint32_t before = w / each.wires * each.devices;

        if (wire->a != first->a + before || wire->b != first->b + before ||
            first->a >= each.devices || first->b >= each.devices ||
            !replicated_identical(wire, first))
            return false;
    }
    return true;
}

static uint32_t node_of(const struct cs_copies *copies, uint32_t device)
{
    uint32_t node = device / copies->each.devices;

    return node < copies->each.count ? node : NONE;
}

/* ---- plugs ---- */

/* The computer that a wire of the fabric leads to, or NONE. */
static uint32_t replicated_plugged(const struct cs_copies *copies,
                                   const struct cs_wire *wire)
{
    uint32_t a = node_of(copies, wire->a);

    return a != NONE ? a : node_of(copies, wire->b);
}

static int compare_u32(uint32_t x, uint32_t y)
{
    return (x > y) - (x < y);
}

/* Orders what computers may have in common; 0 for what differs in the wire's
 * number alone. */
static int compare_kinds(const struct plug *x, const struct plug *y)
{
    int order = compare_u32(x->inner, y->inner);

    if (!order)
        order = compare_u32(x->outer, y->outer);
    if (!order)
        order = compare_u32(x->side, y->side);
    if (!order)
        order = compare_u32(x->duplex, y->duplex);
    if (!order)
        order =
            (x->latency_ps > y->latency_ps) - (x->latency_ps < y->latency_ps);
    if (!order)
        order = (x->rate_Bps > y->rate_Bps) - (x->rate_Bps < y->rate_Bps);
    return order;
}

static int compare_plugs(const void *a, const void *b)
{
    const struct plug *x = a;
    const struct plug *y = b;
    int order = compare_kinds(x, y);

    return order ? order : compare_u32(x->wire, y->wire);
}

/* Counts the plugs of each computer; false when a wire joins two. */
static bool count_plugs(struct cs_copies *copies)
{
    const struct cs_graph *graph = copies->whole;

    for (uint32_t w = copies->each.count * copies->each.wires;
         w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        uint32_t node = replicated_plugged(copies, wire);

        if (node_of(copies, wire->a) != NONE &&
            node_of(copies, wire->b) != NONE)
            return false;
        if (node != NONE)
            copies->start[node + 1]++;
    }
    for (uint32_t k = 0; k < copies->each.count; k++)
        copies->start[k + 1] += copies->start[k];
    return true;
}

static struct plug make_plug(const struct cs_copies *copies, uint32_t w)
{
    const struct cs_wire *wire = &copies->whole->wires[w];
    uint32_t side = node_of(copies, wire->a) == NONE;

    return (struct plug){
        .inner = (side ? wire->b : wire->a) % copies->each.devices,
        .outer = side ? wire->a : wire->b,
        .side = side,
        .wire = w,
        .latency_ps = wire->latency_ps,
        .rate_Bps = cs_wire_effective(wire),
        .duplex = wire->duplex,
    };
}

/* Sets plugs and start. */
static bool list_plugs(struct cs_copies *copies, struct cs_arena *arena)
{
    const struct cs_graph *graph = copies->whole;
    uint32_t count = copies->each.count;
    struct cs_arena scratch = {0};
    uint32_t *next = cs_arena_alloc(&scratch, count, sizeof(*next));

    copies->start =
        cs_arena_alloc(arena, (uint64_t)count + 1, sizeof(uint32_t));
    if (!count_plugs(copies)) {
        cs_arena_free(&scratch);
        return false;
    }
    copies->plugs =
        cs_arena_alloc(arena, copies->start[count], sizeof(*copies->plugs));
    memcpy(next, copies->start, count * sizeof(*next));
    for (uint32_t w = count * copies->each.wires; w < graph->wire_count; w++) {
        uint32_t node = replicated_plugged(copies, &graph->wires[w]);

        if (node != NONE)
            copies->plugs[next[node]++] = make_plug(copies, w);
    }
    for (uint32_t k = 0; k < count; k++)
        if (copies->start[k + 1] > copies->start[k])
            qsort(&copies->plugs[copies->start[k]],
                  copies->start[k + 1] - copies->start[k],
                  sizeof(*copies->plugs), compare_plugs);
    cs_arena_free(&scratch);
    return true;
}

/* ---- groups ---- */

static bool same_plugs(const struct cs_copies *copies, uint32_t x, uint32_t y)
{
    uint32_t count = copies->start[x + 1] - copies->start[x];

    if (count != copies->start[y + 1] - copies->start[y])
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (compare_kinds(&copies->plugs[copies->start[x] + i],
                          &copies->plugs[copies->start[y] + i]) != 0)
            return false;
    return true;
}

/* False when there are too many. */
static bool group_nodes(struct cs_copies *copies, struct cs_arena *arena)
{
    copies->group_of =
        cs_arena_alloc(arena, copies->each.count, sizeof(*copies->group_of));
    for (uint32_t k = 0; k < copies->each.count; k++) {
        /* Neighbours are often alike. */
        uint32_t g = copies->group_count;

        while (g > 0 && !same_plugs(copies, copies->groups[g - 1].first, k))
            g--;
        if (g == 0) {
            if (copies->group_count == GROUPS_MAX)
                return false;
            copies->groups[copies->group_count++].first = k;
            g = copies->group_count;
        }
        copies->groups[g - 1].size++;
        copies->group_of[k] = g - 1;
    }
    for (uint32_t g = 0; g < copies->group_count; g++) {
        struct replicated_group *group = &copies->groups[g];

        group->kept = copies->kept_count;
        for (uint32_t i = 0; i < group->size && i < KEPT; i++)
            copies->kept_group[copies->kept_count++] = g;
    }
    return true;
}

/* ---- the small machine ---- */

/* Of the kept computers, by any of their group. */
static void add_nodes(struct cs_copies *copies)
{
    const struct cs_graph *graph = copies->whole;

    for (uint32_t q = 0; q < copies->kept_count; q++)
        for (uint32_t d = 0; d < copies->each.devices; d++)
            (void)cs_graph_add_device(&copies->small, graph->devices[d]);
    for (uint32_t d = copies->each.count * copies->each.devices;
         d < graph->device_count; d++)
        (void)cs_graph_add_device(&copies->small, graph->devices[d]);
    for (uint32_t q = 0; q < copies->kept_count; q++)
        for (uint32_t w = 0; w < copies->each.wires; w++) {
            struct cs_wire wire = graph->wires[w];

            wire.a += q * copies->each.devices;
            wire.b += q * copies->each.devices;
            (void)cs_graph_add_wire(&copies->small, wire);
        }
}

static uint32_t small_outer(const struct cs_copies *copies, uint32_t device)
{
    return device -
           (copies->each.count - copies->kept_count) * copies->each.devices;
}

static void add_outer_wire(struct cs_copies *copies, struct cs_wire wire,
                           struct outer_wire of)
{
    uint32_t index = cs_graph_add_wire(&copies->small, wire);

    copies->outer[index - copies->kept_count * copies->each.wires] = of;
}

static void add_plugs(struct cs_copies *copies)
{
    for (uint32_t q = 0; q < copies->kept_count; q++) {
        uint32_t like = copies->groups[copies->kept_group[q]].first;
        uint32_t count = copies->start[like + 1] - copies->start[like];

        for (uint32_t i = 0; i < count; i++) {
            const struct plug *plug = &copies->plugs[copies->start[like] + i];
            struct cs_wire wire = copies->whole->wires[plug->wire];
            uint32_t inner = q * copies->each.devices + plug->inner;
            uint32_t outer = small_outer(copies, plug->outer);

            wire.a = plug->side ? outer : inner;
            wire.b = plug->side ? inner : outer;
            add_outer_wire(copies, wire, (struct outer_wire){q, i});
        }
    }
}

static void replicated_add_fabric(struct cs_copies *copies)
{
    const struct cs_graph *graph = copies->whole;

    for (uint32_t w = copies->each.count * copies->each.wires;
         w < graph->wire_count; w++) {
        struct cs_wire wire = graph->wires[w];

        if (replicated_plugged(copies, &wire) != NONE)
            continue;
        wire.a = small_outer(copies, wire.a);
        wire.b = small_outer(copies, wire.b);
        add_outer_wire(copies, wire, (struct outer_wire){NONE, w});
    }
}

static void build_small(struct cs_copies *copies, struct cs_arena *arena)
{
    const struct cs_graph *graph = copies->whole;

    copies->small = *graph; /* all that is said of routes */
    copies->small.arena = arena;
    copies->small.devices = NULL;
    copies->small.device_count = copies->small.device_capacity = 0;
    copies->small.wires = NULL;
    copies->small.wire_count = copies->small.wire_capacity = 0;
    copies->outer = cs_arena_alloc(
        arena, graph->wire_count - copies->each.count * copies->each.wires,
        sizeof(*copies->outer));
    add_nodes(copies);
    add_plugs(copies);
    replicated_add_fabric(copies);
}

struct cs_copies *cs_copies_new(const struct cs_graph *graph,
                                struct cs_arena *arena)
{
    struct cs_copies *copies;

    /* Three are kept at least, and half should be saved. */
    if (graph->copies.count < 2 * KEPT || !graph->copies.devices ||
        !are_copies(graph))
        return NULL;
    copies = cs_arena_alloc(arena, 1, sizeof(*copies));
    copies->whole = graph;
    copies->each = graph->copies;
    if (!list_plugs(copies, arena) || !group_nodes(copies, arena) ||
        copies->kept_count > copies->each.count / 2)
        return NULL;
    build_small(copies, arena);
    return copies;
}

const struct cs_graph *cs_copies_graph(const struct cs_copies *copies)
{
    return &copies->small;
}

/* ---- there and back ---- */

/* `which`: of those that are kept of the computer's group. */
static uint32_t small_of(const struct cs_copies *copies, uint32_t device,
                         uint32_t which)
{
    uint32_t node = node_of(copies, device);

    if (node == NONE)
        return small_outer(copies, device);
    return (copies->groups[copies->group_of[node]].kept + which) *
               copies->each.devices +
           device % copies->each.devices;
}

struct cs_copies_view cs_copies_look(const struct cs_copies *copies,
                                     uint32_t src, uint32_t dst)
{
    uint32_t i = node_of(copies, src);
    uint32_t j = node_of(copies, dst);
    bool is_second = i != NONE && j != NONE && i != j &&
                     copies->group_of[i] == copies->group_of[j];

    return (struct cs_copies_view){i, j, small_of(copies, src, 0),
                                   small_of(copies, dst, is_second)};
}

/* Which computer the kept one stands for. */
static uint32_t replicated_meant(const struct cs_copies *copies,
                                 const struct cs_copies_view *view,
                                 uint32_t kept)
{
    if (kept == view->src / copies->each.devices)
        return view->src_node;
    if (kept == view->dst / copies->each.devices)
        return view->dst_node;
    return NONE;
}

uint32_t cs_copies_device(const struct cs_copies *copies,
                          const struct cs_copies_view *view, uint32_t device)
{
    uint32_t kept = device / copies->each.devices;
    uint32_t node;

    if (kept >= copies->kept_count)
        return device +
               (copies->each.count - copies->kept_count) * copies->each.devices;
    node = replicated_meant(copies, view, kept);
    if (node == NONE)
        return NONE;
    return node * copies->each.devices + device % copies->each.devices;
}

static uint32_t replicated_wire_of(const struct cs_copies *copies,
                                   const struct cs_copies_view *view,
                                   uint32_t wire)
{
    uint32_t inner = copies->kept_count * copies->each.wires;
    uint32_t node;

    if (wire < inner) {
        node = replicated_meant(copies, view, wire / copies->each.wires);
        return node == NONE
                   ? NONE
                   : node * copies->each.wires + wire % copies->each.wires;
    }
    if (copies->outer[wire - inner].kept == NONE)
        return copies->outer[wire - inner].of;
    node = replicated_meant(copies, view, copies->outer[wire - inner].kept);
    if (node == NONE)
        return NONE;
    return copies->plugs[copies->start[node] + copies->outer[wire - inner].of]
        .wire;
}

uint32_t cs_copies_link(const struct cs_copies *copies,
                        const struct cs_copies_view *view, uint32_t link)
{
    uint32_t wire = replicated_wire_of(copies, view, link / 2);

    return wire == NONE ? NONE : 2 * wire + link % 2;
}
