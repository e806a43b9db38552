#include "topo/formats/infragraph/reader.h"

#include "sim/base/collections/disjoint.h"
#include "sim/base/collections/name_index.h"
#include "sim/base/order.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/kinds/gpu_kind.h"
#include "topo/kinds/link_kind.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Edges by leaf, the groups of leaves that are a device, and their devices. */
struct builder {
    struct cs_infra_reader *reader;
    struct cs_infra_wire *links; /* by edge */
    bool *dropped;               /* by edge */
    uint32_t *starts;            /* of a leaf in `around` */
    uint32_t *around;            /* edges of the leaves */
    uint32_t *parent;            /* of groups of leaves */
    uint32_t *device;            /* of the graph, by root; or none */
    uint32_t *members;           /* groups of an instance, by first leaf */
    struct cs_names names;
};

/* ---- edges ---- */

struct pair {
    uint32_t low, high, edge;
};

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    return CS_ORDER({x->low, y->low}, {x->high, y->high}, {x->edge, y->edge});
}

/* InfraGraph has one edge of two components: the last of a pair counts. */
static void drop_repeated(const struct builder *builder)
{
    const struct cs_infra_edges *edges = &builder->reader->edges;
    struct pair *pairs =
        cs_arena_alloc(builder->reader->graph->arena, edges->count, sizeof(*pairs));

    for (uint32_t e = 0; e < edges->count; e++) {
        uint32_t a = edges->at[e].a, b = edges->at[e].b;

        pairs[e] = (struct pair){a < b ? a : b, a < b ? b : a, e};
    }
    if (edges->count)
        qsort(pairs, edges->count, sizeof(*pairs), compare_pairs);
    for (uint32_t i = 0; i + 1 < edges->count; i++)
        if (pairs[i].low == pairs[i + 1].low && pairs[i].high == pairs[i + 1].high)
            builder->dropped[pairs[i].edge] = true;
}

static void index_edges(struct builder *builder)
{
    const struct cs_infra_reader *reader = builder->reader;
    struct cs_arena *arena = reader->graph->arena;
    uint32_t sum = 0;

    builder->starts =
        cs_arena_alloc(arena, (uint64_t)reader->leaf_count + 2, sizeof(*builder->starts));
    builder->around =
        cs_arena_alloc(arena, 2 * (uint64_t)reader->edges.count, sizeof(*builder->around));
    for (uint32_t e = 0; e < reader->edges.count; e++)
        if (!builder->dropped[e]) {
            builder->starts[reader->edges.at[e].a + 2]++;
            builder->starts[reader->edges.at[e].b + 2]++;
        }
    for (uint32_t i = 0; i < reader->leaf_count + 2; i++)
        builder->starts[i] = sum += builder->starts[i];
    for (uint32_t e = 0; e < reader->edges.count; e++)
        if (!builder->dropped[e]) {
            builder->around[builder->starts[reader->edges.at[e].a + 1]++] = e;
            builder->around[builder->starts[reader->edges.at[e].b + 1]++] = e;
        }
}

/* Edges of the same link at the GPU of an edge. */
static uint32_t shares_of(const struct builder *builder, uint32_t edge)
{
    const struct cs_infra_reader *reader = builder->reader;
    const struct cs_infra_edge *of = &reader->edges.at[edge];
    uint32_t gpu = cs_infra_component_of(reader, of->a)->choice == CS_INFRA_XPU ? of->a : of->b;
    uint32_t shares = 0;

    for (uint32_t i = builder->starts[gpu]; i < builder->starts[gpu + 1]; i++)
        shares += reader->edges.at[builder->around[i]].link == of->link;
    return shares;
}

/* ---- groups ---- */

/* What a group of leaves is, best first. */
static int rank_of(enum cs_infra_choice choice)
{
    static const int ranks[CS_INFRA_CHOICES] = {
        [CS_INFRA_NIC] = 5,  [CS_INFRA_SWITCH] = 4, [CS_INFRA_CPU] = 3,
        [CS_INFRA_PORT] = 2, [CS_INFRA_CUSTOM] = 1, [CS_INFRA_XPU] = 6};

    return ranks[choice];
}

/* Whether an edge without a rate joins parts of one device: a port and its
 * chip, and all of a device that does not compute. */
static bool is_one_device(const struct cs_infra_reader *reader, const struct cs_infra_edge *edge)
{
    const struct cs_infra_component *a = cs_infra_component_of(reader, edge->a);
    const struct cs_infra_component *b = cs_infra_component_of(reader, edge->b);

    if (rank_of(a->choice) > rank_of(CS_INFRA_NIC) || rank_of(b->choice) > rank_of(CS_INFRA_NIC))
        return false;
    return rank_of(a->choice) <= rank_of(CS_INFRA_PORT) ||
           rank_of(b->choice) <= rank_of(CS_INFRA_PORT) ||
           !reader->devices[reader->leaves[edge->a].device].has_xpu;
}

static void merge(const struct builder *builder, const struct cs_infra_edge *edge)
{
    const struct cs_infra_reader *reader = builder->reader;
    uint32_t a = cs_disjoint_root(builder->parent, edge->a);
    uint32_t b = cs_disjoint_root(builder->parent, edge->b);
    int rank_a = rank_of(cs_infra_component_of(reader, a)->choice);
    int rank_b = rank_of(cs_infra_component_of(reader, b)->choice);

    if (rank_a > rank_b || (rank_a == rank_b && a <= b))
        cs_disjoint_join(builder->parent, a, b);
    else
        cs_disjoint_join(builder->parent, b, a);
}

/* Leaves that no path needs: ends of the machine that are no device of it. */
static bool is_left_out(const struct builder *builder, uint32_t leaf)
{
    const struct cs_infra_component *component = cs_infra_component_of(builder->reader, leaf);

    return (component->choice == CS_INFRA_CUSTOM || component->choice == CS_INFRA_MEMORY ||
            component->choice == CS_INFRA_PORT) &&
           builder->starts[leaf + 1] - builder->starts[leaf] <= 1;
}

/* ---- parallel switches ---- */

/* The other end of an edge. */
static uint32_t far_of(const struct builder *builder, uint32_t edge, uint32_t leaf)
{
    const struct cs_infra_edge *of = &builder->reader->edges.at[edge];

    return of->a == leaf ? of->b : of->a;
}

static bool is_xpu(const struct builder *builder, uint32_t leaf)
{
    return cs_infra_component_of(builder->reader, leaf)->choice == CS_INFRA_XPU;
}

/* The n-th edge of a switch that leads to a GPU, or CS_DOC_NONE. */
static uint32_t gpu_edge(const struct builder *builder, uint32_t leaf, uint32_t n)
{
    for (uint32_t i = builder->starts[leaf]; i < builder->starts[leaf + 1]; i++)
        if (is_xpu(builder, far_of(builder, builder->around[i], leaf)) && n-- == 0)
            return builder->around[i];
    return CS_DOC_NONE;
}

/* Whether two switches have the same GPUs, two or more, by the same links. */
static bool have_same_gpus(const struct builder *builder, uint32_t a, uint32_t b)
{
    const struct cs_infra_edge *edges = builder->reader->edges.at;
    uint32_t n = 0;

    for (;; n++) {
        uint32_t x = gpu_edge(builder, a, n);
        uint32_t y = gpu_edge(builder, b, n);

        if (x == CS_DOC_NONE || y == CS_DOC_NONE)
            return x == y && n > 1;
        if (edges[x].link != edges[y].link || far_of(builder, x, a) != far_of(builder, y, b))
            return false;
    }
}

/* Switches of the same GPUs carry a share of every message: one switch, whose
 * links have the sum of the rates. */
static void join_parallel_switches(const struct builder *builder)
{
    const struct cs_infra_reader *reader = builder->reader;
    uint32_t first = 0, joined = 0;

    for (uint32_t l = 1; l < reader->leaf_count; l++) {
        const struct cs_infra_component *component = cs_infra_component_of(reader, l);

        if (reader->leaves[l].index == 0 || component->choice != CS_INFRA_SWITCH)
            continue;
        first = l - reader->leaves[l].index;
        if (!cs_infra_in_host(reader, l) || !have_same_gpus(builder, first, l))
            continue;
        for (uint32_t n = 0; gpu_edge(builder, l, n) != CS_DOC_NONE; n++) {
            uint32_t edge = gpu_edge(builder, l, n);

            builder->dropped[edge] = true;
            builder->links[gpu_edge(builder, first, n)].wire.rate_Bps +=
                builder->links[edge].wire.rate_Bps;
        }
        cs_disjoint_join(builder->parent, first, l);
        joined++;
    }
    if (joined)
        cs_graph_note(
            reader->graph,
            "%u switches with the same GPUs as another of their device count as one with that",
            joined);
}

/* ---- devices ---- */

static enum cs_device_kind kind_of(const struct cs_infra_reader *reader, uint32_t leaf)
{
    const struct cs_infra_component *component = cs_infra_component_of(reader, leaf);
    bool in_host = cs_infra_in_host(reader, leaf);

    switch (component->choice) {
    case CS_INFRA_XPU:
        return CS_DEVICE_GPU;
    case CS_INFRA_NIC:
        return CS_DEVICE_NIC;
    case CS_INFRA_PORT:
        return in_host ? CS_DEVICE_NIC : CS_DEVICE_SWITCH;
    case CS_INFRA_CPU:
        if (*reader->leaves[leaf].prefix && in_host)
            return CS_DEVICE_NIC;
        return in_host ? CS_DEVICE_CPU : CS_DEVICE_SWITCH;
    default:
        return CS_DEVICE_SWITCH;
    }
}

static const char *numbered(struct cs_arena *arena, const char *name, uint32_t index,
                            uint32_t count)
{
    size_t length = strlen(name);
    bool digit = length && isdigit((unsigned char)name[length - 1]);

    return count == 1 ? name : cs_arena_printf(arena, "%s%s%u", name, digit ? "_" : "", index);
}

/* The first leaf of the instance with that index. */
static uint32_t first_of_instance(const struct cs_infra_reader *reader, uint32_t leaf)
{
    const struct cs_infra_leaf *at = &reader->leaves[leaf];
    const struct cs_infra_instance *of = &reader->instances[at->instance];

    return of->first + at->instance_index * reader->devices[of->device].leaves;
}

static const char *name_of(struct builder *builder, uint32_t leaf)
{
    const struct cs_infra_reader *reader = builder->reader;
    struct cs_arena *arena = reader->graph->arena;
    const struct cs_infra_leaf *at = &reader->leaves[leaf];
    const struct cs_infra_instance *instance = &reader->instances[at->instance];
    const struct cs_infra_component *component = cs_infra_component_of(reader, leaf);
    const char *own = cs_arena_printf(
        arena, "%s%s", at->prefix, numbered(arena, component->name, at->index, component->count));
    const char *of = numbered(arena, instance->name, at->instance_index, instance->count);
    const char *name = own;

    if (instance->host != CS_NO_HOST && reader->host_count > 1)
        name = cs_arena_printf(arena, "n%u.%s", instance->host + at->instance_index, own);
    else if (instance->host == CS_NO_HOST)
        name = builder->members[first_of_instance(reader, leaf)] == 1
                   ? of
                   : cs_arena_printf(arena, "%s.%s", of, own);
    for (uint32_t i = 2; cs_names_add(&builder->names, name, leaf) != CS_NO_NAME; i++)
        name = cs_arena_printf(arena, "%s_%u", own, i);
    return name;
}

static void add_leaf_device(struct builder *builder, uint32_t leaf)
{
    struct cs_infra_reader *reader = builder->reader;
    const struct cs_infra_leaf *at = &reader->leaves[leaf];
    const struct cs_infra_component *component = cs_infra_component_of(reader, leaf);
    uint32_t host = reader->instances[at->instance].host;
    struct cs_device device = {.name = name_of(builder, leaf),
                               .kind = kind_of(reader, leaf),
                               .host = host == CS_NO_HOST ? host : host + at->instance_index,
                               .line = reader->doc->nodes[component->node].line};

    if (device.kind == CS_DEVICE_GPU)
        device.model = cs_infra_gpu(reader, component);
    if (device.kind == CS_DEVICE_CPU && strstr(component->about, "Intel"))
        device.vendor = CS_CPU_INTEL;
    if (device.kind == CS_DEVICE_CPU && strstr(component->about, "AMD"))
        device.vendor = CS_CPU_AMD;
    builder->device[leaf] = cs_graph_add_device(reader->graph, device);
}

static bool is_device(const struct builder *builder, uint32_t leaf)
{
    return builder->parent[leaf] == leaf && !is_left_out(builder, leaf);
}

static void add_devices(struct builder *builder)
{
    const struct cs_infra_reader *reader = builder->reader;

    cs_names_init(&builder->names, reader->graph->arena, reader->leaf_count);
    for (uint32_t l = 0; l < reader->leaf_count; l++)
        builder->members[first_of_instance(reader, l)] += is_device(builder, l);
    for (uint32_t l = 0; l < reader->leaf_count; l++) {
        builder->device[l] = CS_DOC_NONE;
        if (is_device(builder, l))
            add_leaf_device(builder, l);
    }
}

/* ---- wires ---- */

static uint32_t device_at(const struct builder *builder, uint32_t leaf)
{
    return builder->device[cs_disjoint_root(builder->parent, leaf)];
}

/* The class by the number of links that the rate makes: "nvlink4 x18". */
static const char *counted_class(const struct cs_infra_reader *reader, const struct cs_wire *wire)
{
    struct cs_link_class cut;
    const struct cs_link_kind *kind = cs_link_families[wire->family].is_counted &&
                                              !cs_link_class_cut(wire->class_name, &cut, NULL)
                                          ? cs_link_kind_get(cut.name)
                                          : NULL;

    if (!kind || wire->rate_Bps < kind->rate_Bps)
        return wire->class_name;
    cut.width = (uint32_t)lround(fmin(wire->rate_Bps / kind->rate_Bps, CS_LINK_WIDTH_MAX));
    return cs_link_class_text(&cut, reader->graph->arena);
}

static void add_wires(const struct builder *builder)
{
    struct cs_infra_reader *reader = builder->reader;

    for (uint32_t e = 0; e < reader->edges.count; e++) {
        struct cs_wire wire = builder->links[e].wire;

        if (builder->dropped[e])
            continue;
        wire.class_name = counted_class(reader, &wire);
        wire.a = device_at(builder, reader->edges.at[e].a);
        wire.b = device_at(builder, reader->edges.at[e].b);
        if (wire.a != CS_DOC_NONE && wire.b != CS_DOC_NONE && wire.a != wire.b)
            cs_graph_add_wire(reader->graph, wire);
    }
}

static int resolve_links(struct builder *builder)
{
    struct cs_infra_reader *reader = builder->reader;
    int rc = 0;

    for (uint32_t e = 0; e < reader->edges.count && !rc; e++) {
        const struct cs_infra_edge *edge = &reader->edges.at[e];

        if (builder->dropped[e])
            continue;
        rc = cs_infra_link(reader, edge, shares_of(builder, e), &builder->links[e]);
        if (!rc && builder->links[e].is_internal && is_one_device(reader, edge))
            merge(builder, edge);
    }
    return rc;
}

static void note_models(const struct cs_infra_reader *reader)
{
    const struct cs_gpu_kind *last = NULL;

    for (uint32_t d = 0; d < reader->device_count; d++)
        for (uint32_t c = 0; c < reader->devices[d].count; c++) {
            const struct cs_infra_component *component = &reader->devices[d].components[c];
            const struct cs_gpu_kind *kind = cs_infra_gpu(reader, component);

            if (kind && kind != last && kind != reader->gpu)
                cs_graph_note(reader->graph, "the GPU model %s is taken from '%s'", kind->name,
                              *component->about ? component->about : component->name);
            last = kind ? kind : last;
        }
}

int cs_infra_build(struct cs_infra_reader *reader)
{
    struct cs_arena *arena = reader->graph->arena;
    struct builder builder = {
        .reader = reader,
        .links = cs_arena_alloc(arena, reader->edges.count, sizeof(*builder.links)),
        .dropped = cs_arena_alloc(arena, reader->edges.count, sizeof(bool)),
        .parent = cs_arena_alloc(arena, reader->leaf_count, sizeof(uint32_t)),
        .device = cs_arena_alloc(arena, reader->leaf_count, sizeof(uint32_t)),
        .members = cs_arena_alloc(arena, reader->leaf_count, sizeof(uint32_t))};

    drop_repeated(&builder);
    index_edges(&builder);
    cs_disjoint_open(builder.parent, reader->leaf_count);
    if (resolve_links(&builder))
        return CS_EINPUT;
    join_parallel_switches(&builder);
    for (uint32_t l = 0; l < reader->leaf_count; l++)
        builder.parent[l] = cs_disjoint_root(builder.parent, l);
    add_devices(&builder);
    add_wires(&builder);
    note_models(reader);
    return 0;
}
