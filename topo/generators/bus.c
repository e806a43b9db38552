/*
 * bus: one shared medium that carries one message at a time.
 *
 *     rank0  rank1  rank2
 *     --+------+------+--       a message occupies it once: alpha = latency
 */
#include "topo/generators/shape.h"

static const struct cs_shape_rules rules = {
    .name = "bus",
    .max_slots = 1 << 20,
};

/* Wire s joins slot s to the bus; the link out of the bus is free and not part
 * of routes. */
static uint32_t bus_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    (void)dst;
    links[0] = 2 * cs_shape_place(ctx, src);
    return 1;
}

static int bus_build(const struct cs_topo_request *request, const char *parameters,
                     struct cs_graph *graph, struct cs_err *err)
{
    struct cs_generator_shape shape;
    uint32_t bus;
    int rc = cs_shape_read(request, &rules, parameters, &shape, err);

    if (rc)
        return rc;
    shape.duplex = CS_DUPLEX_BUS;
    cs_shape_place_all(&shape, graph, cs_shape_places(&shape));
    bus = cs_graph_add_device(
        graph, (struct cs_device){.name = "bus", .kind = CS_DEVICE_BUS, .host = CS_NO_HOST});
    for (uint32_t s = 0; s < cs_shape_places(&shape); s++)
        cs_shape_wire(&shape, graph, s, bus);
    graph->about = "a shared medium, one message at a time; alpha = latency";
    cs_shape_finish(&shape, graph, "bus", bus_route, 1);
    return 0;
}

const struct cs_source cs_source_bus = {
    .name = "bus",
    .usage = "bus:ranks=N,bandwidth=RATE,latency=TIME[,gamma=RATE][,overhead=TIME]",
    .about = "one shared medium that carries one message at a time; alpha = latency",
    .build = bus_build,
};
