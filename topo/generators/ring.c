/*
 * ring: every rank has a link to both neighbours.
 *
 *     rank0 -- rank1 -- rank2 -- rank3 -- (rank0)
 *
 * A message crosses d links to a rank at distance d: alpha = d latency.  The
 * ring is a direct network, like a torus of one dimension: each node has a
 * router beside the processor, so messages pass through nodes, unlike through
 * hosts. The route function is therefore the definition of the routes, not a
 * shortcut for the search: the shorter direction, upwards when both are equal.
 *
 * Servers are between the last rank and rank 0.  Two nodes have a single wire;
 * a single node has no wire.
 */
#include "topo/generators/shape.h"

static const struct cs_shape_rules rules = {
    .name = "ring",
    .max_slots = 1 << 20,
    .has_duplex = true,
};

/* Wire s joins slot s to slot s + 1; two slots have wire 0 only. */
static uint32_t ring_machine_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct cs_generator_shape *shape = ctx;
    uint32_t from = cs_shape_place(shape, src);
    uint32_t to = cs_shape_place(shape, dst);
    uint32_t n = cs_shape_places(shape);
    uint32_t up = (to + n - from) % n;

    if (n == 2) {
        links[0] = from;
        return 1;
    }
    if (up <= n - up) {
        for (uint32_t k = 0; k < up; k++)
            links[k] = 2 * ((from + k) % n);
        return up;
    }
    for (uint32_t k = 0; k < n - up; k++)
        links[k] = 2 * ((from + n - 1 - k) % n) + 1;
    return n - up;
}

static int ring_machine_build(const struct cs_topo_request *request, const char *parameters,
                              struct cs_graph *graph, struct cs_err *err)
{
    struct cs_generator_shape shape;
    uint32_t n;
    uint32_t wires;
    int rc = cs_shape_read(request, &rules, parameters, &shape, err);

    if (rc)
        return rc;
    n = cs_shape_places(&shape);
    wires = n > 2 ? n : n - 1;
    cs_shape_place_all(&shape, graph, wires);
    for (uint32_t s = 0; s < wires; s++)
        cs_shape_wire(&shape, graph, s, (s + 1) % n);
    graph->direct = graph->circles = true;
    graph->about = "links between neighbours; alpha = latency per link";
    cs_shape_finish(&shape, graph, "ring", ring_machine_route, n / 2 ? n / 2 : 1);
    return 0;
}

const struct cs_source cs_source_ring = {
    .name = "ring",
    .usage =
        "ring:ranks=N,bandwidth=RATE,latency=TIME[,gamma=RATE][,overhead=TIME][,duplex=full|half]",
    .about = "links between neighbours, the last joined to the first; alpha = latency per link of "
             "the route",
    .build = ring_machine_build,
};
