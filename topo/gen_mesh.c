/*
 * mesh: every rank has a link to every other rank.
 *
 *     rank0 ---- rank1
 *        \      /
 *         rank2                one link is a path: alpha = latency
 */
#include "topo/shape.h"

static const struct cs_shape_rules rules = {
    .name = "mesh",
    .max_seats = 2048, /* two million wires; their number grows as the square */
    .has_duplex = true,
};

/* Wires stand in the order (0,1) (0,2) .. (0,n-1) (1,2) ..; low < high. */
static uint32_t wire_between(uint32_t low, uint32_t high, uint32_t n)
{
    return low * (2 * n - low - 1) / 2 + (high - low - 1);
}

static uint32_t route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct cs_shape *shape = ctx;
    uint32_t from = cs_shape_seat(shape, src);
    uint32_t to = cs_shape_seat(shape, dst);
    uint32_t n = cs_shape_seats(shape);

    links[0] = from < to ? 2 * wire_between(from, to, n)
                         : 2 * wire_between(to, from, n) + 1;
    return 1;
}

static int build(const struct cs_topo_request *request, const char *parameters,
                 struct cs_graph *graph, struct cs_err *err)
{
    struct cs_shape shape;
    uint32_t n;
    int rc = cs_shape_read(request, &rules, parameters, &shape, err);

    if (rc)
        return rc;
    n = cs_shape_seats(&shape);
    cs_shape_seat_all(&shape, graph, n * (n - 1) / 2);
    for (uint32_t low = 0; low < n; low++)
        for (uint32_t high = low + 1; high < n; high++)
            cs_shape_wire(&shape, graph, low, high);
    graph->about = "a link between every two ranks; alpha = latency";
    cs_shape_finish(&shape, graph, "mesh", route, 1);
    return 0;
}

const struct cs_source cs_source_mesh = {
    .name = "mesh",
    .usage = "mesh:ranks=N,bandwidth=RATE,latency=TIME"
             "[,gamma=RATE][,overhead=TIME][,duplex=full|half]",
    .about = "a link between every two ranks (at most 2048); alpha = latency",
    .build = build,
};
