/*
 * mesh: a link between every two ports; wires are in the order of groups.h.
 */
#include "topo/generators/cluster/groups.h"
#include "topo/graph/fabric.h"

static int mesh_plan(struct cs_fabric *fabric, struct cs_err *err)
{
    if (fabric->ports > CS_GROUPS_MESH_MAX)
        return cs_err_set(err, CS_EINPUT, "a mesh joins at most %d ports, not %u",
                          CS_GROUPS_MESH_MAX, fabric->ports);
    fabric->wires = cs_groups_pairs(fabric->ports);
    fabric->max_hops = 1;
    return 0;
}

static void mesh_add(const struct cs_fabric *fabric, struct cs_graph *graph, const uint32_t *port,
                     const char *prefix)
{
    (void)prefix;
    for (uint32_t low = 0; low < fabric->ports; low++)
        for (uint32_t high = low + 1; high < fabric->ports; high++)
            cs_fabric_wire(fabric, graph, port[low], port[high]);
}

static uint32_t mesh_route(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
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
    .plan = mesh_plan,
    .add = mesh_add,
    .route = mesh_route,
};
