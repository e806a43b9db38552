#include "algorithms/shared/node_rings.h"

#include "algorithms/shared/pattern.h"
#include "algorithms/shared/ring_load.h"
#include "algorithms/shared/ring_search.h"

#include <string.h>

enum {
    LANE_RATES_MAX = 8, /* rates of a lane that the search tries */
    NO_LINK = UINT32_MAX
};

/* The link from a to b, or NO_LINK where the route has several wires. */
static uint32_t direct_link(const struct cs_ring_nodes *nodes, uint32_t a,
                            uint32_t b)
{
    const struct cs_net *net = nodes->net;
    uint32_t hops = net->route(net->route_ctx, a, b, nodes->links);
    uint32_t i;

    for (i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, nodes->links[i]);

        if (link.from == cs_net_party_at(net, a).node &&
            link.to == cs_net_party_at(net, b).node)
            return nodes->links[i];
    }
    return NO_LINK;
}

/* Rate of the wire from a to b; 0 without a wire, and for a wire that both
 * directions share: opposite rings would contend there. */
static double direct_Bps(const struct cs_ring_nodes *nodes, uint32_t a,
                         uint32_t b)
{
    uint32_t there = direct_link(nodes, a, b);
    uint32_t back = direct_link(nodes, b, a);
    struct cs_net_link link;

    if (there == NO_LINK)
        return 0;
    link = cs_net_link_at(nodes->net, there);
    if (link.down ||
        (back != NO_LINK &&
         cs_net_link_at(nodes->net, back).resource == link.resource))
        return 0;
    return link.rate_Bps;
}

/* The slowest wire from a to b over all nodes; 0 if a node has no such wire. */
static double common_Bps(const struct cs_ring_nodes *nodes, uint32_t a,
                         uint32_t b)
{
    double least_Bps = direct_Bps(nodes, a, b);
    uint32_t first;

    for (first = nodes->group; first < nodes->ranks && least_Bps > 0;
         first += nodes->group) {
        double rate_Bps = direct_Bps(nodes, first + a, first + b);

        least_Bps = rate_Bps < least_Bps ? rate_Bps : least_Bps;
    }
    return least_Bps;
}

struct cs_ring_nodes cs_ring_nodes_of(const struct cs_net *net, uint32_t ranks,
                                      uint32_t group, struct cs_arena *arena)
{
    size_t n = group;
    struct cs_ring_nodes nodes = {
        .net = net,
        .ranks = ranks,
        .group = group,
        .rate_Bps = cs_arena_alloc(arena, n * n, sizeof(double)),
        .links = cs_arena_alloc(arena, net->max_hops + 1, sizeof(uint32_t)),
    };
    uint32_t a, b;

    for (a = 0; a < n; a++)
        for (b = 0; b < n; b++)
            if (a != b)
                nodes.rate_Bps[a * n + b] = common_Bps(&nodes, a, b);
    return nodes;
}

/* The next faster rate of a wire, or 0. */
static double next_lane_rate(const struct cs_ring_nodes *nodes,
                             double after_Bps)
{
    size_t pairs = (size_t)nodes->group * nodes->group;
    double next_Bps = 0;
    size_t i;

    for (i = 0; i < pairs; i++)
        if (nodes->rate_Bps[i] > after_Bps * CS_RING_ROUNDING &&
            (next_Bps <= 0 || nodes->rate_Bps[i] < next_Bps))
            next_Bps = nodes->rate_Bps[i];
    return next_Bps;
}

/* Rings over lanes of one rate: a wire of twice the rate is two lanes. */
static uint32_t rings_search(const struct cs_ring_nodes *nodes, double lane_Bps,
                             uint32_t *lanes, uint32_t *order)
{
    struct cs_ring_lanes wires = {nodes->group, lanes};
    size_t pairs = (size_t)nodes->group * nodes->group;
    size_t i;

    for (i = 0; i < pairs; i++) {
        double width = nodes->rate_Bps[i] / lane_Bps * CS_RING_ROUNDING;

        lanes[i] = width < CS_RINGS_MAX ? (uint32_t)width : CS_RINGS_MAX;
    }
    return cs_ring_search(&wires, CS_RINGS_MAX, order);
}

uint32_t cs_rings_of_wires(const struct cs_ring_nodes *nodes, uint32_t *order,
                           struct cs_arena *scratch)
{
    size_t n = nodes->group;
    uint32_t *lanes = cs_arena_alloc(scratch, n * n, sizeof(*lanes));
    uint32_t *tried = cs_arena_alloc(scratch, CS_RINGS_MAX * n, sizeof(*tried));
    double lane_Bps = 0, best_Bps = 0;
    uint32_t best = 0;
    uint32_t i;

    for (i = 0; i < LANE_RATES_MAX; i++) {
        uint32_t count;

        lane_Bps = next_lane_rate(nodes, lane_Bps);
        if (lane_Bps <= 0)
            break;
        count = rings_search(nodes, lane_Bps, lanes, tried);
        if (count * lane_Bps <= best_Bps * CS_RING_ROUNDING)
            continue;
        best = count;
        best_Bps = count * lane_Bps;
        memcpy(order, tried, count * n * sizeof(*order));
    }
    return best;
}

uint32_t cs_rings_of_strides(uint32_t n, uint32_t *order)
{
    uint32_t count = n < CS_STRIDES_MAX ? n : CS_STRIDES_MAX;
    uint32_t c, i;

    for (c = 0; c < count; c++) {
        uint64_t step = cs_stride_step(n, c);

        for (i = 0; i < n; i++)
            order[c * n + i] = (uint32_t)(i * step % n);
    }
    return count;
}
