#include "topo/graph/given_routes.h"

#include "sim/base/order.h"

#include <stdlib.h>
#include <string.h>

void cs_given_routes_add(struct cs_given_routes *routes, struct cs_given_route route,
                         struct cs_arena *arena)
{
    if (routes->count == routes->capacity) {
        struct cs_given_route *items;

        routes->capacity = 2 * routes->capacity + 64;
        items = cs_arena_alloc(arena, routes->capacity, sizeof(*items));
        if (routes->count)
            memcpy(items, routes->items, routes->count * sizeof(*items));
        routes->items = items;
    }
    routes->items[routes->count++] = route;
    if (route.hops > routes->max_hops)
        routes->max_hops = route.hops;
}

static int given_compare(const void *a, const void *b)
{
    const struct cs_given_route *x = a, *y = b;

    return CS_ORDER({x->src, y->src}, {x->dst, y->dst});
}

const struct cs_given_route *cs_given_routes_seal(struct cs_given_routes *routes)
{
    if (routes->count)
        qsort(routes->items, routes->count, sizeof(*routes->items), given_compare);
    for (uint32_t i = 1; i < routes->count; i++)
        if (!given_compare(&routes->items[i - 1], &routes->items[i]))
            return &routes->items[i];
    return NULL;
}

const struct cs_given_route *cs_given_routes_find(const struct cs_given_routes *routes,
                                                  uint32_t src, uint32_t dst)
{
    const struct cs_given_route key = {.src = src, .dst = dst};

    return routes->count
               ? bsearch(&key, routes->items, routes->count, sizeof(*routes->items), given_compare)
               : NULL;
}
