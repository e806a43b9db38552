#include "topo/formats/simgrid/zones.h"

#include "sim/base/collections/vector.h"

#include <assert.h>
#include <string.h>

/* A pending part of a route: from a point to a point, or a listed route. */
struct cs_zones_task {
    uint32_t from; /* CS_ZONES_NONE: a listed route with number `to` */
    uint32_t to;
};

static uint32_t zones_add_point(struct cs_zones *zones, struct cs_zones_point point)
{
    if (point.zone != CS_ZONES_NONE)
        point.index = zones->zones[point.zone].points++;
    *CS_VECTOR_NEXT_IN(zones->arena, zones->points, zones->point_count, zones->point_capacity) =
        point;
    return zones->point_count - 1;
}

uint32_t cs_zones_add(struct cs_zones *zones, uint32_t around, enum cs_zone_kind kind)
{
    uint32_t zone = zones->zone_count;
    struct cs_zone own = {.kind = kind};

    if (around != CS_ZONES_NONE)
        own.depth = zones->zones[around].depth + 1;
    own.point = zones_add_point(
        zones, (struct cs_zones_point){.zone = around, .inside = zone, .device = CS_ZONES_NONE});
    *CS_VECTOR_NEXT_IN(zones->arena, zones->zones, zones->zone_count, zones->zone_capacity) = own;
    return zone;
}

uint32_t cs_zones_add_point(struct cs_zones *zones, uint32_t zone, uint32_t device)
{
    return zones_add_point(
        zones, (struct cs_zones_point){.zone = zone, .inside = CS_ZONES_NONE, .device = device});
}

bool cs_zones_prepare(struct cs_zones *zones, uint64_t pairs_max, uint64_t work_max)
{
    uint64_t all = 0, work = 0;

    for (uint32_t i = 0; i < zones->zone_count; i++) {
        struct cs_zone *zone = &zones->zones[i];
        uint64_t pairs = (uint64_t)zone->points * zone->points;

        if (zone->kind == CS_ZONE_STAR)
            continue;
        all += pairs;
        if (all > pairs_max)
            return false;
        zone->route = cs_arena_alloc(zones->arena, pairs, sizeof(*zone->route));
        if (zone->kind != CS_ZONE_SHORTEST)
            continue;
        work += pairs * zone->points;
        if (work > work_max)
            return false;
        zone->before = cs_arena_alloc(zones->arena, pairs, sizeof(*zone->before));
    }
    return true;
}

void cs_zones_add_link(struct cs_zones *zones, uint32_t link)
{
    *CS_VECTOR_NEXT_IN(zones->arena, zones->links, zones->link_count, zones->link_capacity) = link;
}

/* The place of a pair in the tables of a zone. */
static size_t zones_place(const struct cs_zone *zone, uint32_t from, uint32_t to)
{
    return (size_t)from * zone->points + to;
}

bool cs_zones_add_route(struct cs_zones *zones, struct cs_zones_route route)
{
    const struct cs_zones_point *from = &zones->points[route.from];
    const struct cs_zones_point *to = &zones->points[route.to];
    const struct cs_zone *zone = &zones->zones[from->zone];
    size_t at = zones_place(zone, from->index, to->index);

    assert(from->zone == to->zone && zone->route);
    if (zone->route[at])
        return false;
    route.first_link = zones->link_count - route.links;
    *CS_VECTOR_NEXT_IN(zones->arena, zones->routes, zones->route_count, zones->route_capacity) =
        route;
    zone->route[at] = zones->route_count;
    return true;
}

/* ---- chains ---- */

/* R. Floyd, Algorithm 97: Shortest path, Comm. ACM 5 (6), 1962. */
static void zones_shortest(const struct cs_zones *zones, const struct cs_zone *zone, uint64_t *cost)
{
    uint32_t n = zone->points;

    for (size_t at = 0; at < (size_t)n * n; at++) {
        uint32_t route = zone->route[at];

        cost[at] = route ? zones->routes[route - 1].links : UINT32_MAX;
        zone->before[at] = route ? (uint32_t)(at / n) + 1 : 0;
    }
    for (uint32_t by = 0; by < n; by++)
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n && cost[zones_place(zone, a, by)] < UINT32_MAX; b++) {
                uint64_t sum = cost[zones_place(zone, a, by)] + cost[zones_place(zone, by, b)];

                if (sum >= cost[zones_place(zone, a, b)] || a == b)
                    continue;
                cost[zones_place(zone, a, b)] = sum;
                zone->before[zones_place(zone, a, b)] = zone->before[zones_place(zone, by, b)];
            }
}

void cs_zones_shortest(struct cs_zones *zones)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};

    for (uint32_t i = 0; i < zones->zone_count; i++) {
        const struct cs_zone *zone = &zones->zones[i];

        if (zone->kind == CS_ZONE_SHORTEST)
            zones_shortest(
                zones, zone,
                cs_arena_alloc(&scratch, (size_t)zone->points * zone->points, sizeof(uint64_t)));
    }
}

/* ---- routes ---- */

/* The point of the enclosing zone that contains the point. */
static uint32_t zones_outwards(const struct cs_zones *zones, uint32_t point)
{
    return zones->zones[zones->points[point].zone].point;
}

static uint32_t zones_depth(const struct cs_zones *zones, uint32_t point)
{
    return zones->zones[zones->points[point].zone].depth;
}

/* Moves both points outwards until the zones are equal. */
static void zones_meet(const struct cs_zones *zones, uint32_t *from, uint32_t *to)
{
    while (zones_depth(zones, *from) > zones_depth(zones, *to))
        *from = zones_outwards(zones, *from);
    while (zones_depth(zones, *to) > zones_depth(zones, *from))
        *to = zones_outwards(zones, *to);
    while (zones->points[*from].zone != zones->points[*to].zone) {
        *from = zones_outwards(zones, *from);
        *to = zones_outwards(zones, *to);
    }
}

uint32_t cs_zones_meeting(const struct cs_zones *zones, uint32_t from, uint32_t to)
{
    zones_meet(zones, &from, &to);
    return zones->points[from].zone;
}

bool cs_zones_holds(const struct cs_zones *zones, uint32_t zone, uint32_t point)
{
    while (point != zones->zones->point && zones->points[point].zone != zone)
        point = zones_outwards(zones, point);
    return point != zones->zones->point;
}

static void zones_push(struct cs_zones *zones, uint32_t from, uint32_t to)
{
    *CS_VECTOR_NEXT_IN(zones->arena, zones->tasks, zones->task_count, zones->task_capacity) =
        (struct cs_zones_task){from, to};
}

/* From a member through the middle to a member; either end may be the
 * middle. */
static uint32_t zones_star(const struct cs_zone *zone, uint32_t from, uint32_t to, uint32_t *links)
{
    const struct cs_zone_star *of = &zone->star;
    uint32_t hops = 0, own[4];

    for (uint32_t i = 0; from > 0 && i < of->each; i++)
        own[hops++] = 2 * (of->first + (from - 1) * of->each + i);
    if (from == 0 && of->trunk != CS_ZONES_NONE)
        own[hops++] = of->trunk;
    if (to > 0)
        own[hops++] = 2 * (of->first + (to - 1) * of->each) + 1;
    if (links)
        memcpy(links, own, hops * sizeof(*own));
    return hops;
}

/* Pushes the chain between two points of a zone on the stack of tasks, last
 * part first; false: no chain. */
static bool zones_chain(struct cs_zones *zones, const struct cs_zones_task *task, uint32_t from,
                        uint32_t to)
{
    const struct cs_zone *zone = &zones->zones[zones->points[from].zone];
    uint32_t first = zones->points[from].index, at = zones->points[to].index, goal = task->to;

    do {
        uint32_t before =
            zone->kind == CS_ZONE_SHORTEST ? zone->before[zones_place(zone, first, at)] : first + 1;
        uint32_t route = before ? zone->route[zones_place(zone, before - 1, at)] : 0;

        if (!route)
            return false;
        zones_push(zones, zones->routes[route - 1].gate_to, goal);
        zones_push(zones, CS_ZONES_NONE, route - 1);
        goal = zones->routes[route - 1].gate_from;
        at = before - 1;
    } while (at != first);
    zones_push(zones, task->from, goal);
    return true;
}

uint32_t cs_zones_find(struct cs_zones *zones, uint32_t from, uint32_t to, uint32_t *links)
{
    uint32_t hops = 0;

    zones->task_count = 0;
    zones_push(zones, from, to);
    while (zones->task_count) {
        struct cs_zones_task task = zones->tasks[--zones->task_count];
        uint32_t *next = links ? links + hops : NULL;
        const struct cs_zone *zone;

        if (task.from == CS_ZONES_NONE) {
            const struct cs_zones_route *route = &zones->routes[task.to];

            if (links)
                memcpy(next, zones->links + route->first_link, route->links * sizeof(*links));
            hops += route->links;
            continue;
        }
        if (task.from == task.to)
            continue;
        from = task.from;
        to = task.to;
        zones_meet(zones, &from, &to);
        zone = &zones->zones[zones->points[from].zone];
        if (zone->kind == CS_ZONE_STAR)
            hops += zones_star(zone, zones->points[from].index, zones->points[to].index, next);
        else if (!zones_chain(zones, &task, from, to))
            return CS_ZONES_NONE;
    }
    return hops;
}
