/*
 * mesh: every rank has a link to every other rank.
 *
 *     rank0 ---- rank1
 *        \      /
 *         rank2                a path is a link: alpha = latency
 *
 * Also a fabric, between the ports of nodes.  Wires are in the order of
 * groups.h.
 */
#include "topo/generators/cluster/groups.h"
#include "topo/generators/shape.h"
#include "topo/graph/fabric.h"

enum {
    SLOTS_MAX = 2048 /* two million wires; their number grows as the square */
};

static const struct cs_shape_rules rules = {
    .name = "mesh",
    .max_slots = SLOTS_MAX,
    .has_duplex = true,
};

static uint32_t mesh_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct cs_generator_shape *shape = ctx;
    uint32_t from = cs_shape_place(shape, src);
    uint32_t to = cs_shape_place(shape, dst);
    uint32_t n = cs_shape_places(shape);

    links[0] = 2 * cs_groups_pair(from, to, n) + (from > to);
    return 1;
}

static int mesh_build(const struct cs_topo_request *request, const char *parameters,
                      struct cs_graph *graph, struct cs_err *err)
{
    struct cs_generator_shape shape;
    uint32_t n;
    int rc = cs_shape_read(request, &rules, parameters, &shape, err);

    if (rc)
        return rc;
    n = cs_shape_places(&shape);
    cs_shape_place_all(&shape, graph, cs_groups_pairs(n));
    for (uint32_t low = 0; low < n; low++)
        for (uint32_t high = low + 1; high < n; high++)
            cs_shape_wire(&shape, graph, low, high);
    graph->about = "a link between every two ranks; alpha = latency";
    cs_shape_finish(&shape, graph, "mesh", mesh_route, 1);
    return 0;
}

static int plan_ports(struct cs_fabric *fabric, struct cs_err *err)
{
    if (fabric->ports > SLOTS_MAX)
        return cs_err_set(err, CS_EINPUT, "a mesh joins at most %d ports, not %u", SLOTS_MAX,
                          fabric->ports);
    fabric->wires = cs_groups_pairs(fabric->ports);
    fabric->max_hops = 1;
    return 0;
}

static void join_ports(const struct cs_fabric *fabric, struct cs_graph *graph, const uint32_t *port,
                       const char *prefix)
{
    (void)prefix;
    for (uint32_t low = 0; low < fabric->ports; low++)
        for (uint32_t high = low + 1; high < fabric->ports; high++)
            cs_fabric_wire(fabric, graph, port[low], port[high]);
}

static uint32_t route_ports(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                            uint32_t *links)
{
    uint32_t wire = cs_groups_pair(src, dst, fabric->ports);

    links[0] = src < dst ? cs_fabric_up(fabric, wire) : cs_fabric_down(fabric, wire);
    return 1;
}

const struct cs_fabric_kind cs_fabric_mesh = {
    .name = "mesh",
    .shape = CS_FABRIC_PLAIN,
    .about = "a link between every two ports, at most 2048",
    .plan = plan_ports,
    .add = join_ports,
    .route = route_ports,
};

const struct cs_source cs_source_mesh = {
    .name = "mesh",
    .usage =
        "mesh:ranks=N,bandwidth=RATE,latency=TIME[,gamma=RATE][,overhead=TIME][,duplex=full|half]",
    .about = "a link between every two ranks (at most 2048); alpha = latency",
    .build = mesh_build,
};
