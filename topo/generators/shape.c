#include "topo/generators/shape.h"

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/documents/parameters.h"

enum {
    DEFAULT_RANKS = 8,
};

/* Round numbers in the range of current hardware (a 200 Gb/s port), not of a
 * product. */
#define DEFAULT_RATE_BPS   25e9
#define DEFAULT_LATENCY_PS UINT64_C(500000)

static int shape_read_ranks(const char *text, void *target, struct cs_err *err)
{
    struct cs_generator_shape *shape = target;
    uint64_t ranks = 0;
    int rc = cs_units_count(text, 1, CS_SOURCE_RANKS_MAX, &ranks, err);

    shape->size = (uint32_t)ranks;
    return rc;
}

static int shape_read_bandwidth(const char *text, void *target, struct cs_err *err)
{
    struct cs_generator_shape *shape = target;

    return cs_units_rate(text, &shape->rate_Bps, err);
}

static int shape_read_latency(const char *text, void *target, struct cs_err *err)
{
    struct cs_generator_shape *shape = target;

    return cs_units_time(text, &shape->latency_ps, err);
}

static int shape_read_gamma(const char *text, void *target, struct cs_err *err)
{
    struct cs_generator_shape *shape = target;

    return cs_units_rate(text, &shape->reduce_Bps, err);
}

static int shape_read_overhead(const char *text, void *target, struct cs_err *err)
{
    struct cs_generator_shape *shape = target;

    return cs_units_time(text, &shape->overhead_ps, err);
}

static int shape_read_duplex(const char *text, void *target, struct cs_err *err)
{
    struct cs_generator_shape *shape = target;

    if (!cs_same(text, "full") && !cs_same(text, "half"))
        return cs_err_set(err, CS_EINPUT, "'%s' is not 'full' or 'half'", text);
    shape->duplex = cs_same(text, "full") ? CS_DUPLEX_FULL : CS_DUPLEX_HALF;
    return 0;
}

/* Duplex is the last: a machine without duplex= uses one parameter fewer. */
enum {
    PARAMETERS = 6
};

static const struct cs_parameter parameters_known[PARAMETERS] = {
    {"ranks", shape_read_ranks},       {"bandwidth", shape_read_bandwidth},
    {"latency", shape_read_latency},   {"gamma", shape_read_gamma},
    {"overhead", shape_read_overhead}, {"duplex", shape_read_duplex},
};

int cs_shape_read(const struct cs_topo_request *request, const struct cs_shape_rules *rules,
                  const char *parameters, struct cs_generator_shape *shape, struct cs_err *err)
{
    const struct cs_parameters known = {rules->name, parameters_known,
                                        rules->has_duplex ? PARAMETERS : PARAMETERS - 1};
    int rc;

    *shape = (struct cs_generator_shape){
        .agents = request->agents,
        .rate_Bps = DEFAULT_RATE_BPS,
        .latency_ps = DEFAULT_LATENCY_PS,
    };
    rc = cs_parameters_read(&known, parameters, shape, err);
    if (rc)
        return rc;
    if (request->ranks && shape->size && request->ranks > shape->size)
        return cs_err_set(err, CS_EINPUT, "%u ranks requested, but '%s:' has ranks=%u",
                          request->ranks, rules->name, shape->size);
    if (!shape->size)
        shape->size = request->ranks ? request->ranks : DEFAULT_RANKS;
    shape->ranks = request->ranks ? request->ranks : shape->size;
    if ((uint64_t)shape->size + shape->agents > rules->max_slots)
        return cs_err_set(err, CS_EINPUT, "'%s:' takes at most %u ranks and servers, not %llu",
                          rules->name, rules->max_slots,
                          (unsigned long long)shape->size + shape->agents);
    return 0;
}

static void add_slot(const struct cs_generator_shape *shape, struct cs_graph *graph, uint32_t slot,
                     const char *name)
{
    cs_graph_add_device(graph, (struct cs_device){
                                   .name = name,
                                   .kind = CS_DEVICE_HOST,
                                   .host = slot,
                                   .reduce_Bps = shape->reduce_Bps,
                                   .reduce_overhead_ps = shape->overhead_ps,
                               });
}

static void shape_slot_parties(const struct cs_generator_shape *shape, struct cs_graph *graph)
{
    graph->rank_count = shape->ranks;
    graph->rank_device =
        cs_arena_alloc(graph->arena, graph->rank_count, sizeof(*graph->rank_device));
    for (uint32_t i = 0; i < shape->ranks; i++)
        graph->rank_device[i] = i;
    graph->agent_count = shape->agents;
    graph->agent_device =
        cs_arena_alloc(graph->arena, graph->agent_count, sizeof(*graph->agent_device));
    for (uint32_t i = 0; i < shape->agents; i++)
        graph->agent_device[i] = shape->size + i;
}

void cs_shape_place_all(const struct cs_generator_shape *shape, struct cs_graph *graph,
                        uint32_t wires)
{
    cs_graph_reserve(graph, cs_shape_places(shape) + 1, wires);
    for (uint32_t s = 0; s < cs_shape_places(shape); s++)
        add_slot(shape, graph, s,
                 s < shape->size ? cs_arena_printf(graph->arena, "rank%u", s)
                                 : cs_arena_printf(graph->arena, "server%u", s - shape->size));
    shape_slot_parties(shape, graph);
}

void cs_shape_place_replicas(const struct cs_generator_shape *shape, struct cs_graph *graph,
                             uint32_t middle)
{
    add_slot(shape, graph, 0, "rank");
    cs_shape_wire(shape, graph, 0, middle);
    cs_graph_fold_replicas(graph, (struct cs_graph_replicas){
                                      .count = shape->size, .devices = 1, .wires = 1, .hosts = 1});
    shape_slot_parties(shape, graph);
}

uint32_t cs_shape_wire(const struct cs_generator_shape *shape, struct cs_graph *graph, uint32_t a,
                       uint32_t b)
{
    return cs_graph_add_wire(graph, (struct cs_wire){
                                        .a = a,
                                        .b = b,
                                        .class_name = "link",
                                        .rate_Bps = shape->rate_Bps,
                                        .efficiency = 1,
                                        .latency_ps = shape->latency_ps,
                                        .duplex = shape->duplex,
                                        .source = "given by the user",
                                    });
}

void cs_shape_finish(const struct cs_generator_shape *shape, struct cs_graph *graph,
                     const char *name, cs_route_fn *route, uint32_t max_hops)
{
    struct cs_generator_shape *copy = cs_arena_alloc(graph->arena, 1, sizeof(*copy));

    *copy = *shape;
    graph->name = name;
    graph->route = route;
    graph->route_ctx = copy;
    graph->route_max_hops = max_hops;
}
