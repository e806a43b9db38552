/*
 * Zones: nested networks, and routes through several levels.
 *
 * A zone holds points: hosts, routers, and inner zones.  A zone has routes
 * between its own points only.  A route between zones begins and ends at
 * gateways, which are hosts or routers inside the zones:
 *
 *     host a, in zone A                                   host b, in zone B
 *       |  within A, a to its gateway    within B, gateway to b   |
 *       +---------- gateway ==== route A to B ==== gateway -------+
 *
 * A route from a to b is composed from the middle outwards, each part a zone
 * deeper.  A zone has listed routes; or the shortest chains of listed routes,
 * counted in links; or is a star, where every member has a wire or two to the
 * middle, which is point 0.
 *
 * Order of calls: add and add_point; prepare; add_link and add_route; shortest;
 * find.
 *
 *     shortest   O(points^3) per zone
 *     find       O(links of the route + depth of zones)
 *
 * Memory: 8 bytes per pair of points of a zone.
 */
#pragma once

#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_ZONES_NONE = UINT32_MAX
};

enum cs_zone_kind {
    CS_ZONE_WRITTEN,
    CS_ZONE_SHORTEST,
    CS_ZONE_STAR,
};

/* The wires of a star. Member m has `each` wires, from number first + m
 * each on, with the member at end a. With two wires per member, the second
 * leads to a shared medium, and `trunk` leads from the middle to the
 * medium. */
struct cs_zone_star {
    uint32_t first;
    uint32_t each;
    uint32_t trunk; /* CS_ZONES_NONE: no medium; the middle is a switch */
};

struct cs_zones_point {
    uint32_t zone;  /* enclosing zone; CS_ZONES_NONE: outermost */
    uint32_t index; /* index in the zone */
    /* The zone at the point; CS_ZONES_NONE: a host or router. */
    uint32_t inside;
    uint32_t device;
};

struct cs_zone {
    enum cs_zone_kind kind;
    uint32_t point; /* of the zone in the enclosing zone */
    uint32_t depth;
    uint32_t points;
    uint32_t *route;  /* [from][to]: number of a route + 1; 0: none */
    uint32_t *before; /* [from][to]: the last point before `to` + 1 */
    struct cs_zone_star star;
};

/* A listed route between two points of a zone, or between gateways of two
 * zones. */
struct cs_zones_route {
    uint32_t from, to; /* points of one zone */
    uint32_t gate_from, gate_to;
    uint32_t first_link, links; /* of cs_zones.links */
};

struct cs_zones {
    struct cs_arena *arena;
    struct cs_zone *zones;
    struct cs_zones_point *points;
    struct cs_zones_route *routes;
    uint32_t *links;
    struct cs_zones_task *tasks; /* scratch of find */
    uint32_t zone_count, zone_capacity;
    uint32_t point_count, point_capacity;
    uint32_t route_count, route_capacity;
    uint32_t link_count, link_capacity;
    uint32_t task_count, task_capacity;
};

/* Adds a zone inside `around`, or the outermost (CS_ZONES_NONE); returns
 * the number. */
uint32_t cs_zones_add(struct cs_zones *zones, uint32_t around, enum cs_zone_kind kind);

/* Adds a host or router to a zone; returns the number. */
uint32_t cs_zones_add_point(struct cs_zones *zones, uint32_t zone, uint32_t device);

/* Allocates the routing tables, after all points are added. False: over
 * `pairs_max` pairs of points, or `work_max` steps of `shortest`, in all
 * zones. */
bool cs_zones_prepare(struct cs_zones *zones, uint64_t pairs_max, uint64_t work_max);

/* Appends a link to the next route. */
void cs_zones_add_link(struct cs_zones *zones, uint32_t link);

/* Adds a route with the last `route->links` links; false: duplicate route. */
bool cs_zones_add_route(struct cs_zones *zones, struct cs_zones_route route);

/* Computes the shortest chains, after all routes are added. */
void cs_zones_shortest(struct cs_zones *zones);

/* The innermost zone that contains both points. */
uint32_t cs_zones_meeting(const struct cs_zones *zones, uint32_t from, uint32_t to);

/* Whether a zone contains a point, at any depth. */
bool cs_zones_holds(const struct cs_zones *zones, uint32_t zone, uint32_t point);

/* Finds the links of the route between two hosts or routers; returns the
 * number, or CS_ZONES_NONE without a route. `links` may be NULL: counts
 * only. */
uint32_t cs_zones_find(struct cs_zones *zones, uint32_t from, uint32_t to, uint32_t *links);
