#include "algorithms/libraries/site/parts.h"

#include "algorithms/bounds/bound.h"
#include "topo/graph/lower.h"

#include <math.h>

/* Bytes of a rank at which latency is small. */
#define FABRIC_BYTES ((double)(1u << 30))

static bool fabric_is_switch(const struct cs_graph *graph, uint32_t device)
{
    struct cs_device of = cs_graph_device(graph, device);

    return of.kind == CS_DEVICE_SWITCH && of.host == CS_NO_HOST;
}

/* The switch of the first adapter of the first node. */
struct fabric_leaf {
    uint32_t device; /* UINT32_MAX: no adapter at a switch */
    uint32_t nodes;
    double down_Bps; /* to adapters */
    double up_Bps;   /* to other switches; 0: the network has one level */
};

/* Counts a wire of the leaf; a node's wires follow one another. */
static void fabric_add_wire(const struct cs_graph *graph, const struct cs_wire *wire,
                            struct fabric_leaf *leaf, uint32_t *host)
{
    uint32_t far = cs_wire_far_end(wire, leaf->device);
    uint32_t of = cs_graph_device(graph, far).host;

    if (of == CS_NO_HOST) {
        if (fabric_is_switch(graph, far))
            leaf->up_Bps += cs_wire_effective(wire);
        return;
    }
    leaf->down_Bps += cs_wire_effective(wire);
    leaf->nodes += of != *host;
    *host = of;
}

static struct fabric_leaf fabric_leaf_of(const struct cs_graph *graph)
{
    struct fabric_leaf leaf = {.device = UINT32_MAX};
    uint32_t host = CS_NO_HOST;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        bool to_a = fabric_is_switch(graph, wire.a);

        if (leaf.device == UINT32_MAX && to_a != fabric_is_switch(graph, wire.b))
            leaf.device = to_a ? wire.a : wire.b;
        if (leaf.device != UINT32_MAX && cs_wire_has_end(&wire, leaf.device))
            fabric_add_wire(graph, &wire, &leaf, &host);
    }
    return leaf;
}

static double fabric_bound_Bps(const struct cs_graph *graph, const struct cs_site *site)
{
    const struct cs_bound_request request = {.collective = &cs_collective_alltoall,
                                             .vector_bytes = FABRIC_BYTES};
    struct cs_arena scratch = {0};
    struct cs_bound bound;
    struct cs_net net;

    cs_lower(graph, &net, &scratch);
    bound = cs_bound_of(graph, &net, &request, &scratch);
    cs_arena_free(&scratch);
    return bound.time_s > 0
               ? FABRIC_BYTES * (site->ranks - site->node_ranks) / site->ranks / bound.time_s
               : INFINITY;
}

/* GPUs send to adapters of the same rail (PXN), so that of an adapter's bytes
 * those for nodes of other leaves go up. */
void cs_site_fabric_read(const struct cs_graph *graph, struct cs_site *site)
{
    struct fabric_leaf leaf;
    double leaving;

    if (site->nodes < 2)
        return;
    leaf = fabric_leaf_of(graph);
    if (!(leaf.up_Bps > 0))
        return;
    site->leaf_nodes = leaf.nodes;
    site->fabric_Bps = fabric_bound_Bps(graph, site);
    leaving = (double)(site->nodes - leaf.nodes) / (site->nodes - 1);
    if (leaf.nodes < site->nodes && leaf.up_Bps < leaving * leaf.down_Bps)
        site->fabric_Bps =
            fmin(site->fabric_Bps, site->adapter_Bps * site->adapters / site->node_ranks *
                                       leaf.up_Bps / (leaving * leaf.down_Bps));
}
