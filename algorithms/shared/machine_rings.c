#include "algorithms/shared/machine_rings.h"

#include "algorithms/shared/ring_join.h"
#include "algorithms/shared/ring_load.h"

#include <math.h>

enum {
    PAIRS_MAX = 1 << 19 /* pairs of end ranks over all nodes and rings */
};

/* Joins `count` rings and keeps the better of the result and *best. */
static void keep_better(const struct cs_ring_nodes *nodes,
                        struct cs_node_rings local, uint32_t count,
                        struct cs_arena *arena, const struct cs_rings **best)
{
    const struct cs_rings *rings = cs_rings_join(nodes, local, count, arena);

    if (cs_rings_rate_Bps(rings) > cs_rings_rate_Bps(*best) * CS_RING_ROUNDING)
        *best = rings;
}

/* Upper limit of the rate of any set of rings: the slowest links of the routes
 * out of the first node, each link counted once. */
static double exit_rate(const struct cs_ring_nodes *nodes,
                        struct cs_arena *scratch)
{
    const struct cs_net *net = nodes->net;
    bool *seen = cs_arena_alloc(scratch, net->resource_count, sizeof(*seen));
    double sum_Bps = 0;
    uint32_t i, k;

    for (i = 0; i < nodes->group; i++) {
        uint32_t hops =
            net->route(net->route_ctx, i, nodes->group + i, nodes->links);
        struct cs_net_link slowest = {.rate_Bps = (double)INFINITY};

        for (k = 0; k < hops; k++) {
            struct cs_net_link link = cs_net_link_at(net, nodes->links[k]);

            if (link.rate_Bps < slowest.rate_Bps)
                slowest = link;
        }
        if (hops && !seen[slowest.resource])
            sum_Bps += slowest.rate_Bps;
        seen[slowest.resource] = true;
    }
    return sum_Bps;
}

/* The number of rings with the highest rate.  First the number of local rings,
 * doubled while more adapters than local rings carry more; then, until the rate
 * reaches the limit, every number up to twice the local one: lost or slow
 * adapters make odd numbers the best. */
static const struct cs_rings *join_best(const struct cs_ring_nodes *nodes,
                                        struct cs_node_rings local,
                                        struct cs_arena *arena)
{
    struct cs_node_rings cut = {local.order, local.count, false};
    const struct cs_rings *rings = cs_rings_join(nodes, cut, cut.count, arena);
    uint32_t count = local.count;
    struct cs_arena scratch = {0};
    double limit_Bps;

    if (nodes->group == nodes->ranks)
        return rings;
    while (count == rings->count && 2 * count <= CS_RINGS_MAX) {
        count *= 2;
        keep_better(nodes, cut, count, arena, &rings);
    }
    limit_Bps = exit_rate(nodes, &scratch);
    cs_arena_free(&scratch);
    for (count = 1; count <= 2 * local.count && count <= CS_RINGS_MAX &&
                    cs_rings_rate_Bps(rings) * CS_RING_ROUNDING < limit_Bps;
         count++) {
        if (local.any_order)
            keep_better(nodes, local, count, arena, &rings);
        keep_better(nodes, cut, count, arena, &rings);
    }
    return rings;
}

/* Whether strides over all ranks, without regard to nodes, carry more. */
static bool strides_are_better(const struct cs_ring_nodes *nodes,
                               const struct cs_rings *rings,
                               struct cs_arena *scratch)
{
    uint32_t *order = cs_arena_alloc(
        scratch, (size_t)CS_STRIDES_MAX * nodes->ranks, sizeof(*order));
    uint32_t count = cs_rings_of_strides(nodes->ranks, order);

    return cs_rings_rate_Bps(cs_rings_of_orders(nodes->net, nodes->ranks, count,
                                                order, scratch)) >
           cs_rings_rate_Bps(rings) * CS_RING_ROUNDING;
}

static const struct cs_rings *rings_of_nodes(const struct cs_ring_nodes *nodes,
                                             struct cs_arena *scratch,
                                             struct cs_arena *arena)
{
    uint32_t n = nodes->group;
    struct cs_node_rings local = {
        .order = cs_arena_alloc(scratch, (size_t)CS_RINGS_MAX * n,
                                sizeof(uint32_t))};
    const struct cs_rings *rings;

    local.count = cs_rings_of_wires(nodes, local.order, scratch);
    if (local.count)
        return join_best(nodes, local, arena);
    if (n == nodes->ranks)
        return NULL;
    local.count = cs_rings_of_strides(n, local.order);
    local.any_order = (uint64_t)n * nodes->ranks * local.count <= PAIRS_MAX;
    rings = join_best(nodes, local, arena);
    return strides_are_better(nodes, rings, scratch) ? NULL : rings;
}

const struct cs_rings *cs_rings_of_machine(const struct cs_net *net,
                                           uint32_t ranks, uint32_t group,
                                           struct cs_arena *arena)
{
    struct cs_arena scratch = {0};
    struct cs_ring_nodes nodes;
    const struct cs_rings *rings;

    if (group < 2)
        group = ranks;
    if (ranks > CS_RINGS_RANKS_MAX || group > CS_RINGS_GROUP_MAX || group < 2)
        return NULL;
    nodes = cs_ring_nodes_of(net, ranks, group, &scratch);
    rings = rings_of_nodes(&nodes, &scratch, arena);
    cs_arena_free(&scratch);
    return rings;
}
