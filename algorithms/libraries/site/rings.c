#include "algorithms/libraries/site/parts.h"

#include "algorithms/shared/rings/load.h"
#include "algorithms/shared/rings/node_rings.h"
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

/* Beside links of a part of the GPUs, the ring in the other direction: its steps over PCIe
 * leave by the GPUs at which those of the first arrive. */
static void site_add_reverse(struct site_rings *rings)
{
    uint32_t n = rings->n;

    for (uint32_t i = 0; i < n; i++)
        rings->order[n + i] = rings->order[n - 1 - i];
    rings->count = 2;
}

static void site_find_rings(struct site_rings *rings, double link_Bps, struct cs_arena *arena)
{
    uint32_t *rank = cs_arena_alloc(arena, rings->n, sizeof(*rank));
    struct cs_ring_nodes nodes;

    rings->order = cs_arena_alloc(arena, (size_t)rings->n * CS_RINGS_MAX, sizeof(*rings->order));
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
    if (link_Bps > 0)
        site_add_reverse(rings);
}

/* Bytes per second of all rings, by the busiest wire; 0 for ranks without a
 * route inside the node. */
static double site_rings_rate(const struct site_rings *rings, struct cs_arena *arena)
{
    struct cs_ring_tally tally = cs_ring_tally_new(&rings->net, arena);
    uint32_t n = rings->n;

    for (uint32_t i = 0; i < rings->count * n; i++) {
        const uint32_t *ring = rings->order + (size_t)(i / n) * n;
        struct cs_ring_step step = {ring[i % n], ring[(i + 1) % n]};

        if (rings->net.route(rings->net.route_ctx, step.from, step.to, tally.links) == 0)
            return 0;
        cs_ring_tally_add(&tally, step, 1);
    }
    return tally.busiest_s_per_byte > 0 ? rings->count / tally.busiest_s_per_byte : 0;
}

/* The rank whose links to both ends carry the least; UINT32_MAX without. */
static uint32_t site_relay_of(const struct site_rings *rings, const struct cs_ring_tally *tally,
                              struct cs_ring_step step)
{
    const struct cs_graph *graph = &rings->node->graph;
    const uint32_t *device = graph->rank_device;
    struct cs_route_load least = {0};
    uint32_t best = UINT32_MAX;

    for (uint32_t by = 0; by < rings->n; by++) {
        struct cs_route_load in, out;

        if (!cs_site_has_link(graph, device[step.from], device[by]) ||
            !cs_site_has_link(graph, device[by], device[step.to]))
            continue;
        in = cs_route_load_with(tally, (struct cs_ring_step){step.from, by});
        out = cs_route_load_with(tally, (struct cs_ring_step){by, step.to});
        in = cs_route_load_less(in, out) ? out : in;
        if (best == UINT32_MAX || cs_route_load_less(in, least)) {
            best = by;
            least = in;
        }
    }
    return best;
}

/* Adds a message between two ranks: by their own links, through a GPU between
 * (NVB), or by the shortest route.  False without a route. */
static bool site_add_message(const struct site_rings *rings, struct cs_ring_tally *tally,
                             struct cs_ring_step step)
{
    const struct cs_graph *graph = &rings->node->graph;
    uint32_t by = UINT32_MAX;

    if (!cs_site_has_link(graph, graph->rank_device[step.from], graph->rank_device[step.to]))
        by = site_relay_of(rings, tally, step);
    if (by != UINT32_MAX) {
        cs_ring_tally_add(tally, (struct cs_ring_step){step.from, by}, 1);
        cs_ring_tally_add(tally, (struct cs_ring_step){by, step.to}, 1);
        return true;
    }
    if (rings->net.route(rings->net.route_ctx, step.from, step.to, tally->links) == 0)
        return false;
    cs_ring_tally_add(tally, step, 1);
    return true;
}

/* Bytes per second of a sender while the first `senders` ranks send to the
 * `peers` ranks after them at once, by the busiest wire; 0 for ranks without a
 * route inside the node. */
static double site_peers_rate(const struct site_rings *rings, uint32_t senders, uint32_t peers,
                              struct cs_arena *arena)
{
    struct cs_ring_tally tally = cs_ring_tally_new(&rings->net, arena);
    uint32_t n = rings->n;

    for (uint32_t i = 0; i < senders * peers; i++) {
        uint32_t from = i / peers;
        uint32_t to = (from + i % peers + 1) % n;

        if (!site_add_message(rings, &tally, (struct cs_ring_step){from, to}))
            return 0;
    }
    return tally.busiest_s_per_byte > 0 ? peers / tally.busiest_s_per_byte : 0;
}

/* The worst class between neighbours of all rings. */
static enum cs_site_path site_rings_path(const struct site_rings *rings)
{
    const struct cs_graph *graph = &rings->node->graph;
    uint32_t n = rings->n;
    enum cs_site_path worst = CS_PATH_LOCAL;

    for (uint32_t slot = 0; slot < n; slot++) {
        uint32_t from = graph->rank_device[slot];
        CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
        const struct cs_site_route *routes = cs_site_routes_from(rings->node, from, &scratch);

        for (uint32_t i = 0; i < rings->count * n; i++) {
            const uint32_t *ring = rings->order + (size_t)(i / n) * n;
            enum cs_site_path path;

            if (ring[i % n] != slot)
                continue;
            path = cs_site_path_of_gpus(rings->node, from, graph->rank_device[ring[(i + 1) % n]],
                                        routes);
            worst = path > worst ? path : worst;
        }
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
        site->exchange_Bps = site->next_Bps = site->root_Bps = site->link_Bps;
        return;
    }
    cs_lower(&node->graph, &rings.net, arena);
    site_find_rings(&rings, site->link_Bps, arena);
    site->ring_Bps = site_rings_rate(&rings, arena);
    site->gpu_path = site_rings_path(&rings);
    site->next_Bps = site_peers_rate(&rings, rings.n, 1, arena);
    site->root_Bps = site_peers_rate(&rings, 1, rings.n - 1, arena);
    if (rings.n <= NEAR_ORDER_MAX)
        site->exchange_Bps = site_peers_rate(&rings, rings.n, rings.n - 1, arena);
}
