/*
 * Zones: networks inside networks, and the ways through all of them.
 *
 * A zone holds points: hosts, routers, and the zones inside it.  It knows ways
 * between its own points only.  A way between zones begins and ends at
 * gateways, which are hosts or routers inside them:
 *
 *     host a, in zone A                                   host b, in zone B
 *       |  within A, a to its gateway    within B, gateway to b   |
 *       +----------- gateway ==== way from A to B ==== gateway ---+
 *
 * So the way from a to b is put together from its middle outwards, each part
 * one zone deeper.  Of three kinds: ways that are written down; the shortest
 * chain of ways written down, counted in links; and a star, where every member
 * has a wire or two to the middle, which is point 0.
 *
 * Order of calls: new, add and point; prepare; route; shortest; find.
 *
 *     shortest   O(points^3) of each such zone
 *     find       O(links of the way + depth of zones), no memory
 *
 * Memory: 8 bytes for each pair of points of a zone.
 */
#ifndef CS_TOPO_FORMATS_SIMGRID_ZONES_H
#define CS_TOPO_FORMATS_SIMGRID_ZONES_H

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

/* The wires of a star.  Member m has `each` of them, from first + m each on,
 * itself on the near side of all.  With two, the second is to a shared medium,
 * and so is `trunk`, the link from the middle to it. */
struct cs_zone_star {
    uint32_t first;
    uint32_t each;
    uint32_t trunk; /* CS_ZONES_NONE: no medium, the middle is a switch */
};

struct cs_zones_point {
    uint32_t zone;   /* it is in; CS_ZONES_NONE: the outermost */
    uint32_t index;  /* in its zone */
    uint32_t inside; /* the zone that it is; CS_ZONES_NONE: a host or router */
    uint32_t device;
};

struct cs_zone {
    enum cs_zone_kind kind;
    uint32_t point; /* that it is in the zone around it */
    uint32_t depth;
    uint32_t points;
    uint32_t *route;  /* [from][to]: number of a route + 1; 0: none */
    uint32_t *before; /* [from][to]: the last point before `to` + 1 */
    struct cs_zone_star star;
};

/* From a point to another of its zone, or between their gateways. */
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

/* Adds a zone inside another, or the outermost (CS_ZONES_NONE); its number. */
uint32_t cs_zones_add(struct cs_zones *zones, uint32_t around,
                      enum cs_zone_kind kind);

/* Adds a host or router to a zone; its number. */
uint32_t cs_zones_add_point(struct cs_zones *zones, uint32_t zone,
                            uint32_t device);

/* Room for ways, once all points are there; false: over `pairs_max` pairs of
 * points, or `work_max` steps of `shortest`, in all zones. */
bool cs_zones_prepare(struct cs_zones *zones, uint64_t pairs_max,
                      uint64_t work_max);

/* Appends a link to the route that is added next. */
void cs_zones_add_link(struct cs_zones *zones, uint32_t link);

/* Adds a route with the last `route->links` links; false: there is one. */
bool cs_zones_add_route(struct cs_zones *zones, struct cs_zones_route route);

/* Finds the chains, once all routes are there. */
void cs_zones_shortest(struct cs_zones *zones);

/* The zone in which the ways of two points meet. */
uint32_t cs_zones_meeting(const struct cs_zones *zones, uint32_t from,
                          uint32_t to);

/* Whether a point is in a zone, or in one inside it. */
bool cs_zones_holds(const struct cs_zones *zones, uint32_t zone,
                    uint32_t point);

/* The links from a host or router to another; how many, CS_ZONES_NONE where
 * there is no way.  `links` may be NULL: only counts. */
uint32_t cs_zones_find(struct cs_zones *zones, uint32_t from, uint32_t to,
                       uint32_t *links);

#endif
