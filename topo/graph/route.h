/*
 * Routes by search: the path with the least time for a 1 MiB message.
 *
 * The cost of a link is its latency plus 1 MiB over its effective rate, so a
 * route prefers NVLink to PCIe, and a path of few links to a longer path.  Only
 * forwarding devices are intermediate: never a GPU or a host, unless the
 * network is direct.
 *
 * Ties.  The choice among equal paths depends on the number of the source rank
 * alone: ranks under a switch spread over the NICs of the switch, and a run is
 * repeatable.  Among k equal paths, the digits of the number in base k are
 * summed, and the sum modulo k selects: k consecutive sources (from a multiple
 * of k on) take k different paths, and so do sources at a distance of k or of a
 * power of k.
 *
 * With graph->hashes_routes a hash of the seed, the source, the destination and
 * the device at which the paths meet selects: ECMP, as Ethernet switches spread
 * flows (RFC 2992), seen from the destination.  The load is uneven then.
 *
 * Cost: a tree per source on first use, O(links log devices) time and a byte
 * per device (more where one has over 254 links); then O(hops) per route.  With hashes a
 * bit per link, at most 8 bytes per device, and O(links of the devices on the route)
 * per route.  A machine of up to 256 parties keeps every route after the first request.
 *
 * Where the graph has given routes (given_routes.h), their pairs have these, unless a
 * wire is down, the routes are hashed, or a path is asked for by number.
 *
 * Two devices with one link each, to a common device, need no search: O(1).
 *
 * Where graph->choice asks for a path by number (sim/net/net.h), the cheapest
 * paths of a pair are counted: a search per source in the whole graph, the bits
 * and one to four bytes per device, and O(links of the devices on the route) per
 * route.
 *
 * A machine of many identical nodes is searched in a smaller form
 * (replicated.h): a search per distinct source, the bits of the smaller
 * form, and O(links of the devices on the route) per route.  The routes
 * are those of the full form; where a path may cross a third node, the search
 * runs in the full form.
 */
#pragma once

#include "topo/graph/given_routes.h"
#include "topo/graph/graph.h"
#include "topo/graph/route_links.h"

struct cs_routes;

/* Starts without any search.  Keeps the graph's arrays, not the struct. */
struct cs_routes *cs_routes_new(const struct cs_graph *graph, struct cs_arena *arena);

/* A cs_route_fn with a struct cs_routes as ctx; parties are ranks, then
 * agents.  0 hops: no route. */
cs_route_fn cs_routes_find;

/* An upper bound on the hops of every route. */
uint32_t cs_routes_max_hops(const struct cs_routes *routes);

/* Routes of a graph that has none of its own: searched ones. */
static inline void cs_routes_give(struct cs_graph *graph)
{
    struct cs_routes *routes;

    if (graph->route)
        return;
    routes = cs_routes_new(graph, graph->arena);
    graph->route = cs_routes_find;
    graph->route_ctx = routes;
    graph->route_max_hops = cs_routes_max_hops(routes);
}
