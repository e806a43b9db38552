/*
 * rail-only and dual-plane: separate networks for the NICs of a node.
 *
 *     rail-only    a network for each NIC; GPUs of different number are joined
 *                  inside the nodes alone: a message changes rails over NVLink
 *                  (PXN, cluster.h).  W. Wang et al., Rail-only: a low-cost
 *                  high-performance network for training LLMs with trillion
 *                  parameters, arXiv 2307.12169.
 *     dual-plane   two networks, NIC i in plane i mod 2: a node survives the loss
 *                  of a plane with the other half of its NICs
 *
 * A network is one switch up to `radix` ports, and a fat tree beyond.
 */
#include "topo/graph/fabric.h"

extern const struct cs_fabric_kind cs_fabric_star;
extern const struct cs_fabric_kind cs_fabric_fat_tree;

enum {
    DEFAULT_RADIX = 64, /* as of fat-tree */
};

static const struct cs_fabric_kind *rail_form(const struct cs_fabric *fabric)
{
    return fabric->tiers == 1 ? &cs_fabric_star : &cs_fabric_fat_tree;
}

static int rail_only_plan(struct cs_fabric *fabric, struct cs_err *err)
{
    if (!fabric->radix)
        fabric->radix = DEFAULT_RADIX;
    if (!fabric->tiers && fabric->ports <= fabric->radix)
        fabric->tiers = 1;
    if (fabric->tiers == 1 && fabric->ports > fabric->radix)
        return cs_err_set(err, CS_EINPUT,
                          "%u ports on a switch of %u; write tiers=2 or a larger radix",
                          fabric->ports, fabric->radix);
    return rail_form(fabric)->plan(fabric, err);
}

static void rail_only_add(const struct cs_fabric *fabric, struct cs_graph *graph,
                          const uint32_t *port, const char *prefix)
{
    rail_form(fabric)->add(fabric, graph, port, prefix);
}

static uint32_t rail_only_route(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                                uint32_t *links)
{
    return rail_form(fabric)->route(fabric, src, dst, links);
}

const struct cs_fabric_kind cs_fabric_rail_only = {
    .name = "rail-only",
    .about = "a switch, or a fat tree beyond radix=K nodes, for each NIC of a node: rails joined "
             "in the nodes alone",
    .shape = CS_FABRIC_TREE,
    .is_per_nic = true,
    .plan = rail_only_plan,
    .add = rail_only_add,
    .route = rail_only_route,
};

const struct cs_fabric_kind cs_fabric_dual_plane = {
    .name = "dual-plane",
    .about = "two switches or fat trees: NIC i of a node is in plane i mod 2",
    .shape = CS_FABRIC_TREE,
    .planes = 2,
    .plan = rail_only_plan,
    .add = rail_only_add,
    .route = rail_only_route,
};
