/*
 * Given routes: paths between two devices that a file states, in place of those of
 * the search (route.h).
 *
 * Routes of a generator, such as those through the GPU of an adapter (PXN), are not
 * always the cheapest paths: a file that holds them names the devices of each.
 *
 *     add      O(1)
 *     seal     O(n log n), once, before any find
 *     find     O(log n)
 */
#pragma once

#include "sim/base/mem.h"

#include <stdint.h>

struct cs_given_route {
    uint32_t src, dst; /* devices */
    uint32_t hops;
    const uint32_t *links; /* in order of travel, without free ones */
};

struct cs_given_routes {
    struct cs_given_route *items;
    uint32_t count, capacity;
    uint32_t max_hops;
};

/* Appends a route; the links must outlive the routes. */
void cs_given_routes_add(struct cs_given_routes *routes, struct cs_given_route route,
                         struct cs_arena *arena);

/* Sorts the routes.  NULL, or a route whose devices have another one. */
const struct cs_given_route *cs_given_routes_seal(struct cs_given_routes *routes);

/* NULL without one. */
const struct cs_given_route *cs_given_routes_find(const struct cs_given_routes *routes,
                                                  uint32_t src, uint32_t dst);
