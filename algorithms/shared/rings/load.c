#include "algorithms/shared/rings/load.h"

enum {
    KEPT_MAX = 64 /* parties between which routes are kept */
};

/* What a step passes. */
struct cs_ring_route {
    uint32_t hops;
    bool is_wire; /* a single one; links from a device to itself are software */
    struct route_link {
        uint32_t resource;
        double rate_Bps;
    } link[];
};

static size_t tally_bytes(uint32_t hops)
{
    return sizeof(struct cs_ring_route) + (hops + 1) * sizeof(struct route_link);
}

struct cs_ring_tally cs_ring_tally_new(const struct cs_net *net, struct cs_arena *arena)
{
    uint32_t kept = net->party_count <= KEPT_MAX ? net->party_count : 0;

    return (struct cs_ring_tally){
        .net = net,
        .links = cs_arena_alloc(arena, net->max_hops + 1, sizeof(uint32_t)),
        .route = cs_arena_alloc(arena, 1, tally_bytes(net->max_hops)),
        .kept = cs_arena_alloc(arena, (size_t)kept * kept, sizeof(struct cs_ring_route *)),
        .kept_parties = kept,
        .arena = arena,
        .resource_s_per_byte = cs_arena_alloc(arena, net->resource_count, sizeof(double)),
        .slowest_Bps = 1e300,
    };
}

/* Valid until the next call, or kept: a search asks for the same routes again and again. */
static const struct cs_ring_route *tally_route(const struct cs_ring_tally *tally,
                                               struct cs_ring_step step)
{
    const struct cs_net *net = tally->net;
    uint32_t count = tally->kept_parties;
    bool keeps = step.from < count && step.to < count;
    struct cs_ring_route *route = tally->route;
    uint32_t wires = 0;
    uint32_t hops;

    if (keeps && tally->kept[step.from * count + step.to])
        return tally->kept[step.from * count + step.to];
    hops = net->route(net->route_ctx, step.from, step.to, tally->links);
    if (keeps) {
        route = cs_arena_alloc(tally->arena, 1, tally_bytes(hops));
        tally->kept[step.from * count + step.to] = route;
    }
    for (uint32_t i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, tally->links[i]);

        route->link[i] = (struct route_link){link.resource, link.rate_Bps};
        wires += link.from != link.to;
    }
    route->hops = hops;
    route->is_wire = wires == 1;
    return route;
}

void cs_ring_tally_add(struct cs_ring_tally *tally, struct cs_ring_step step, double rings)
{
    const struct cs_ring_route *route = tally_route(tally, step);

    for (uint32_t i = 0; i < route->hops; i++) {
        double *load_s = &tally->resource_s_per_byte[route->link[i].resource];

        *load_s += rings / route->link[i].rate_Bps;
        if (*load_s > tally->busiest_s_per_byte)
            tally->busiest_s_per_byte = *load_s;
        if (route->link[i].rate_Bps < tally->slowest_Bps)
            tally->slowest_Bps = route->link[i].rate_Bps;
    }
    tally->switched += !route->is_wire;
}

struct cs_route_load cs_route_load_with(const struct cs_ring_tally *tally, struct cs_ring_step step)
{
    const struct cs_ring_route *route = tally_route(tally, step);
    struct cs_route_load load = {0};

    for (uint32_t i = 0; i < route->hops; i++) {
        double load_s =
            tally->resource_s_per_byte[route->link[i].resource] + 1 / route->link[i].rate_Bps;

        load.busiest_s = load_s > load.busiest_s ? load_s : load.busiest_s;
        load.sum_s += load_s;
    }
    return load;
}

bool cs_route_load_less(struct cs_route_load a, struct cs_route_load b)
{
    return a.busiest_s * CS_RING_ROUNDING < b.busiest_s ||
           (a.busiest_s < b.busiest_s * CS_RING_ROUNDING && a.sum_s * CS_RING_ROUNDING < b.sum_s);
}
