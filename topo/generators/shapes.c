/*
 * switch, bus, mesh and ring: hosts and links of one kind, without more.
 *
 *     switch   rank0 -\    /- rank2    each link has the latency: alpha = 2 latency
 *              rank1 - switch - rank3
 *
 *     bus      rank0  rank1  rank2     a message occupies the medium once: alpha =
 *              --+------+------+--     latency
 *
 *     mesh     rank0 ---- rank1        a path is a link: alpha = latency
 *                 \      /
 *                  rank2
 *
 *     ring     rank0 -- rank1 -- rank2 -- (rank0)     alpha = d latency at distance d
 *
 * The ring is a direct network, like a torus of one dimension: each node has a
 * router beside the processor, so messages pass through nodes, unlike through hosts.
 * Mesh and ring are the fabrics of these names between hosts.
 *
 *     ranks=64,bandwidth=25GB/s,latency=0.5us,gamma=100GB/s,overhead=1us,duplex=half
 *
 * Slot s is device s: first a slot per rank of the machine ("rank0" ...), then a slot
 * per parameter server ("server0" ...); in a ring servers are between the last rank
 * and rank 0.  A party is a rank or server in use.  With fewer ranks in use than the
 * machine has, the last slots of ranks stay empty: the size of the machine does not
 * change.
 */
#include "topo/documents/parameters.h"
#include "topo/formats/source.h"
#include "topo/generators/cluster/groups.h"
#include "topo/graph/fabric.h"

extern const struct cs_source cs_source_bus;
extern const struct cs_fabric_kind cs_fabric_mesh;
extern const struct cs_fabric_kind cs_fabric_ring;

enum {
    DEFAULT_RANKS = 8,
};

/* Round numbers in the range of current hardware (a 200 Gb/s port), not of a
 * product. */
#define DEFAULT_RATE_BPS   25e9
#define DEFAULT_LATENCY_PS UINT64_C(500000)

struct shape {
    uint32_t size;           /* slots of ranks in the machine */
    uint32_t ranks;          /* in use: 1 .. size */
    struct cs_fabric fabric; /* its ports are the slots */
    struct cs_device host;
    bool is_half;
};

#define VALUE(name, form, member, ...) CS_VALUE(name, form, struct shape, member, __VA_ARGS__)

/* Duplex is the last: a bus uses one parameter fewer. */
static const struct cs_value shape_values[] = {
    VALUE("ranks", cs_value_count, size, .most = CS_SOURCE_RANKS_MAX),
    VALUE("bandwidth", cs_value_rate, fabric.wire.rate_Bps),
    VALUE("latency", cs_value_time, fabric.wire.latency_ps),
    VALUE("gamma", cs_value_rate, host.reduce_Bps),
    VALUE("overhead", cs_value_time, host.reduce_overhead_ps),
    VALUE("duplex", cs_value_either, is_half, .words = {"full", "half"}),
};

enum {
    VALUES = sizeof(shape_values) / sizeof(*shape_values)
};

static int shape_read(const struct cs_source *source, const struct cs_topo_request *request,
                      const char *parameters, struct cs_graph *graph, struct shape *shape,
                      struct cs_err *err)
{
    bool is_bus = source == &cs_source_bus;
    const struct cs_parameter_table known = {source->name, shape_values, VALUES - is_bus,
                                             graph->arena};
    uint32_t most =
        source->fabric == &cs_fabric_mesh ? CS_GROUPS_MESH_MAX : (uint32_t)CS_SOURCE_RANKS_MAX;
    uint64_t slots;

    *shape = (struct shape){.host = {.kind = CS_DEVICE_HOST},
                            .fabric = {.kind = source->fabric,
                                       .wire = {.class_name = "link",
                                                .rate_Bps = DEFAULT_RATE_BPS,
                                                .efficiency = 1,
                                                .latency_ps = DEFAULT_LATENCY_PS,
                                                .source = "given by the user"}}};
    if (cs_parameters_read(&known, parameters, shape, err))
        return CS_EINPUT;
    if (request->ranks && shape->size && request->ranks > shape->size)
        return cs_err_set(err, CS_EINPUT, "%u ranks requested, but '%s:' has ranks=%u",
                          request->ranks, source->name, shape->size);
    if (!shape->size)
        shape->size = request->ranks ? request->ranks : DEFAULT_RANKS;
    shape->ranks = request->ranks ? request->ranks : shape->size;
    shape->fabric.wire.duplex = is_bus           ? CS_DUPLEX_BUS
                                : shape->is_half ? CS_DUPLEX_HALF
                                                 : CS_DUPLEX_FULL;
    slots = (uint64_t)shape->size + request->agents;
    if (slots > most)
        return cs_err_set(err, CS_EINPUT, "'%s:' takes at most %u ranks and servers, not %llu",
                          source->name, most, (unsigned long long)slots);
    shape->fabric.ports = (uint32_t)slots;
    return 0;
}

static void add_slot(const struct shape *shape, struct cs_graph *graph, uint32_t slot,
                     const char *name)
{
    struct cs_device host = shape->host;

    host.name = name;
    host.host = slot;
    cs_graph_add_device(graph, host);
}

/* A device per slot; reserves memory for `wires` wires and for another device. */
static void add_slots(const struct shape *shape, struct cs_graph *graph, uint32_t wires)
{
    cs_graph_reserve(graph, shape->fabric.ports + 1, wires);
    for (uint32_t s = 0; s < shape->fabric.ports; s++)
        add_slot(shape, graph, s,
                 s < shape->size ? cs_arena_printf(graph->arena, "rank%u", s)
                                 : cs_arena_printf(graph->arena, "server%u", s - shape->size));
}

/* The slots from `first` on, as places of parties. */
static uint32_t *slots_from(struct cs_graph *graph, uint32_t first, uint32_t count)
{
    uint32_t *slots = cs_arena_alloc(graph->arena, count, sizeof(*slots));

    for (uint32_t i = 0; i < count; i++)
        slots[i] = first + i;
    return slots;
}

/* Places the parties, and sets the route function, whose context is a copy of the
 * shape. */
static void shape_finish(const struct shape *shape, struct cs_graph *graph, const char *name,
                         cs_route_fn *route, uint32_t max_hops)
{
    struct shape *copy = cs_arena_alloc(graph->arena, 1, sizeof(*copy));

    *copy = *shape;
    graph->rank_count = shape->ranks;
    graph->rank_device = slots_from(graph, 0, shape->ranks);
    graph->agent_count = shape->fabric.ports - shape->size;
    graph->agent_device = slots_from(graph, shape->size, graph->agent_count);
    graph->name = name;
    graph->route = route;
    graph->route_ctx = copy;
    graph->route_max_hops = max_hops;
}

static uint32_t slot_of(const struct shape *shape, uint32_t party)
{
    return party < shape->ranks ? party : shape->size + (party - shape->ranks);
}

/* ---- switch and bus ---- */

/* Wire s joins slot s to the switch. */
static uint32_t shape_switch_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    links[0] = 2 * slot_of(ctx, src);
    links[1] = 2 * slot_of(ctx, dst) + 1;
    return 2;
}

/* The link out of the bus is free and not part of routes. */
static uint32_t shape_bus_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    (void)dst;
    links[0] = 2 * slot_of(ctx, src);
    return 1;
}

/* The folded form, for machines without servers: wire s leads from slot s to the
 * device after all slots. */
static void add_replicas(const struct shape *shape, struct cs_graph *graph)
{
    add_slot(shape, graph, 0, "rank");
    cs_fabric_wire(&shape->fabric, graph, 0, shape->fabric.ports);
    cs_graph_fold_replicas(graph, (struct cs_graph_replicas){.count = shape->size,
                                                             .devices = 1,
                                                             .wires = 1,
                                                             .hosts = 1,
                                                             .moving_route = shape_switch_route});
}

static int shape_build_middle(const struct cs_source *source, const struct cs_topo_request *request,
                              const char *parameters, struct cs_graph *graph, struct cs_err *err)
{
    bool is_bus = source == &cs_source_bus;
    struct shape shape;
    uint32_t middle;
    bool is_replicated;

    if (shape_read(source, request, parameters, graph, &shape, err))
        return CS_EINPUT;
    is_replicated = cs_topo_may_replicate(request, shape.ranks) && shape.ranks == shape.size &&
                    shape.fabric.wire.duplex == CS_DUPLEX_FULL;
    if (is_replicated)
        add_replicas(&shape, graph);
    else
        add_slots(&shape, graph, shape.fabric.ports);
    middle = cs_graph_add_device(
        graph, (struct cs_device){.name = source->name,
                                  .kind = is_bus ? CS_DEVICE_BUS : CS_DEVICE_SWITCH,
                                  .host = CS_NO_HOST});
    for (uint32_t s = 0; s < shape.fabric.ports && !is_replicated; s++)
        cs_fabric_wire(&shape.fabric, graph, s, middle);
    graph->about = is_bus ? "a shared medium, one message at a time; alpha = latency"
                          : "one switch that never blocks; alpha = 2 latency";
    graph->has_choice = !is_bus; /* a single path satisfies every routing= */
    shape_finish(&shape, graph, source->name, is_bus ? shape_bus_route : shape_switch_route,
                 is_bus ? 1 : 2);
    return 0;
}

#define LINK_USAGE "ranks=N,bandwidth=RATE,latency=TIME[,gamma=RATE][,overhead=TIME]"

const struct cs_source cs_source_switch = {
    .name = "switch",
    .usage = "switch:" LINK_USAGE "[,duplex=full|half]",
    .about =
        "one switch; latency is that of a rank's link, two links make a path: alpha = 2 latency",
    .build = shape_build_middle,
};

const struct cs_source cs_source_bus = {
    .name = "bus",
    .usage = "bus:" LINK_USAGE,
    .about = "one shared medium that carries one message at a time; alpha = latency",
    .build = shape_build_middle,
};

/* ---- mesh and ring ---- */

static uint32_t shape_fabric_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct shape *shape = ctx;

    return shape->fabric.kind->route(&shape->fabric, slot_of(shape, src), slot_of(shape, dst),
                                     links);
}

static int shape_build_fabric(const struct cs_source *source, const struct cs_topo_request *request,
                              const char *parameters, struct cs_graph *graph, struct cs_err *err)
{
    struct shape shape;
    uint32_t *ports;

    if (shape_read(source, request, parameters, graph, &shape, err) ||
        source->fabric->plan(&shape.fabric, err))
        return CS_EINPUT;
    add_slots(&shape, graph, (uint32_t)shape.fabric.wires);
    ports = slots_from(graph, 0, shape.fabric.ports);
    cs_fabric_add(&shape.fabric, graph, ports, "");
    graph->direct = graph->circles = source->fabric == &cs_fabric_ring;
    graph->about = graph->direct ? "links between neighbours; alpha = latency per link"
                                 : "a link between every two ranks; alpha = latency";
    shape_finish(&shape, graph, source->name, shape_fabric_route, shape.fabric.max_hops);
    return 0;
}

const struct cs_source cs_source_mesh = {
    .name = "mesh",
    .usage = "mesh:" LINK_USAGE "[,duplex=full|half]",
    .about = "a link between every two ranks (at most 2048); alpha = latency",
    .build = shape_build_fabric,
    .fabric = &cs_fabric_mesh,
};

const struct cs_source cs_source_ring = {
    .name = "ring",
    .usage = "ring:" LINK_USAGE "[,duplex=full|half]",
    .about = "links between neighbours, the last joined to the first; alpha = latency per link of "
             "the route",
    .build = shape_build_fabric,
    .fabric = &cs_fabric_ring,
};
