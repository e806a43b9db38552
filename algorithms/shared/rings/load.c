#include "algorithms/shared/rings/load.h"

struct cs_ring_tally cs_ring_tally_new(const struct cs_net *net, struct cs_arena *arena)
{
    return (struct cs_ring_tally){
        .net = net,
        .links = cs_arena_alloc(arena, net->max_hops + 1, sizeof(uint32_t)),
        .resource_s_per_byte = cs_arena_alloc(arena, net->resource_count, sizeof(double)),
        .slowest_Bps = 1e300,
    };
}

void cs_ring_tally_add(struct cs_ring_tally *tally, struct cs_ring_step step, double rings)
{
    const struct cs_net *net = tally->net;
    uint32_t hops = net->route(net->route_ctx, step.from, step.to, tally->links);
    uint32_t wires = 0;

    for (uint32_t i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, tally->links[i]);
        double *load_s = &tally->resource_s_per_byte[link.resource];

        *load_s += rings / link.rate_Bps;
        if (*load_s > tally->busiest_s_per_byte)
            tally->busiest_s_per_byte = *load_s;
        if (link.rate_Bps < tally->slowest_Bps)
            tally->slowest_Bps = link.rate_Bps;
        /* Links from a device to itself are software. */
        wires += link.from != link.to;
    }
    tally->switched += wires != 1;
}

struct cs_route_load cs_route_load_with(const struct cs_ring_tally *tally, struct cs_ring_step step)
{
    const struct cs_net *net = tally->net;
    uint32_t hops = net->route(net->route_ctx, step.from, step.to, tally->links);
    struct cs_route_load load = {0};

    for (uint32_t i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, tally->links[i]);
        double load_s = tally->resource_s_per_byte[link.resource] + 1 / link.rate_Bps;

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
