/*
 * switch: every rank has one port on one switch that never blocks.
 *
 *     rank0 --+
 *     rank1 --+-- switch       a message crosses two links: alpha = 2 latency
 *     rank2 --+
 */
#include "topo/generators/shape.h"

static const struct cs_shape_rules rules = {
    .name = "switch",
    .max_slots = 1 << 20,
    .has_duplex = true,
};

/* Wire s joins slot s to the switch. */
static uint32_t switch_machine_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct cs_generator_shape *shape = ctx;

    links[0] = 2 * cs_shape_place(shape, src);
    links[1] = 2 * cs_shape_place(shape, dst) + 1;
    return 2;
}

static int switch_machine_build(const struct cs_topo_request *request, const char *parameters,
                                struct cs_graph *graph, struct cs_err *err)
{
    struct cs_generator_shape shape;
    uint32_t middle;
    bool is_replicated;
    int rc = cs_shape_read(request, &rules, parameters, &shape, err);

    if (rc)
        return rc;
    is_replicated = cs_topo_may_replicate(request, shape.ranks) && shape.ranks == shape.size &&
                    shape.duplex == CS_DUPLEX_FULL;
    if (is_replicated)
        cs_shape_place_replicas(&shape, graph, cs_shape_places(&shape));
    else
        cs_shape_place_all(&shape, graph, cs_shape_places(&shape));
    middle = cs_graph_add_device(
        graph, (struct cs_device){.name = "switch", .kind = CS_DEVICE_SWITCH, .host = CS_NO_HOST});
    for (uint32_t s = 0; s < cs_shape_places(&shape) && !is_replicated; s++)
        cs_shape_wire(&shape, graph, s, middle);
    graph->about = "one switch that never blocks; alpha = 2 latency";
    cs_shape_finish(&shape, graph, "switch", switch_machine_route, 2);
    graph->has_choice = true; /* a single path satisfies every routing= */
    return 0;
}

const struct cs_source cs_source_switch = {
    .name = "switch",
    .usage = "switch:ranks=N,bandwidth=RATE,latency=TIME[,gamma=RATE][,overhead=TIME][,duplex=full|"
             "half]",
    .about =
        "one switch; latency is that of a rank's link, two links make a path: alpha = 2 latency",
    .build = switch_machine_build,
};
