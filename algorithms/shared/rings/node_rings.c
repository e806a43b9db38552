#include "algorithms/shared/rings/node_rings.h"

#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/rings/load.h"
#include "algorithms/shared/rings/search.h"

#include <string.h>

enum {
    LANE_RATES_MAX = 8, /* rates of a lane that the search tries */
    HALVES = 2,         /* whole lanes, then half lanes */
    NO_LINK = UINT32_MAX,
    NO_SLOT = UINT32_MAX
};

/* The link from slot a to slot b, or NO_LINK where the route has several wires. */
static uint32_t direct_link(const struct cs_ring_nodes *nodes, uint32_t slot_a, uint32_t slot_b)
{
    uint32_t a = nodes->rank[slot_a];
    uint32_t b = nodes->rank[slot_b];
    const struct cs_net *net = nodes->net;
    uint32_t hops = net->route(net->route_ctx, a, b, nodes->links);

    for (uint32_t i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, nodes->links[i]);

        if (link.from == cs_net_party_at(net, a).node && link.to == cs_net_party_at(net, b).node)
            return nodes->links[i];
    }
    return NO_LINK;
}

/* Rate of the wire from a to b; 0 without a wire, and for a wire that both
 * directions share: opposite rings would contend there. */
static double direct_Bps(const struct cs_ring_nodes *nodes, uint32_t a, uint32_t b)
{
    uint32_t there = direct_link(nodes, a, b);
    uint32_t back = direct_link(nodes, b, a);
    struct cs_net_link link;

    if (there == NO_LINK)
        return 0;
    link = cs_net_link_at(nodes->net, there);
    if (link.down ||
        (back != NO_LINK && cs_net_link_at(nodes->net, back).resource == link.resource))
        return 0;
    return link.rate_Bps;
}

/* The slowest wire from a to b over all nodes; 0 if a node has no such wire. */
static double common_Bps(const struct cs_ring_nodes *nodes, uint32_t a, uint32_t b)
{
    double least_Bps = direct_Bps(nodes, a, b);
    uint32_t first;

    for (first = nodes->group; first < nodes->ranks && least_Bps > 0; first += nodes->group) {
        double rate_Bps = direct_Bps(nodes, first + a, first + b);

        least_Bps = rate_Bps < least_Bps ? rate_Bps : least_Bps;
    }
    return least_Bps;
}

/* Numbers the devices of the first node by the first slot on the device, and
 * the devices of all other nodes NO_SLOT. */
static uint32_t *slots_by_device(const struct cs_ring_nodes *nodes, uint32_t *devices,
                                 struct cs_arena *scratch)
{
    uint32_t *slot;

    *devices = 0;
    for (uint32_t i = 0; i < nodes->group; i++) {
        uint32_t device = cs_net_party_at(nodes->net, nodes->rank[i]).node;

        *devices = device >= *devices ? device + 1 : *devices;
    }
    slot = cs_arena_alloc(scratch, *devices, sizeof(*slot));
    for (uint32_t i = 0; i < *devices; i++)
        slot[i] = NO_SLOT;
    for (uint32_t i = nodes->group; i-- > 0;)
        slot[cs_net_party_at(nodes->net, nodes->rank[i]).node] = i;
    return slot;
}

/* Marks the pairs of slots of the first node whose devices a link joins: only
 * these pairs can have a wire, so that no other route is computed. */
static bool *find_joined(const struct cs_ring_nodes *nodes, struct cs_arena *scratch)
{
    size_t n = nodes->group;
    bool *joined = cs_arena_alloc(scratch, n * n, sizeof(*joined));
    uint32_t devices, i;
    const uint32_t *slot = slots_by_device(nodes, &devices, scratch);

    for (i = 0; i < nodes->net->link_count; i++) {
        struct cs_net_link link = cs_net_link_at(nodes->net, i);

        if (link.from < devices && link.to < devices && slot[link.from] != NO_SLOT &&
            slot[link.to] != NO_SLOT)
            joined[slot[link.from] * n + slot[link.to]] = true;
    }
    return joined;
}

struct cs_ring_nodes cs_ring_nodes_of(const struct cs_net *net, uint32_t ranks, uint32_t group,
                                      const uint32_t *rank, struct cs_arena *arena)
{
    size_t n = group;
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    struct cs_ring_nodes nodes = {
        .net = net,
        .ranks = ranks,
        .group = group,
        .rank = rank,
        .rate_Bps = cs_arena_alloc(arena, n * n, sizeof(double)),
        .links = cs_arena_alloc(arena, net->max_hops + 1, sizeof(uint32_t)),
    };
    const bool *joined = find_joined(&nodes, &scratch);

    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            if (a != b && joined[a * n + b])
                nodes.rate_Bps[a * n + b] = common_Bps(&nodes, a, b);
    return nodes;
}

/* The next faster rate of a wire, or 0. */
static double next_lane_rate(const struct cs_ring_nodes *nodes, double after_Bps)
{
    size_t pairs = (size_t)nodes->group * nodes->group;
    double next_Bps = 0;

    for (size_t i = 0; i < pairs; i++)
        if (nodes->rate_Bps[i] > after_Bps * CS_RING_ROUNDING &&
            (next_Bps <= 0 || nodes->rate_Bps[i] < next_Bps))
            next_Bps = nodes->rate_Bps[i];
    return next_Bps;
}

/* Fills the lanes of one rate (a wire of twice the rate is two lanes), and
 * returns an upper limit of the number of rings. */
static uint32_t rings_at_most(const struct cs_ring_nodes *nodes, double lane_Bps, uint32_t *lanes)
{
    struct cs_ring_lanes wires = {.nodes = nodes->group, .lanes = lanes};
    size_t pairs = (size_t)nodes->group * nodes->group;

    for (size_t i = 0; i < pairs; i++) {
        double width = nodes->rate_Bps[i] / lane_Bps * CS_RING_ROUNDING;

        lanes[i] = width < CS_RINGS_MAX ? (uint32_t)width : CS_RINGS_MAX;
    }
    return cs_ring_search_at_most(&wires, CS_RINGS_MAX);
}

/* Ring after ring; then, if `most` are not reached, all at once. */
static uint32_t rings_search(const struct cs_ring_nodes *nodes, const uint32_t *lanes,
                             uint32_t most, uint32_t *order, struct cs_arena *scratch)
{
    struct cs_ring_lanes wires = {nodes->group, lanes, nodes->net->monitor};
    size_t size = (size_t)most * nodes->group;
    uint32_t *swapped = cs_arena_alloc(scratch, size, sizeof(*swapped));
    uint32_t count = cs_ring_search(&wires, most, order);
    uint32_t other = count < most ? cs_ring_swap(&wires, most, swapped) : 0;

    if (other <= count)
        return count;
    memcpy(order, swapped, (size_t)other * nodes->group * sizeof(*order));
    return other;
}

/* The best rings so far. */
struct wire_rings {
    uint32_t count;
    double rate_Bps; /* of all rings */
};

/* Tries lanes of 1/divisor of every rate; keeps the rings if these carry
 * more. */
static void try_lanes(const struct cs_ring_nodes *nodes, uint32_t divisor, struct wire_rings *best,
                      uint32_t *order, struct cs_arena *scratch)
{
    size_t n = nodes->group;
    uint32_t *lanes = cs_arena_alloc(scratch, n * n, sizeof(*lanes));
    uint32_t *tried = cs_arena_alloc(scratch, CS_RINGS_MAX * n, sizeof(*tried));
    double wire_Bps = 0;

    for (uint32_t i = 0; i < LANE_RATES_MAX; i++) {
        double lane_Bps;
        uint32_t most, count;

        wire_Bps = next_lane_rate(nodes, wire_Bps);
        if (wire_Bps <= 0)
            break;
        lane_Bps = wire_Bps / divisor;
        most = rings_at_most(nodes, lane_Bps, lanes);
        if (most * lane_Bps <= best->rate_Bps * CS_RING_ROUNDING)
            continue;
        count = rings_search(nodes, lanes, most, tried, scratch);
        if (count * lane_Bps <= best->rate_Bps * CS_RING_ROUNDING)
            continue;
        best->count = count;
        best->rate_Bps = count * lane_Bps;
        memcpy(order, tried, count * n * sizeof(*tried));
    }
}

uint32_t cs_rings_of_wires(const struct cs_ring_nodes *nodes, double enough_Bps, uint32_t *order,
                           struct cs_arena *scratch)
{
    struct wire_rings best = {0};
    uint32_t divisor;

    for (divisor = 1; divisor <= HALVES && best.rate_Bps * CS_RING_ROUNDING < enough_Bps; divisor++)
        try_lanes(nodes, divisor, &best, order, scratch);
    return best.count;
}

uint32_t cs_rings_of_strides(uint32_t n, uint32_t *order)
{
    uint32_t count = n < CS_STRIDES_MAX ? n : CS_STRIDES_MAX;

    for (uint32_t c = 0; c < count; c++) {
        uint64_t step = cs_stride_step(n, c);

        for (uint32_t i = 0; i < n; i++)
            order[c * n + i] = (uint32_t)(i * step % n);
    }
    return count;
}
