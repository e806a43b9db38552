#include "algorithms/libraries/site_rings.h"

#include "algorithms/libraries/site_paths.h"
#include "algorithms/shared/near_order.h"
#include "algorithms/shared/ring_load.h"
#include "topo/graph/lower.h"

enum {
    NEAR_ORDER_MAX = 256 /* ranks; beyond, the order of the ranks */
};

/* Rings of a node: count x n slots in `order`. */
struct site_rings {
    const struct cs_site_node *node;
    struct cs_net net;
    uint32_t *order;
    uint32_t n, count;
};

static void site_find_rings(struct site_rings *rings, double link_Bps,
                            struct cs_arena *arena)
{
    uint32_t *rank = cs_arena_alloc(arena, rings->n, sizeof(*rank));
    struct cs_ring_nodes nodes;

    rings->order = cs_arena_alloc(arena, (size_t)rings->n * CS_RINGS_MAX,
                                  sizeof(*rings->order));
    for (uint32_t i = 0; i < rings->n; i++)
        rank[i] = rings->order[i] = i;
    nodes = cs_ring_nodes_of(&rings->net, rings->n, rings->n, rank, arena);
    if (link_Bps > 0)
        rings->count = cs_rings_of_wires(&nodes, link_Bps, rings->order, arena);
    if (rings->count)
        return;
    rings->count = 1;
    if (rings->n <= NEAR_ORDER_MAX)
        cs_near_order(&nodes, rings->order, arena);
}

/* Bytes per second of all rings, by the busiest wire; 0 for ranks without a
 * route inside the node. */
static double site_rings_rate(const struct site_rings *rings,
                              struct cs_arena *arena)
{
    struct cs_ring_tally tally = cs_ring_tally_new(&rings->net, arena);
    uint32_t n = rings->n;

    for (uint32_t i = 0; i < rings->count * n; i++) {
        const uint32_t *ring = rings->order + (size_t)(i / n) * n;
        struct cs_ring_step step = {ring[i % n], ring[(i + 1) % n]};

        if (rings->net.route(rings->net.route_ctx, step.from, step.to,
                             tally.links) == 0)
            return 0;
        cs_ring_tally_add(&tally, step, 1);
    }
    return tally.busiest_s_per_byte > 0
               ? rings->count / tally.busiest_s_per_byte
               : 0;
}

/* The worst class between neighbours of all rings. */
static enum cs_site_path site_rings_path(const struct site_rings *rings)
{
    const struct cs_graph *graph = &rings->node->graph;
    uint32_t n = rings->n;
    enum cs_site_path worst = CS_PATH_LOCAL;

    for (uint32_t slot = 0; slot < n; slot++) {
        uint32_t from = graph->rank_device[slot];
        struct cs_arena scratch = {0};
        const struct cs_site_route *routes =
            cs_site_routes_from(rings->node, from, &scratch);

        for (uint32_t i = 0; i < rings->count * n; i++) {
            const uint32_t *ring = rings->order + (size_t)(i / n) * n;
            enum cs_site_path path;

            if (ring[i % n] != slot)
                continue;
            path = cs_site_path_of_gpus(rings->node, from,
                                        graph->rank_device[ring[(i + 1) % n]],
                                        routes);
            worst = path > worst ? path : worst;
        }
        cs_arena_free(&scratch);
    }
    return worst;
}

void cs_site_rings_read(const struct cs_site_node *node, struct cs_arena *arena,
                        struct cs_site *site)
{
    struct site_rings rings = {.node = node, .n = node->graph.rank_count};

    site->gpu_path = CS_PATH_LOCAL;
    site->ring_Bps = 0;
    if (rings.n < 2)
        return;
    if (site->has_switch) {
        site->gpu_path = CS_PATH_LINKS;
        site->ring_Bps = site->link_Bps;
        return;
    }
    cs_lower(&node->graph, &rings.net, arena);
    site_find_rings(&rings, site->link_Bps, arena);
    site->ring_Bps = site_rings_rate(&rings, arena);
    site->gpu_path = site_rings_path(&rings);
}
