/*
 * Routes by search: the path that a 1 MiB message would take soonest.
 *
 * Each link costs its latency plus 1 MiB over its effective rate, so that
 * NVLink is preferred to PCIe and a way through fewer links to a longer one.
 * Only devices that forward are passed through: never a GPU or a host, unless
 * the network is direct.  Of equal ways the choice depends on the source rank's
 * number alone, so that ranks under one switch spread over its NICs, and is the
 * same every time.
 *
 * Where k ways tie, the digits of the source's number in base k are summed and
 * the sum modulo k chooses: every aligned run of k sources takes each way
 * once, and so do sources that lie k, or a power of k, apart.
 *
 * Where parties are up to 256, a way that was asked for is kept.
 *
 * Where the graph says so, a hash chooses instead, of its seed, the source, the
 * destination and the device at which the ways meet: ECMP, as Ethernet switches
 * spread flows (RFC 2992), looked at from the destination.  Then some ways are
 * taken by many and some by none.
 *
 * A tree per source, built when first asked for: O(links log devices) time and
 * 4 bytes a device; a route is then O(hops).  With hashes 8 bytes a device, and
 * O(links of the devices on the way).
 *
 * Where the graph is of many equal computers, a machine of few stands for it
 * (replicated.h): there a search for each source that differs, 8 bytes a device of
 * the small machine, and O(its links of the devices on the way) a route.  The
 * routes are the same; those that may lead through a third computer are
 * searched in the whole.
 */
#ifndef CS_TOPO_GRAPH_ROUTE_H
#define CS_TOPO_GRAPH_ROUTE_H

#include "topo/graph/graph.h"

struct cs_routes;

/* Nothing is searched yet.  Keeps the graph's arrays, not the struct. */
struct cs_routes *cs_routes_new(const struct cs_graph *graph,
                                struct cs_arena *arena);

/* A cs_route_fn whose ctx is a struct cs_routes; parties are ranks, then
 * agents.  0 hops: no way. */
cs_route_fn cs_routes_find;

/* No route is longer. */
uint32_t cs_routes_max_hops(const struct cs_routes *routes);

#endif
