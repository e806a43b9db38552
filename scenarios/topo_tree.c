/*
 * topo tree: what hangs on what, computer by computer, from the CPUs down; the
 * fabric after them.  Links that are not part of the tree stand behind the
 * device, those of a class to many devices as one.
 */
#include "scenarios/topo_word.h"

#include <string.h>

enum {
    NONE = UINT32_MAX
};

struct tree {
    const struct cs_graph *graph;
    uint32_t *parent; /* wire to it, or NONE */
    uint32_t *first;  /* child */
    uint32_t *last;
    uint32_t *next; /* child of the same */
    uint32_t *queue;
    uint32_t *start; /* device -> its wires in `wires`, as compressed rows */
    uint32_t *wires;
    bool *seen;
    struct cs_text *out;
};

static uint32_t other_end(const struct cs_wire *wire, uint32_t d)
{
    return wire->a == d ? wire->b : wire->a;
}

static void index_wires(struct tree *tree, struct cs_arena *arena)
{
    const struct cs_graph *graph = tree->graph;

    tree->start = cs_arena_alloc(arena, (uint64_t)graph->device_count + 2,
                                 sizeof(uint32_t));
    tree->wires =
        cs_arena_alloc(arena, graph->wire_count, 2 * sizeof(uint32_t));
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        tree->start[graph->wires[w].a + 2]++;
        tree->start[graph->wires[w].b + 2]++;
    }
    for (uint32_t d = 0; d < graph->device_count; d++)
        tree->start[d + 2] += tree->start[d + 1];
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        tree->wires[tree->start[graph->wires[w].a + 1]++] = w;
        tree->wires[tree->start[graph->wires[w].b + 1]++] = w;
    }
}

/* A device of a computer has what is in the same computer below it, one of the
 * fabric what is nobody's yet. */
static bool may_hold(const struct tree *tree, uint32_t d, uint32_t to)
{
    const struct cs_device *devices = tree->graph->devices;

    return cs_device_forwards(devices[d].kind) && !tree->seen[to] &&
           (devices[d].host == CS_NO_HOST ||
            devices[d].host == devices[to].host);
}

static void hang(struct tree *tree, uint32_t d, uint32_t to, uint32_t w)
{
    tree->seen[to] = true;
    tree->parent[to] = w;
    if (tree->first[d] == NONE)
        tree->first[d] = to;
    else
        tree->next[tree->last[d]] = to;
    tree->last[d] = to;
}

/* Breadth first from a root. */
static void grow(struct tree *tree, uint32_t root)
{
    uint32_t head = 0;
    uint32_t tail = 0;

    tree->seen[root] = true;
    tree->queue[tail++] = root;
    while (head < tail) {
        uint32_t d = tree->queue[head++];

        for (uint32_t i = tree->start[d]; i < tree->start[d + 1]; i++) {
            uint32_t w = tree->wires[i];
            uint32_t to = other_end(&tree->graph->wires[w], d);

            /* Sockets stand side by side. */
            if (!may_hold(tree, d, to) ||
                tree->graph->devices[to].kind == CS_DEVICE_CPU)
                continue;
            hang(tree, d, to, w);
            tree->queue[tail++] = to;
        }
    }
}

/* ---- lines ---- */

static bool is_tree_wire(const struct tree *tree, uint32_t w)
{
    const struct cs_wire *wire = &tree->graph->wires[w];

    return tree->parent[wire->a] == w || tree->parent[wire->b] == w;
}

/* "; nvlink3 x12 to nvswitch", for those of a class that begin at wire i. */
static void add_class(struct tree *tree, uint32_t d, uint32_t i)
{
    const struct cs_graph *graph = tree->graph;
    const struct cs_wire *like = &graph->wires[tree->wires[i]];
    const char *last = NULL;
    uint32_t count = 0;

    for (uint32_t k = tree->start[d]; k < tree->start[d + 1]; k++) {
        const struct cs_wire *wire = &graph->wires[tree->wires[k]];

        if (is_tree_wire(tree, tree->wires[k]) ||
            !cs_same(wire->class_name, like->class_name))
            continue;
        if (k < i)
            return; /* told */
        last = graph->devices[other_end(wire, d)].name;
        count++;
    }
    cs_text_printf(tree->out, "; %s to %s", like->class_name,
                   graph->devices[other_end(like, d)].name);
    if (count > 1)
        cs_text_printf(tree->out, " ... %s (%u)", last, count);
}

static void add_line(struct tree *tree, uint32_t d, uint32_t depth)
{
    const struct cs_device *device = &tree->graph->devices[d];

    cs_text_printf(tree->out, "%*s%s  (%s", (int)(2 * depth), "", device->name,
                   cs_device_kind_name(device->kind));
    if (tree->parent[d] != NONE)
        cs_text_printf(tree->out, ", %s",
                       tree->graph->wires[tree->parent[d]].class_name);
    cs_text_add(tree->out, ")");
    for (uint32_t i = tree->start[d]; i < tree->start[d + 1]; i++)
        if (!is_tree_wire(tree, tree->wires[i]))
            add_class(tree, d, i);
    cs_text_add(tree->out, "\n");
}

/* Depth first, the way back by the parents' wires. */
static void add_tree(struct tree *tree, uint32_t root, uint32_t depth)
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
            d = other_end(&tree->graph->wires[tree->parent[d]], d);
            deep--;
        }
        if (d == root)
            return;
        d = tree->next[d];
    }
}

/* ---- computers and the fabric ---- */

/* CPUs first, then what forwards, then the rest: 0, 1, 2. */
static int order_of(enum cs_device_kind kind)
{
    if (kind == CS_DEVICE_CPU)
        return 0;
    return cs_device_forwards(kind) ? 1 : 2;
}

static void grow_all(struct tree *tree, uint32_t *roots, uint32_t *count)
{
    const struct cs_graph *graph = tree->graph;

    for (int order = 0; order < 3; order++)
        for (uint32_t d = 0; d < graph->device_count; d++)
            if (!tree->seen[d] && order_of(graph->devices[d].kind) == order) {
                roots[(*count)++] = d;
                grow(tree, d);
            }
}

static void add_computer(struct tree *tree, const uint32_t *roots,
                         uint32_t count, uint32_t host)
{
    bool titled = false;

    for (uint32_t i = 0; i < count; i++) {
        if (tree->graph->devices[roots[i]].host != host)
            continue;
        if (!titled && host == CS_NO_HOST)
            cs_text_add(tree->out, "between\n");
        else if (!titled)
            cs_text_printf(tree->out, "computer %u\n", host);
        titled = true;
        add_tree(tree, roots[i], 1);
    }
}

static void fill(struct tree *tree, struct cs_arena *arena)
{
    const struct cs_graph *graph = tree->graph;
    uint32_t *roots =
        cs_arena_alloc(arena, graph->device_count, sizeof(*roots));
    uint8_t *told = cs_arena_alloc(arena, graph->device_count, 1);
    uint32_t count = 0;

    grow_all(tree, roots, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t host = graph->devices[roots[i]].host;

        if (host >= graph->device_count || told[host])
            continue;
        told[host] = 1;
        add_computer(tree, roots, count, host);
    }
    add_computer(tree, roots, count, CS_NO_HOST);
}

static int run(const struct cs_topo_look *look, struct cs_err *err)
{
    uint32_t devices = look->graph->device_count;
    struct cs_arena *arena = look->arena;
    struct cs_text text = {0};
    struct tree tree = {
        .graph = look->graph,
        .parent = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .first = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .last = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .next = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .queue = cs_arena_alloc(arena, devices, sizeof(uint32_t)),
        .seen = cs_arena_alloc(arena, devices, sizeof(bool)),
        .out = &text,
    };
    int code;

    memset(tree.parent, 0xff, devices * sizeof(uint32_t));
    memset(tree.first, 0xff, devices * sizeof(uint32_t));
    memset(tree.next, 0xff, devices * sizeof(uint32_t));
    index_wires(&tree, arena);
    fill(&tree, arena);
    code = cs_cli_write(look->cli, look->out, &text, err);
    cs_text_free(&text);
    return code;
}

const struct cs_topo_word cs_topo_word_tree = {
    .name = "tree",
    .about = "what hangs on what",
    .has_out = true,
    .run = run,
};
