#include "topo/shape.h"

#include "sim/base/text.h"
#include "sim/base/units.h"

#include <string.h>

enum {
    DEFAULT_RANKS = 8,
    PARAMETER_MAX = 200, /* letters in one "name=value" */
};

/* Invented, as round numbers of today's hardware: one 200 Gb/s port. */
#define DEFAULT_RATE_BPS   25e9
#define DEFAULT_LATENCY_PS UINT64_C(500000)

struct parameter {
    const char *name;
    int (*read)(const char *text, struct cs_shape *shape, struct cs_err *err);
};

static int read_ranks(const char *text, struct cs_shape *shape,
                      struct cs_err *err)
{
    uint64_t ranks = 0;
    int rc = cs_units_count(text, 1, CS_SHAPE_RANKS_MAX, &ranks, err);

    shape->size = (uint32_t)ranks;
    return rc;
}

static int read_bandwidth(const char *text, struct cs_shape *shape,
                          struct cs_err *err)
{
    return cs_units_rate(text, &shape->rate_Bps, err);
}

static int read_latency(const char *text, struct cs_shape *shape,
                        struct cs_err *err)
{
    return cs_units_time(text, &shape->latency_ps, err);
}

static int read_gamma(const char *text, struct cs_shape *shape,
                      struct cs_err *err)
{
    return cs_units_rate(text, &shape->reduce_Bps, err);
}

static int read_overhead(const char *text, struct cs_shape *shape,
                         struct cs_err *err)
{
    return cs_units_time(text, &shape->overhead_ps, err);
}

static int read_duplex(const char *text, struct cs_shape *shape,
                       struct cs_err *err)
{
    if (!cs_same(text, "full") && !cs_same(text, "half"))
        return cs_err_set(err, CS_EINPUT, "'%s' is not 'full' or 'half'", text);
    shape->duplex = cs_same(text, "full") ? CS_DUPLEX_FULL : CS_DUPLEX_HALF;
    return 0;
}

/* Duplex is the last: a machine without it knows one parameter fewer. */
enum {
    PARAMETERS = 6
};

static const struct parameter parameters_known[PARAMETERS] = {
    {"ranks", read_ranks},       {"bandwidth", read_bandwidth},
    {"latency", read_latency},   {"gamma", read_gamma},
    {"overhead", read_overhead}, {"duplex", read_duplex},
};

static int no_such_parameter(const struct cs_shape_rules *rules,
                             const char *name, size_t known, struct cs_err *err)
{
    const char *names[PARAMETERS];
    const char *near;

    for (size_t i = 0; i < known; i++)
        names[i] = parameters_known[i].name;
    near = cs_nearest(name, names, known);
    if (near)
        return cs_err_set(err, CS_EINPUT,
                          "no parameter called '%s' for '%s:'; did you mean "
                          "'%s'?",
                          name, rules->name, near);
    return cs_err_set(err, CS_EINPUT,
                      "no parameter called '%s' for '%s:'; there are ranks, "
                      "bandwidth, latency, gamma, overhead%s",
                      name, rules->name, rules->has_duplex ? ", duplex" : "");
}

/* One "name=value", cut in two at the '='. */
static int read_one(const struct cs_shape_rules *rules, char *text,
                    unsigned *seen, struct cs_shape *shape, struct cs_err *err)
{
    size_t known = rules->has_duplex ? PARAMETERS : PARAMETERS - 1;
    struct cs_err why = {0};
    char *value = strchr(text, '=');
    size_t i = 0;

    if (!value)
        return cs_err_set(err, CS_EINPUT,
                          "'%s' in '%s:' is not of the form name=value", text,
                          rules->name);
    *value++ = '\0';
    while (i < known && !cs_same(text, parameters_known[i].name))
        i++;
    if (i == known)
        return no_such_parameter(rules, text, known, err);
    if (*seen & 1U << i)
        return cs_err_set(err, CS_EINPUT, "'%s' is given twice in '%s:'", text,
                          rules->name);
    *seen |= 1U << i;
    if (parameters_known[i].read(value, shape, &why))
        return cs_err_set(err, CS_EINPUT, "%s:%s=: %s", rules->name, text,
                          why.text);
    return 0;
}

static int read_all(const struct cs_shape_rules *rules, const char *parameters,
                    struct cs_shape *shape, struct cs_err *err)
{
    unsigned seen = 0;

    while (*parameters) {
        size_t length = strcspn(parameters, ",");
        char one[PARAMETER_MAX];
        int rc;

        if (length >= sizeof(one))
            return cs_err_set(err, CS_EINPUT,
                              "a parameter of '%s:' has over %d letters",
                              rules->name, PARAMETER_MAX - 1);
        memcpy(one, parameters, length);
        one[length] = '\0';
        rc = read_one(rules, one, &seen, shape, err);
        if (rc)
            return rc;
        parameters += length;
        if (*parameters == ',' && *++parameters == '\0')
            return cs_err_set(err, CS_EINPUT,
                              "'%s:' ends in ','; expected name=value",
                              rules->name);
    }
    return 0;
}

int cs_shape_read(const struct cs_topo_request *request,
                  const struct cs_shape_rules *rules, const char *parameters,
                  struct cs_shape *shape, struct cs_err *err)
{
    int rc;

    *shape = (struct cs_shape){
        .agents = request->agents,
        .rate_Bps = DEFAULT_RATE_BPS,
        .latency_ps = DEFAULT_LATENCY_PS,
    };
    rc = read_all(rules, parameters, shape, err);
    if (rc)
        return rc;
    if (request->ranks && shape->size && request->ranks > shape->size)
        return cs_err_set(err, CS_EINPUT,
                          "%u ranks asked for, but '%s:' is given ranks=%u",
                          request->ranks, rules->name, shape->size);
    if (!shape->size)
        shape->size = request->ranks ? request->ranks : DEFAULT_RANKS;
    shape->ranks = request->ranks ? request->ranks : shape->size;
    if ((uint64_t)shape->size + shape->agents > rules->max_seats)
        return cs_err_set(err, CS_EINPUT,
                          "'%s:' takes at most %u ranks and servers, not %llu",
                          rules->name, rules->max_seats,
                          (unsigned long long)shape->size + shape->agents);
    return 0;
}

static void add_seat(const struct cs_shape *shape, struct cs_graph *graph,
                     uint32_t seat)
{
    const char *stem = seat < shape->size ? "rank" : "server";
    uint32_t number = seat < shape->size ? seat : seat - shape->size;

    cs_graph_add_device(
        graph, (struct cs_device){
                   .name = cs_arena_printf(graph->arena, "%s%u", stem, number),
                   .kind = CS_DEVICE_HOST,
                   .host = seat,
                   .reduce_Bps = shape->reduce_Bps,
                   .reduce_overhead_ps = shape->overhead_ps,
               });
}

void cs_shape_seat_all(const struct cs_shape *shape, struct cs_graph *graph,
                       uint32_t wires)
{
    cs_graph_reserve(graph, cs_shape_seats(shape) + 1, wires);
    for (uint32_t s = 0; s < cs_shape_seats(shape); s++)
        add_seat(shape, graph, s);
    graph->rank_count = shape->ranks;
    graph->rank_device = cs_arena_alloc(graph->arena, graph->rank_count,
                                        sizeof(*graph->rank_device));
    for (uint32_t i = 0; i < shape->ranks; i++)
        graph->rank_device[i] = i;
    graph->agent_count = shape->agents;
    graph->agent_device = cs_arena_alloc(graph->arena, graph->agent_count,
                                         sizeof(*graph->agent_device));
    for (uint32_t i = 0; i < shape->agents; i++)
        graph->agent_device[i] = shape->size + i;
}

uint32_t cs_shape_wire(const struct cs_shape *shape, struct cs_graph *graph,
                       uint32_t a, uint32_t b)
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

void cs_shape_finish(const struct cs_shape *shape, struct cs_graph *graph,
                     const char *name, cs_route_fn *route, uint32_t max_hops)
{
    struct cs_shape *copy = cs_arena_alloc(graph->arena, 1, sizeof(*copy));

    *copy = *shape;
    graph->name = name;
    graph->route = route;
    graph->route_ctx = copy;
    graph->route_max_hops = max_hops;
}
