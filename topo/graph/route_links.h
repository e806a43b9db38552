/*
 * Links between devices, by device, with the costs by which routes are searched.
 *
 *     of          O(devices + links)
 *     link, nth   O(links of the device)
 */
#pragma once

#include "topo/graph/graph.h"

/* Of a 1 MiB message, in ps, at least 1: only the links out of a bus are free. */
uint64_t cs_route_wire_cost(const struct cs_wire *wire);

/* The links from each device, as compressed rows, in order of number. */
struct cs_route_links {
    const struct cs_graph *graph;
    uint32_t *start, *links;
};

/* The graph must outlive the links. */
struct cs_route_links cs_route_links_of(const struct cs_graph *graph, struct cs_arena *arena);

/* The cheapest link from a device to another, the first of several; UINT32_MAX:
 * none leads there. */
uint32_t cs_route_link(const struct cs_route_links *links, uint32_t from, uint32_t to);

/* Link `nth` from a device to another, from 0, in order of number; or UINT32_MAX. */
uint32_t cs_route_link_nth(const struct cs_route_links *links, uint32_t from, uint32_t to,
                           uint32_t nth);
