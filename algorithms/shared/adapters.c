#include "algorithms/shared/adapters.h"

#include <math.h>

enum {
    CARRIERS_OF_ADAPTER = 4, /* ranks at even distances leave no adapter without work */
    SHARING_MANY = 9,        /* by trial: p3dn, p4d and dgx-1 lose up to 3 % with fewer chunks */
};

/* Routes of all ranks of the first node to those of the second, at the same time. */
struct adapter_routes {
    const struct cs_net *net;
    uint32_t group;
    uint32_t *links; /* of a route */
    uint32_t *uses;  /* of a link, by routes */
};

static uint32_t adapter_route(const struct adapter_routes *routes, uint32_t rank)
{
    return routes->net->route(routes->net->route_ctx, rank, rank + routes->group, routes->links);
}

static void adapter_count_uses(const struct adapter_routes *routes)
{
    for (uint32_t rank = 0; rank < routes->group; rank++) {
        uint32_t hops = adapter_route(routes, rank);

        for (uint32_t h = 0; h < hops; h++)
            routes->uses[routes->links[h]]++;
    }
}

/* Rates of a rank's route: beside all others, alone, and of its first link. */
struct adapter_rates {
    double shared_Bps, alone_Bps, port_Bps;
};

static struct adapter_rates adapter_rates_of(const struct adapter_routes *routes, uint32_t rank)
{
    struct adapter_rates rates = {INFINITY, INFINITY, INFINITY};
    uint32_t hops = adapter_route(routes, rank);

    for (uint32_t h = 0; h < hops; h++) {
        double rate_Bps = cs_net_link_at(routes->net, routes->links[h]).rate_Bps;

        rates.alone_Bps = fmin(rates.alone_Bps, rate_Bps);
        rates.shared_Bps = fmin(rates.shared_Bps, rate_Bps / routes->uses[routes->links[h]]);
        if (h == 0)
            rates.port_Bps = rate_Bps;
    }
    return rates;
}

static uint32_t many_sharing(double ranks)
{
    return ranks >= SHARING_MANY ? (uint32_t)(ranks + .5) : 0;
}

static uint32_t enough_carriers(const struct adapter_rates *node, uint32_t group)
{
    double adapters = ceil(node->shared_Bps / node->alone_Bps);
    double copying = ceil((group - 1) * node->shared_Bps / node->port_Bps);
    double count = fmax(CARRIERS_OF_ADAPTER * adapters, copying);

    return count < (group - 1) / 2. ? (uint32_t)count : 0;
}

struct cs_adapters cs_adapters_of_machine(const struct cs_net *net, uint32_t ranks, uint32_t group,
                                          struct cs_arena *arena)
{
    struct adapter_routes routes = {net, group, NULL, NULL};
    struct adapter_rates node = {0, INFINITY, INFINITY};
    double alone_Bps = 0;

    if (group < 2 || ranks < 2 * group)
        return (struct cs_adapters){0};
    routes.links = cs_arena_alloc(arena, net->max_hops + 1, sizeof(*routes.links));
    routes.uses = cs_arena_alloc(arena, net->link_count, sizeof(*routes.uses));
    adapter_count_uses(&routes);
    for (uint32_t rank = 0; rank < group; rank++) {
        struct adapter_rates rates = adapter_rates_of(&routes, rank);

        alone_Bps += rates.alone_Bps;
        node.shared_Bps += rates.shared_Bps;
        node.alone_Bps = fmin(node.alone_Bps, rates.alone_Bps);
        node.port_Bps = fmin(node.port_Bps, rates.port_Bps);
    }
    return (struct cs_adapters){many_sharing(alone_Bps / node.shared_Bps),
                                enough_carriers(&node, group)};
}
