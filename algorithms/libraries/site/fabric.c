#include "algorithms/libraries/site/parts.h"

#include "algorithms/bounds/bound.h"
#include "topo/graph/lower.h"

#include <math.h>
#include <string.h>

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
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_bound bound;
    struct cs_net net;

    cs_lower(graph, &net, &scratch);
    bound = cs_bound_of(graph, &net, &request, &scratch);
    return bound.time_s > 0
               ? FABRIC_BYTES * (site->ranks - site->node_ranks) / site->ranks / bound.time_s
               : INFINITY;
}

/* Where a device is, by the first leaf. */
enum fabric_place {
    FABRIC_ELSEWHERE,
    FABRIC_LEAF,     /* has adapters */
    FABRIC_SPINE,    /* at the first leaf */
    FABRIC_POD_LEAF, /* at such a spine */
};

/* Marks `far` in the pass that finds it, from the other end of its wire. */
static void fabric_mark_end(uint32_t near, uint32_t far, uint32_t first, enum fabric_place pass,
                            uint8_t *place)
{
    if (pass == FABRIC_SPINE && near == first && place[far] == FABRIC_ELSEWHERE)
        place[far] = FABRIC_SPINE;
    if (pass == FABRIC_POD_LEAF && place[near] == FABRIC_SPINE && place[far] == FABRIC_LEAF)
        place[far] = FABRIC_POD_LEAF;
}

static void fabric_mark(const struct cs_graph *graph, uint32_t first, enum fabric_place pass,
                        uint8_t *place)
{
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        bool to_a = fabric_is_switch(graph, wire.a), to_b = fabric_is_switch(graph, wire.b);

        if (pass == FABRIC_LEAF && to_a != to_b)
            place[to_a ? wire.a : wire.b] = FABRIC_LEAF;
        if (!to_a || !to_b)
            continue;
        fabric_mark_end(wire.a, wire.b, first, pass, place);
        fabric_mark_end(wire.b, wire.a, first, pass, place);
    }
}

/* The pod of the first leaf as a leaf: its cables down, and those that leave it. */
static struct fabric_leaf fabric_pod_of(const struct cs_graph *graph, uint32_t first)
{
    struct fabric_leaf pod = {.device = first};
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    uint8_t *place = cs_arena_alloc(&scratch, graph->device_count, sizeof(*place));
    uint8_t *is_counted = cs_arena_alloc(&scratch, graph->device_count, sizeof(*is_counted));

    memset(place, FABRIC_ELSEWHERE, graph->device_count);
    memset(is_counted, 0, graph->device_count);
    for (int pass = FABRIC_LEAF; pass <= FABRIC_POD_LEAF; pass++)
        fabric_mark(graph, first, (enum fabric_place)pass, place);
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        bool a_in = place[wire.a] >= FABRIC_SPINE, b_in = place[wire.b] >= FABRIC_SPINE;
        uint32_t out = a_in ? wire.b : wire.a, host = cs_graph_device(graph, out).host;

        if (a_in == b_in)
            continue;
        if (host == CS_NO_HOST) {
            pod.up_Bps += cs_wire_effective(&wire);
            continue;
        }
        pod.down_Bps += cs_wire_effective(&wire);
        pod.nodes += host < graph->device_count && !is_counted[host];
        if (host < graph->device_count)
            is_counted[host] = 1;
    }
    return pod;
}

/* GPUs send to adapters of the same rail (PXN), so that of an adapter's bytes
 * those for nodes of other leaves go up; INFINITY: all fit. */
static double fabric_cut_Bps(const struct cs_site *site, const struct fabric_leaf *leaf)
{
    double leaving = (double)(site->nodes - leaf->nodes) / (site->nodes - 1);

    if (leaf->nodes >= site->nodes || leaf->up_Bps >= leaving * leaf->down_Bps)
        return INFINITY;
    return site->adapter_Bps * site->adapters / site->node_ranks * leaf->up_Bps /
           (leaving * leaf->down_Bps);
}

void cs_site_fabric_read(const struct cs_graph *graph, struct cs_site *site)
{
    struct fabric_leaf leaf;
    double leaf_Bps, pod_Bps = INFINITY;

    if (site->nodes < 2)
        return;
    leaf = fabric_leaf_of(graph);
    if (!(leaf.up_Bps > 0))
        return;
    site->leaf_nodes = leaf.nodes;
    leaf_Bps = fabric_cut_Bps(site, &leaf);
    if (graph->built) {
        struct fabric_leaf pod = fabric_pod_of(graph, leaf.device);

        pod_Bps = fabric_cut_Bps(site, &pod);
        if (pod_Bps < leaf_Bps)
            site->leaf_nodes = pod.nodes;
    }
    site->fabric_Bps = fmin(fabric_bound_Bps(graph, site), fmin(leaf_Bps, pod_Bps));
}
