#include "topo/graph/replicated.h"

#include "sim/base/order.h"

#include <stdlib.h>
#include <string.h>

enum {
    NONE = UINT32_MAX,
    KEPT = 3, /* of a group */
    GROUPS_MAX = 1024,
};

/* A wire between a node and the fabric, seen from the node. */
struct plug {
    uint32_t inner; /* device, counted from the first of the node */
    uint32_t outer; /* device of the fabric */
    uint32_t side;  /* 0: end a is in the node */
    uint32_t wire;
    uint64_t latency_ps;
    double rate_Bps; /* effective */
    enum cs_duplex duplex;
};

struct replicated_group {
    uint32_t first; /* node */
    uint32_t size;
    uint32_t kept; /* number of the first node in the smaller form */
};

/* A wire behind the nodes' wires of the smaller form. */
struct outer_wire {
    uint32_t kept; /* the kept node at the other end; NONE: fabric only */
    uint32_t of;   /* index of the plug in the node; NONE: wire of the whole */
};

struct cs_replicated {
    const struct cs_graph *whole;
    struct cs_graph small;
    struct cs_graph_replicas each;
    struct plug *plugs; /* of all nodes, in order of node */
    uint32_t *start;    /* node -> first plug */
    uint32_t *group_of; /* node -> group */
    struct replicated_group groups[GROUPS_MAX];
    uint32_t group_count;
    uint32_t kept_count;
    uint32_t kept_group[KEPT * GROUPS_MAX]; /* kept node -> group */
    struct outer_wire *outer;               /* wires behind the nodes' */
};

/* ---- verification ---- */

static bool replicated_identical(const struct cs_wire *x, const struct cs_wire *y)
{
    return cs_wire_effective(x) == cs_wire_effective(y) && x->latency_ps == y->latency_ps &&
           x->duplex == y->duplex;
}

/* Whether the nodes are identical, as graph->identical claims, with inner wires
 * alone.  Faults and edits may have changed a node since. */
static bool replicated_verify(const struct cs_graph *graph)
{
    struct cs_graph_replicas each = graph->identical;

    if ((uint64_t)each.count * each.devices > graph->device_count ||
        (uint64_t)each.count * each.wires > graph->wire_count)
        return false;
    for (uint32_t d = each.devices; d < each.count * each.devices; d++)
        if (graph->devices[d].kind != graph->devices[d % each.devices].kind)
            return false;
    for (uint32_t w = 0; w < each.count * each.wires; w++) {
        const struct cs_wire *wire = &graph->wires[w], *first = &graph->wires[w % each.wires];
        uint32_t before = w / each.wires * each.devices;

        if (wire->a != first->a + before || wire->b != first->b + before ||
            first->a >= each.devices || first->b >= each.devices ||
            !replicated_identical(wire, first))
            return false;
    }
    return true;
}

static uint32_t node_of(const struct cs_replicated *replicated, uint32_t device)
{
    uint32_t node = device / replicated->each.devices;

    return node < replicated->each.count ? node : NONE;
}

/* ---- plugs ---- */

/* The node at an end of a wire of the fabric, or NONE. */
static uint32_t replicated_plugged(const struct cs_replicated *replicated,
                                   const struct cs_wire *wire)
{
    uint32_t a = node_of(replicated, wire->a);

    return a != NONE ? a : node_of(replicated, wire->b);
}

/* Orders plugs by every property except the wire's number: equal plugs of two
 * nodes compare as 0. */
static int compare_kinds(const struct plug *x, const struct plug *y)
{
    int order = CS_ORDER({x->inner, y->inner}, {x->outer, y->outer}, {x->side, y->side},
                         {x->duplex, y->duplex}, {x->latency_ps, y->latency_ps});

    return order ? order : (x->rate_Bps > y->rate_Bps) - (x->rate_Bps < y->rate_Bps);
}

static int compare_plugs(const void *a, const void *b)
{
    const struct plug *x = a, *y = b;
    int order = compare_kinds(x, y);

    return order ? order : cs_order(x->wire, y->wire);
}

/* Counts the plugs of each node; false for a wire between two nodes. */
static bool count_plugs(struct cs_replicated *replicated)
{
    const struct cs_graph *graph = replicated->whole;

    for (uint32_t w = replicated->each.count * replicated->each.wires; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        uint32_t node = replicated_plugged(replicated, wire);

        if (node_of(replicated, wire->a) != NONE && node_of(replicated, wire->b) != NONE)
            return false;
        if (node != NONE)
            replicated->start[node + 1]++;
    }
    for (uint32_t k = 0; k < replicated->each.count; k++)
        replicated->start[k + 1] += replicated->start[k];
    return true;
}

static struct plug make_plug(const struct cs_replicated *replicated, uint32_t w)
{
    const struct cs_wire *wire = &replicated->whole->wires[w];
    uint32_t side = node_of(replicated, wire->a) == NONE;

    return (struct plug){
        .inner = (side ? wire->b : wire->a) % replicated->each.devices,
        .outer = side ? wire->a : wire->b,
        .side = side,
        .wire = w,
        .latency_ps = wire->latency_ps,
        .rate_Bps = cs_wire_effective(wire),
        .duplex = wire->duplex,
    };
}

/* Fills plugs and start; the order of a node's plugs makes nodes comparable. */
static bool list_plugs(struct cs_replicated *replicated, struct cs_arena *arena)
{
    const struct cs_graph *graph = replicated->whole;
    uint32_t count = replicated->each.count;
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    uint32_t *next = cs_arena_alloc(&scratch, count, sizeof(*next));

    replicated->start = cs_arena_alloc(arena, (uint64_t)count + 1, sizeof(uint32_t));
    if (!count_plugs(replicated))
        return false;
    replicated->plugs = cs_arena_alloc(arena, replicated->start[count], sizeof(*replicated->plugs));
    memcpy(next, replicated->start, count * sizeof(*next));
    for (uint32_t w = count * replicated->each.wires; w < graph->wire_count; w++) {
        uint32_t node = replicated_plugged(replicated, &graph->wires[w]);

        if (node != NONE)
            replicated->plugs[next[node]++] = make_plug(replicated, w);
    }
    for (uint32_t k = 0; k < count; k++)
        if (replicated->start[k + 1] > replicated->start[k])
            qsort(&replicated->plugs[replicated->start[k]],
                  replicated->start[k + 1] - replicated->start[k], sizeof(*replicated->plugs),
                  compare_plugs);
    return true;
}

/* ---- groups ---- */

static bool same_plugs(const struct cs_replicated *replicated, uint32_t x, uint32_t y)
{
    uint32_t count = replicated->start[x + 1] - replicated->start[x];

    if (count != replicated->start[y + 1] - replicated->start[y])
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (compare_kinds(&replicated->plugs[replicated->start[x] + i],
                          &replicated->plugs[replicated->start[y] + i]) != 0)
            return false;
    return true;
}

/* Assigns nodes to groups; false over GROUPS_MAX groups. */
static bool group_nodes(struct cs_replicated *replicated, struct cs_arena *arena)
{
    replicated->group_of =
        cs_arena_alloc(arena, replicated->each.count, sizeof(*replicated->group_of));
    for (uint32_t k = 0; k < replicated->each.count; k++) {
        /* From the newest group on: neighbours often have equal plugs. */
        uint32_t g = replicated->group_count;

        while (g > 0 && !same_plugs(replicated, replicated->groups[g - 1].first, k))
            g--;
        if (g == 0) {
            if (replicated->group_count == GROUPS_MAX)
                return false;
            replicated->groups[replicated->group_count++].first = k;
            g = replicated->group_count;
        }
        replicated->groups[g - 1].size++;
        replicated->group_of[k] = g - 1;
    }
    for (uint32_t g = 0; g < replicated->group_count; g++) {
        struct replicated_group *group = &replicated->groups[g];

        group->kept = replicated->kept_count;
        for (uint32_t i = 0; i < group->size && i < KEPT; i++)
            replicated->kept_group[replicated->kept_count++] = g;
    }
    return true;
}

/* ---- the smaller form ---- */

/* The inside of the kept nodes.  Node 0 serves for every group: groups differ
 * in plugs alone. */
static void add_nodes(struct cs_replicated *replicated)
{
    const struct cs_graph *graph = replicated->whole;

    for (uint32_t q = 0; q < replicated->kept_count; q++)
        for (uint32_t d = 0; d < replicated->each.devices; d++)
            (void)cs_graph_add_device(&replicated->small, graph->devices[d]);
    for (uint32_t d = replicated->each.count * replicated->each.devices; d < graph->device_count;
         d++)
        (void)cs_graph_add_device(&replicated->small, graph->devices[d]);
    for (uint32_t q = 0; q < replicated->kept_count; q++)
        for (uint32_t w = 0; w < replicated->each.wires; w++) {
            struct cs_wire wire = graph->wires[w];

            wire.a += q * replicated->each.devices;
            wire.b += q * replicated->each.devices;
            (void)cs_graph_add_wire(&replicated->small, wire);
        }
}

/* Devices of the fabric keep their order, behind fewer nodes. */
static uint32_t small_outer(const struct cs_replicated *replicated, uint32_t device)
{
    return device - (replicated->each.count - replicated->kept_count) * replicated->each.devices;
}

static void add_outer_wire(struct cs_replicated *replicated, struct cs_wire wire,
                           struct outer_wire of)
{
    uint32_t index = cs_graph_add_wire(&replicated->small, wire);

    replicated->outer[index - replicated->kept_count * replicated->each.wires] = of;
}

/* Every kept node gets the plugs of the first node of its group; `outer`
 * records the origin for the mapping back. */
static void add_plugs(struct cs_replicated *replicated)
{
    for (uint32_t q = 0; q < replicated->kept_count; q++) {
        uint32_t like = replicated->groups[replicated->kept_group[q]].first;
        uint32_t count = replicated->start[like + 1] - replicated->start[like];

        for (uint32_t i = 0; i < count; i++) {
            const struct plug *plug = &replicated->plugs[replicated->start[like] + i];
            struct cs_wire wire = replicated->whole->wires[plug->wire];
            uint32_t inner = q * replicated->each.devices + plug->inner;
            uint32_t outer = small_outer(replicated, plug->outer);

            wire.a = plug->side ? outer : inner;
            wire.b = plug->side ? inner : outer;
            add_outer_wire(replicated, wire, (struct outer_wire){q, i});
        }
    }
}

static void replicated_add_fabric(struct cs_replicated *replicated)
{
    const struct cs_graph *graph = replicated->whole;

    for (uint32_t w = replicated->each.count * replicated->each.wires; w < graph->wire_count; w++) {
        struct cs_wire wire = graph->wires[w];

        if (replicated_plugged(replicated, &wire) != NONE)
            continue;
        wire.a = small_outer(replicated, wire.a);
        wire.b = small_outer(replicated, wire.b);
        add_outer_wire(replicated, wire, (struct outer_wire){NONE, w});
    }
}

static void build_small(struct cs_replicated *replicated, struct cs_arena *arena)
{
    const struct cs_graph *graph = replicated->whole;

    replicated->small = *graph; /* keeps the settings of routes */
    replicated->small.arena = arena;
    replicated->small.devices = NULL;
    replicated->small.device_count = replicated->small.device_capacity = 0;
    replicated->small.wires = NULL;
    replicated->small.wire_count = replicated->small.wire_capacity = 0;
    replicated->outer =
        cs_arena_alloc(arena, graph->wire_count - replicated->each.count * replicated->each.wires,
                       sizeof(*replicated->outer));
    add_nodes(replicated);
    add_plugs(replicated);
    replicated_add_fabric(replicated);
}

struct cs_replicated *cs_replicated_new(const struct cs_graph *graph, struct cs_arena *arena)
{
    struct cs_replicated *replicated;

    /* At least three nodes are kept; a gain of less than half is no use. */
    if (graph->identical.count < 2 * KEPT || !graph->identical.devices || !replicated_verify(graph))
        return NULL;
    replicated = cs_arena_alloc(arena, 1, sizeof(*replicated));
    replicated->whole = graph;
    replicated->each = graph->identical;
    if (!list_plugs(replicated, arena) || !group_nodes(replicated, arena) ||
        replicated->kept_count > replicated->each.count / 2)
        return NULL;
    build_small(replicated, arena);
    return replicated;
}

const struct cs_graph *cs_replicated_graph(const struct cs_replicated *replicated)
{
    return &replicated->small;
}

/* ---- mapping ---- */

/* A device in the smaller form; `which` counts the kept nodes of the group. */
static uint32_t small_of(const struct cs_replicated *replicated, uint32_t device, uint32_t which)
{
    uint32_t node = node_of(replicated, device);

    if (node == NONE)
        return small_outer(replicated, device);
    return (replicated->groups[replicated->group_of[node]].kept + which) *
               replicated->each.devices +
           device % replicated->each.devices;
}

struct cs_replicated_view cs_replicated_view_of(const struct cs_replicated *replicated,
                                                uint32_t src, uint32_t dst)
{
    uint32_t i = node_of(replicated, src);
    uint32_t j = node_of(replicated, dst);
    bool is_second =
        i != NONE && j != NONE && i != j && replicated->group_of[i] == replicated->group_of[j];

    return (struct cs_replicated_view){i, j, small_of(replicated, src, 0),
                                       small_of(replicated, dst, is_second)};
}

/* The node of the machine for a kept node; NONE for a third node. */
static uint32_t replicated_meant(const struct cs_replicated *replicated,
                                 const struct cs_replicated_view *view, uint32_t kept)
{
    if (kept == view->src / replicated->each.devices)
        return view->src_node;
    if (kept == view->dst / replicated->each.devices)
        return view->dst_node;
    return NONE;
}

uint32_t cs_replicated_device(const struct cs_replicated *replicated,
                              const struct cs_replicated_view *view, uint32_t device)
{
    uint32_t kept = device / replicated->each.devices, node;

    if (kept >= replicated->kept_count)
        return device +
               (replicated->each.count - replicated->kept_count) * replicated->each.devices;
    node = replicated_meant(replicated, view, kept);
    if (node == NONE)
        return NONE;
    return node * replicated->each.devices + device % replicated->each.devices;
}

/* A plug of a kept node maps to the plug with the same index of the meant node,
 * because plugs of a group have equal order. */
static uint32_t replicated_wire_of(const struct cs_replicated *replicated,
                                   const struct cs_replicated_view *view, uint32_t wire)
{
    uint32_t inner = replicated->kept_count * replicated->each.wires, node;

    if (wire < inner) {
        node = replicated_meant(replicated, view, wire / replicated->each.wires);
        return node == NONE ? NONE : node * replicated->each.wires + wire % replicated->each.wires;
    }
    if (replicated->outer[wire - inner].kept == NONE)
        return replicated->outer[wire - inner].of;
    node = replicated_meant(replicated, view, replicated->outer[wire - inner].kept);
    if (node == NONE)
        return NONE;
    return replicated->plugs[replicated->start[node] + replicated->outer[wire - inner].of].wire;
}

uint32_t cs_replicated_link(const struct cs_replicated *replicated,
                            const struct cs_replicated_view *view, uint32_t link)
{
    uint32_t wire = replicated_wire_of(replicated, view, link / 2);

    return wire == NONE ? NONE : 2 * wire + link % 2;
}
