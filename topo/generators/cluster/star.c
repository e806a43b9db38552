/*
 * star and rail: every port on a single non-blocking switch.
 *
 * A rail-optimised cluster has a star per NIC of a node: NIC i of every node is
 * on switch i.  GPUs with equal numbers are a switch apart; a message to
 * another number changes rails inside the node (cluster.h).
 */
#include "topo/graph/fabric.h"

static int star_plan(struct cs_fabric *fabric, struct cs_err *err)
{
    (void)err;
    fabric->devices = 1;
    fabric->wires = fabric->ports;
    fabric->max_hops = 2;
    return 0;
}

static void star_add(const struct cs_fabric *fabric, struct cs_graph *graph, const uint32_t *port,
                     const char *prefix)
{
    cs_fabric_switch(fabric, graph, prefix, "switch", 0);
    for (uint32_t p = 0; p < fabric->ports; p++)
        cs_fabric_wire(fabric, graph, port[p], fabric->first_device);
}

static uint32_t star_route(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                           uint32_t *links)
{
    links[0] = cs_fabric_up(fabric, src);
    links[1] = cs_fabric_down(fabric, dst);
    return 2;
}

const struct cs_fabric_kind cs_fabric_star = {
    .name = "star",
    .about = "one switch that never blocks",
    .is_star = true,
    .plan = star_plan,
    .add = star_add,
    .route = star_route,
};

const struct cs_fabric_kind cs_fabric_rail = {
    .name = "rail",
    .about = "a star for each NIC of a node: rail-optimised",
    .is_per_nic = true,
    .is_star = true,
    .plan = star_plan,
    .add = star_add,
    .route = star_route,
};
