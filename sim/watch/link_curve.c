#include "sim/watch/link_curve.h"

void cs_link_curve_open(struct cs_link_curve *curve, uint32_t links, struct cs_arena *arena)
{
    *curve = (struct cs_link_curve){.arena = arena, .link_count = links, .interval_ps = 1};
    curve->bytes = cs_arena_alloc(arena, links, sizeof(*curve->bytes));
}

/* Merges pairs of points. */
static void link_curve_halve(struct cs_link_curve *curve)
{
    for (uint32_t l = 0; l < curve->link_count; l++) {
        double *bytes = curve->bytes[l];

        if (!bytes)
            continue;
        for (size_t i = 0; i < CS_LINK_POINTS / 2; i++)
            bytes[i] = bytes[2 * i] + bytes[2 * i + 1];
        for (size_t i = CS_LINK_POINTS / 2; i < CS_LINK_POINTS; i++)
            bytes[i] = 0;
    }
    curve->points = (curve->points + 1) / 2;
    curve->interval_ps *= 2;
}

/* Makes the interval of `at_ps` a point. */
static uint32_t link_curve_reach(struct cs_link_curve *curve, uint64_t at_ps)
{
    uint32_t point;

    while (at_ps / curve->interval_ps >= CS_LINK_POINTS)
        link_curve_halve(curve);
    point = (uint32_t)(at_ps / curve->interval_ps);
    if (point >= curve->points)
        curve->points = point + 1;
    return point;
}

/* Spreads the bytes evenly from `from_ps` to `to_ps`. */
static void link_curve_add(struct cs_link_curve *curve, uint32_t link, double bytes,
                           uint64_t from_ps, uint64_t to_ps)
{
    uint32_t last = link_curve_reach(curve, to_ps);
    uint32_t first = link_curve_reach(curve, from_ps);
    double *of = curve->bytes[link];

    if (!of)
        of = curve->bytes[link] = cs_arena_alloc(curve->arena, CS_LINK_POINTS, sizeof(*of));
    for (uint32_t i = first; i <= last; i++) {
        uint64_t begin_ps = i * curve->interval_ps;
        uint64_t end_ps = begin_ps + curve->interval_ps;

        if (begin_ps < from_ps)
            begin_ps = from_ps;
        if (end_ps > to_ps)
            end_ps = to_ps;
        of[i] += from_ps == to_ps ? bytes
                                  : bytes * (double)(end_ps - begin_ps) / (double)(to_ps - from_ps);
    }
}

void cs_link_curve_carried(void *ctx, const struct cs_message *message, const uint32_t *route,
                           const struct cs_service *services, uint64_t at_ps)
{
    struct cs_link_curve *curve = ctx;
    uint64_t from_ps = message->sent_ps + message->wait_ps;
    uint64_t to_ps = at_ps - message->latency_ps;

    if (from_ps > to_ps)
        from_ps = to_ps;
    for (uint32_t h = 0; h < message->hops; h++)
        if (services)
            link_curve_add(curve, route[h], (double)message->bytes, services[h].start_ps,
                           services[h].end_ps);
        else
            link_curve_add(curve, route[h], (double)message->bytes, from_ps, to_ps);
}

void cs_link_curve_close(struct cs_link_curve *curve, uint64_t time_ps)
{
    (void)link_curve_reach(curve, time_ps);
}
