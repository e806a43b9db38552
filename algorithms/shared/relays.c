#include "algorithms/shared/relays.h"

#include "sim/base/order.h"

#include <stdlib.h>

enum {
    PASSES = 6 /* loads of the library machines stay the same after four */
};

/* The search: routes of all pairs, and the load of each resource. */
struct relay_search {
    const struct cs_net *net;
    uint32_t ranks;
    struct relay_route *routes; /* of (s, d) at s ranks + d */
    uint32_t *resources;        /* of all routes */
    double *s_per_byte;         /* beside `resources` */
    double *load_s;             /* by resource, for one byte of each block */
    uint32_t *via;
    double scale_s; /* a typical load, so that powers stay in range */
};

struct relay_route {
    uint32_t first, hops; /* in `resources` */
    bool wire;            /* a single wire */
};

static struct relay_route *relay_route_of(const struct relay_search *search, uint32_t from,
                                          uint32_t to)
{
    return &search->routes[from * search->ranks + to];
}

static void relay_add_route(struct relay_search *search, uint32_t from, uint32_t to, uint32_t *used)
{
    const struct cs_net *net = search->net;
    struct relay_route *route = relay_route_of(search, from, to);
    uint32_t *links = &search->resources[*used];
    uint32_t wires = 0;

    route->first = *used;
    route->hops = net->route(net->route_ctx, from, to, links);
    for (uint32_t i = 0; i < route->hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, links[i]);

        wires += link.from != link.to;
        search->s_per_byte[*used + i] = 1 / link.rate_Bps;
        links[i] = link.resource;
    }
    route->wire = wires == 1;
    *used += route->hops;
}

static void relay_add_load(struct relay_search *search, uint32_t from, uint32_t to, double bytes)
{
    const struct relay_route *route = relay_route_of(search, from, to);

    for (uint32_t i = route->first; i < route->first + route->hops; i++)
        search->load_s[search->resources[i]] += bytes * search->s_per_byte[i];
}

static double eighth_power(double x)
{
    double square = x * x;
    double fourth = square * square;

    return fourth * fourth;
}

/* Growth of the sum of eighth powers with `bytes` more from rank to rank. */
static double relay_growth(const struct relay_search *search, uint32_t from, uint32_t to,
                           double bytes)
{
    const struct relay_route *route = relay_route_of(search, from, to);
    double growth = 0;

    for (uint32_t i = route->first; i < route->first + route->hops; i++) {
        double load_s = search->load_s[search->resources[i]];
        double more_s = load_s + bytes * search->s_per_byte[i];

        growth += eighth_power(more_s / search->scale_s) - eighth_power(load_s / search->scale_s);
    }
    return growth;
}

/* Adds (or with negative bytes removes) a share of a pair. */
static void relay_add_share(struct relay_search *search, uint32_t from, uint32_t to, uint32_t via,
                            double bytes)
{
    if (via != to)
        relay_add_load(search, from, via, bytes);
    relay_add_load(search, via == to ? from : via, to, bytes);
}

/* The relay with the least growth, or the pair's own route; in a tie the own
 * route, then the lowest number. */
static uint32_t relay_best(const struct relay_search *search, uint32_t from, uint32_t to,
                           double bytes)
{
    double least = relay_growth(search, from, to, bytes);
    uint32_t best = to;

    for (uint32_t via = 0; via < search->ranks; via++) {
        double growth;

        if (via == from || via == to || !relay_route_of(search, from, via)->wire ||
            !relay_route_of(search, via, to)->wire)
            continue;
        growth = relay_growth(search, from, via, bytes) + relay_growth(search, via, to, bytes);
        if (growth < least * (1 - 1e-9)) {
            least = growth;
            best = via;
        }
    }
    return best;
}

/* One pass over all shares; the first pass finds none placed. */
static void relay_pass(struct relay_search *search, bool first)
{
    uint32_t p = search->ranks;
    double bytes = 1.0 / CS_RELAYS_SPLIT;

    for (uint32_t i = 0; i < CS_RELAYS_SPLIT; i++)
        for (uint32_t step = 1; step < p; step++)
            for (uint32_t from = 0; from < p; from++) {
                uint32_t to = from + step < p ? from + step : from + step - p;
                uint32_t *via = &search->via[(from * p + to) * CS_RELAYS_SPLIT + i];

                if (!first)
                    relay_add_share(search, from, to, *via, -bytes);
                *via = relay_best(search, from, to, bytes);
                relay_add_share(search, from, to, *via, bytes);
            }
}

static double relay_busiest_s(const struct relay_search *search)
{
    double busiest_s = 0;

    for (uint32_t i = 0; i < search->net->resource_count; i++)
        if (search->load_s[i] > busiest_s)
            busiest_s = search->load_s[i];
    return busiest_s;
}

/* The loads of all pairs on their own routes. */
static double relay_open(struct relay_search *search)
{
    uint32_t p = search->ranks;
    uint32_t used = 0;
    double own_s;

    for (uint32_t from = 0; from < p; from++)
        for (uint32_t to = 0; to < p; to++)
            if (to != from) {
                relay_add_route(search, from, to, &used);
                relay_add_load(search, from, to, 1);
            }
    own_s = relay_busiest_s(search);
    for (uint32_t i = 0; i < search->net->resource_count; i++)
        search->load_s[i] = 0;
    return own_s;
}

/* Shares in order of their relays, so that shares of a common relay travel in
 * one message, and numbers of the shares that a relay forwards. */
static void relay_number(struct cs_relays *relays, uint32_t *via, struct cs_arena *arena)
{
    uint32_t p = relays->ranks;
    size_t shares = (size_t)p * p * relays->split;
    uint32_t *slot = cs_arena_alloc(arena, shares, sizeof(*slot));
    uint32_t *count = cs_arena_alloc(arena, p, sizeof(*count));

    for (size_t pair = 0; pair < (size_t)p * p; pair++) {
        uint32_t *of_pair = &via[pair * relays->split];

        qsort(of_pair, relays->split, sizeof(*of_pair), cs_order_of_numbers);
        for (size_t i = 0; i < relays->split; i++)
            if (pair % p != pair / p && of_pair[i] != pair % p)
                slot[pair * relays->split + i] = count[of_pair[i]]++;
    }
    for (size_t i = 0; i < p; i++)
        if (count[i] > relays->slots)
            relays->slots = count[i];
    relays->via = via;
    relays->slot = slot;
}

const struct cs_relays *cs_relays_of_machine(const struct cs_net *net, uint32_t ranks,
                                             struct cs_arena *arena)
{
    size_t pairs = (size_t)ranks * ranks;
    struct relay_search search = {.net = net, .ranks = ranks};
    struct cs_relays *relays;
    double own_s;

    if (ranks < 3 || ranks > CS_RELAYS_RANKS_MAX)
        return NULL;
    search.routes = cs_arena_alloc(arena, pairs, sizeof(*search.routes));
    search.resources = cs_arena_alloc(arena, pairs * net->max_hops + 1, sizeof(uint32_t));
    search.s_per_byte = cs_arena_alloc(arena, pairs * net->max_hops + 1, sizeof(double));
    search.load_s = cs_arena_alloc(arena, net->resource_count, sizeof(double));
    search.via = cs_arena_alloc(arena, pairs * CS_RELAYS_SPLIT, sizeof(uint32_t));
    own_s = relay_open(&search);
    search.scale_s = own_s;
    for (uint32_t pass = 0; pass < PASSES; pass++)
        relay_pass(&search, pass == 0);
    if (relay_busiest_s(&search) > own_s * (1 - 1e-6))
        return NULL;
    relays = cs_arena_alloc(arena, 1, sizeof(*relays));
    relays->ranks = ranks;
    relays->split = CS_RELAYS_SPLIT;
    relays->busiest_s_per_byte = relay_busiest_s(&search);
    relay_number(relays, search.via, arena);
    return relays;
}

struct cs_relay_run cs_relay_run_at(const struct cs_relays *relays, uint32_t from, uint32_t to,
                                    uint32_t first)
{
    size_t pair = (size_t)from * relays->ranks + to;
    const uint32_t *via = &relays->via[pair * relays->split];
    uint32_t end = first + 1;

    while (end < relays->split && via[end] == via[first])
        end++;
    return (struct cs_relay_run){first, end - first, via[first],
                                 relays->slot[pair * relays->split + first]};
}
