/*
 * topo tree: devices as a tree, node by node from the CPUs down, then the fabric.
 *
 * Links outside the tree are appended to the device's line, links of a class to
 * many devices as one entry.
 */
#include "scenarios/machine/topo_word.h"

#include <string.h>

enum {
    NONE = UINT32_MAX,
    NAMED = 4,   /* devices listed for a class; more: the first and the last */
    DEEPEST = 40 /* levels with indentation, for readable lines */
};

struct topo_tree {
    const struct cs_graph *graph;
    uint32_t *parent; /* wire from the parent, or NONE */
    uint32_t *first;  /* child */
    uint32_t *last;
    uint32_t *next; /* sibling */
    uint32_t *queue;
    uint32_t *level; /* see topo_tree_find_levels */
    uint32_t *start; /* device -> first entry in `wires` (compressed rows) */
    uint32_t *wires;
    bool *seen;
    struct cs_text *out;
};

static uint32_t topo_tree_other_end(const struct cs_wire *wire, uint32_t d)
{
    return wire->a == d ? wire->b : wire->a;
}

/* Indexes the wires of each device in compressed rows; wires that are down are
 * left out. */
static void index_wires(struct topo_tree *tree, struct cs_arena *arena)
{
    const struct cs_graph *graph = tree->graph;

    tree->start = cs_arena_alloc(arena, (uint64_t)graph->device_count + 2, sizeof(uint32_t));
    tree->wires = cs_arena_alloc(arena, graph->wire_count, 2 * sizeof(uint32_t));
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        tree->start[graph->wires[w].a + 2] += !graph->wires[w].down;
        tree->start[graph->wires[w].b + 2] += !graph->wires[w].down;
    }
    for (uint32_t d = 0; d < graph->device_count; d++)
        tree->start[d + 2] += tree->start[d + 1];
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        if (graph->wires[w].down)
            continue;
        tree->wires[tree->start[graph->wires[w].a + 1]++] = w;
        tree->wires[tree->start[graph->wires[w].b + 1]++] = w;
    }
}

/* Whether `to` may become a child of `d`: in a node a device of the same node, in
 * the fabric a device without a parent and not at a higher level. */
static bool may_hold(const struct topo_tree *tree, uint32_t d, uint32_t to)
{
    const struct cs_device *devices = tree->graph->devices;

    if (!cs_device_forwards(devices[d].kind) || tree->seen[to])
        return false;
    return devices[d].host == CS_NO_HOST ? tree->level[to] <= tree->level[d]
                                         : devices[d].host == devices[to].host;
}

static void topo_tree_hang(struct topo_tree *tree, uint32_t d, uint32_t to, uint32_t w)
{
    tree->seen[to] = true;
    tree->parent[to] = w;
    if (tree->first[d] == NONE)
        tree->first[d] = to;
    else
        tree->next[tree->last[d]] = to;
    tree->last[d] = to;
}

/* Grows the tree of a root breadth first, so that every device hangs at its
 * smallest depth. */
static void topo_tree_grow(struct topo_tree *tree, uint32_t root)
{
    uint32_t head = 0;
    uint32_t tail = 0;

    tree->seen[root] = true;
    tree->queue[tail++] = root;
    while (head < tail) {
        uint32_t d = tree->queue[head++];

        for (uint32_t i = tree->start[d]; i < tree->start[d + 1]; i++) {
            uint32_t w = tree->wires[i];
            uint32_t to = topo_tree_other_end(&tree->graph->wires[w], d);

            /* Every CPU is a root: no socket is below a further socket. */
            if (!may_hold(tree, d, to) || tree->graph->devices[to].kind == CS_DEVICE_CPU)
                continue;
            topo_tree_hang(tree, d, to, w);
            tree->queue[tail++] = to;
        }
    }
}

/* ---- lines ---- */

static bool is_tree_wire(const struct topo_tree *tree, uint32_t w)
{
    const struct cs_wire *wire = &tree->graph->wires[w];

    return tree->parent[wire->a] == w || tree->parent[wire->b] == w;
}

/* Adds "; nvlink3 x12 to nvswitch" for the class of wire i; a long list is cut to
 * the first and the last device. */
static void add_class(struct topo_tree *tree, uint32_t d, uint32_t i)
{
    const struct cs_graph *graph = tree->graph;
    const struct cs_wire *like = &graph->wires[tree->wires[i]];
    const char *names[NAMED] = {graph->devices[topo_tree_other_end(like, d)].name};
    const char *last = NULL;
    uint32_t count = 0;

    for (uint32_t k = tree->start[d]; k < tree->start[d + 1]; k++) {
        const struct cs_wire *wire = &graph->wires[tree->wires[k]];

        if (is_tree_wire(tree, tree->wires[k]) || !cs_same(wire->class_name, like->class_name))
            continue;
        if (k < i)
            return; /* an earlier wire has added the class */
        last = graph->devices[topo_tree_other_end(wire, d)].name;
        if (count < NAMED)
            names[count] = last;
        count++;
    }
    cs_text_printf(tree->out, "; %s to %s", like->class_name, names[0]);
    if (count > NAMED)
        cs_text_printf(tree->out, " ... %s (%u)", last, count);
    for (uint32_t k = 1; count <= NAMED && k < count; k++)
        cs_text_printf(tree->out, ", %s", names[k]);
}

static void add_line(struct topo_tree *tree, uint32_t d, uint32_t depth)
{
    const struct cs_device *device = &tree->graph->devices[d];

    cs_text_printf(tree->out, "%*s%s  (%s", (int)(2 * (depth < DEEPEST ? depth : DEEPEST)), "",
                   device->name, cs_device_kind_name(device->kind));
    if (tree->parent[d] != NONE)
        cs_text_printf(tree->out, ", %s", tree->graph->wires[tree->parent[d]].class_name);
    cs_text_add(tree->out, ")");
    for (uint32_t i = tree->start[d]; i < tree->start[d + 1]; i++)
        if (!is_tree_wire(tree, tree->wires[i]))
            add_class(tree, d, i);
    cs_text_add(tree->out, "\n");
}

/* Prints the tree depth first.  The climb back uses the parents' wires instead of
 * a stack, so that deep machines need no recursion. */
static void topo_tree_add_tree(struct topo_tree *tree, uint32_t root, uint32_t depth)
{
    uint32_t d = root;
    uint32_t deep = depth;

    for (;;) {
        add_line(tree, d, deep);
        if (tree->first[d] != NONE) {
            d = tree->first[d];
            deep++;
            continue;
        }
        while (d != root && tree->next[d] == NONE) {
            d = topo_tree_other_end(&tree->graph->wires[tree->parent[d]], d);
            deep--;
        }
        if (d == root)
            return;
        d = tree->next[d];
    }
}

/* ---- nodes and the fabric ---- */

/* Sets the distance of every device of the fabric from the nearest device of a
 * node, and returns the largest: the top of a tree of switches. */
static uint32_t topo_tree_find_levels(struct topo_tree *tree)
{
    uint32_t *level = tree->level;
    const struct cs_graph *graph = tree->graph;
    uint32_t head = 0;
    uint32_t tail = 0;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        level[d] = graph->devices[d].host == CS_NO_HOST ? NONE : 0;
        if (level[d] == 0)
            tree->queue[tail++] = d;
    }
    for (; head < tail; head++) {
        uint32_t d = tree->queue[head];

        for (uint32_t i = tree->start[d]; i < tree->start[d + 1]; i++) {
            uint32_t to = topo_tree_other_end(&graph->wires[tree->wires[i]], d);

            if (level[to] != NONE)
                continue;
            level[to] = level[d] + 1;
            tree->queue[tail++] = to;
        }
    }
    return tail ? level[tree->queue[tail - 1]] : 0;
}

/* The priority of a device as a root: CPUs, further forwarding devices of nodes,
 * the fabric from the top down, the rest. */
static uint32_t topo_tree_rank_of(const struct cs_device *device, uint32_t level, uint32_t most)
{
    if (!cs_device_forwards(device->kind))
        return 0;
    if (device->host == CS_NO_HOST)
        return level == NONE ? 1 : 1 + level;
    return device->kind == CS_DEVICE_CPU ? most + 3 : most + 2;
}

/* Sorts the devices by falling priority, then by index (counting sort). */
static uint32_t *topo_tree_sort(struct topo_tree *tree, struct cs_arena *arena)
{
    const struct cs_graph *graph = tree->graph;
    uint32_t *sorted = cs_arena_alloc(arena, graph->device_count, sizeof(*sorted));
    uint32_t *place = cs_arena_alloc(arena, graph->device_count, sizeof(*place));
    uint32_t most = topo_tree_find_levels(tree);
    uint32_t *start = cs_arena_alloc(arena, (uint64_t)most + 5, sizeof(*start));

    for (uint32_t d = 0; d < graph->device_count; d++) {
        place[d] = most + 3 - topo_tree_rank_of(&graph->devices[d], tree->level[d], most);
        start[place[d] + 1]++;
    }
    for (uint32_t i = 0; i < most + 4; i++)
        start[i + 1] += start[i];
    for (uint32_t d = 0; d < graph->device_count; d++)
        sorted[start[place[d]]++] = d;
    return sorted;
}

static void topo_tree_grow_all(struct topo_tree *tree, const uint32_t *sorted, uint32_t *roots,
                               uint32_t *count)
{
    for (uint32_t i = 0; i < tree->graph->device_count; i++)
        if (!tree->seen[sorted[i]]) {
            roots[(*count)++] = sorted[i];
            topo_tree_grow(tree, sorted[i]);
        }
}

static void topo_tree_add_node(struct topo_tree *tree, const uint32_t *roots, uint32_t count,
                               uint32_t host)
{
    bool titled = false;

    for (uint32_t i = 0; i < count; i++) {
        if (tree->graph->devices[roots[i]].host != host)
            continue;
        if (!titled && host == CS_NO_HOST)
            cs_text_add(tree->out, "network\n");
        else if (!titled)
            cs_text_printf(tree->out, "node %u\n", host);
        titled = true;
        topo_tree_add_tree(tree, roots[i], 1);
    }
}

static void topo_tree_fill(struct topo_tree *tree, struct cs_arena *arena)
{
    const struct cs_graph *graph = tree->graph;
    uint32_t *roots = cs_arena_alloc(arena, graph->device_count, sizeof(*roots));
    uint8_t *reported = cs_arena_alloc(arena, graph->device_count, 1);
    uint32_t count = 0;

    topo_tree_grow_all(tree, topo_tree_sort(tree, arena), roots, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t host = graph->devices[roots[i]].host;

        if (host >= graph->device_count || reported[host])
            continue;
        reported[host] = 1;
        topo_tree_add_node(tree, roots, count, host);
    }
    topo_tree_add_node(tree, roots, count, CS_NO_HOST);
}

static int topo_tree_run(const struct cs_topo_look *look, struct cs_err *err)
{
    uint32_t devices = look->graph->device_count;
    struct cs_arena *arena = look->arena;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct topo_tree tree = {
        .graph = look->graph,
        .parent = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .first = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .last = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .next = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .queue = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .level = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .seen = cs_arena_alloc(arena, devices, sizeof(bool)),
        .out = &text,
    };

    memset(tree.parent, 0xff, devices * sizeof(uint32_t));
    memset(tree.first, 0xff, devices * sizeof(uint32_t));
    memset(tree.next, 0xff, devices * sizeof(uint32_t));
    index_wires(&tree, arena);
    topo_tree_fill(&tree, arena);
    return cs_cli_write(look->cli, look->out, &text, err);
}

const struct cs_topo_view cs_topo_word_tree = {
    .name = "tree",
    .about = "the tree of devices by node",
    .has_out = true,
    .run = topo_tree_run,
};
