#include "sim/fold/region_state.h"

#include "sim/base/mem.h"

#include <stdlib.h>

/* ---- what never changes ---- */

static bool same_messages(const struct regions *regions, uint32_t a, uint32_t b)
{
    const struct ring_lane *one = &regions->fixed[a];
    const struct ring_lane *other = &regions->fixed[b];

    return one->bytes == other->bytes && one->more == other->more && one->longer == other->longer;
}

/* Whether the neighbour of the one is that of the other: the lane in the same place of the region,
 * or one outside of it that has the same messages. */
static bool same_neighbour(const struct regions *regions, uint32_t a_region, uint32_t a,
                           uint32_t b_region, uint32_t b)
{
    const struct ring_lane *one = &regions->fixed[a];
    const struct ring_lane *other = &regions->fixed[b];

    if ((a == CS_NONE) != (b == CS_NONE))
        return false;
    if (a == CS_NONE)
        return true;
    return (one->region == a_region) == (other->region == b_region) &&
           (one->region != a_region || one->place == other->place) && same_messages(regions, a, b);
}

static bool same_rounds(const struct ring_lane *a, const struct ring_lane *b)
{
    return a->rounds == b->rounds && a->idle == b->idle && a->receives == b->receives &&
           a->sums == b->sums && a->hops == b->hops;
}

/* Whether messages of a folded net meet others of their own copy only, in any order of ranks. */
static bool lane_is_at_home(const struct regions *regions, uint32_t lane)
{
    const struct ring_lane *fixed = &regions->fixed[lane];

    for (uint32_t i = 0; fixed->origins && fixed->to != CS_NONE && i <= fixed->hops; i++)
        if (fixed->origins[i].sender != lane / regions->each ||
            fixed->origins[i].receiver != fixed->to / regions->each)
            return false;
    return true;
}

/* Notes that `to` is the image; false where another one is. */
static bool image_is(uint32_t *images, uint32_t of, uint32_t to)
{
    if (images[of] == CS_NONE)
        images[of] = to;
    return images[of] == to;
}

static bool same_link(const struct regions *regions, uint32_t a, uint32_t b)
{
    const struct cs_net_link *one = &regions->net->links[a];
    const struct cs_net_link *other = &regions->net->links[b];

    return one->ps_per_byte == other->ps_per_byte && one->rate_Bps == other->rate_Bps &&
           one->latency_ps == other->latency_ps && one->ahead_ps == other->ahead_ps &&
           one->down == other->down && image_is(regions->link_images, a, b) &&
           image_is(regions->resource_images, one->resource, other->resource);
}

static bool same_lane(const struct regions *regions, uint32_t a, uint32_t b)
{
    const struct ring_lane *one = &regions->fixed[a];
    const struct ring_lane *other = &regions->fixed[b];
    const struct cs_net_party *parties = regions->net->parties;

    if (!same_rounds(one, other) || !same_messages(regions, a, b) ||
        !same_neighbour(regions, one->region, one->from, other->region, other->from) ||
        !same_neighbour(regions, one->region, one->to, other->region, other->to) ||
        !lane_is_at_home(regions, a) || !lane_is_at_home(regions, b) ||
        parties[a / regions->each].slow != parties[b / regions->each].slow)
        return false;
    for (uint32_t i = 0; i < one->hops; i++)
        if (!same_link(regions, one->route[i], other->route[i]))
            return false;
    return true;
}

/* All that leaves the last region leads to this one, so that arrivals here are what has left it.
 * Links and resources are as many in both, so that images that differ are one to one. */
static bool region_is_like(const struct regions *regions, const struct region *last,
                           const struct region *region)
{
    uint32_t number = (uint32_t)(region - regions->region);

    if (last->lanes.count != region->lanes.count || last->links.count != region->links.count ||
        last->resources.count != region->resources.count ||
        last->inlets.count != region->inlets.count)
        return false;
    for (uint32_t i = 0; i < region->lanes.count; i++) {
        uint32_t of = last->lanes.at[i];

        if (!same_lane(regions, of, region->lanes.at[i]) ||
            (regions->fixed[of].outlet != CS_NONE &&
             regions->fixed[regions->fixed[of].to].region != number))
            return false;
    }
    return true;
}

/* ---- arrivals ---- */

static const struct cs_arrivals *arrivals_at(const struct regions *regions,
                                             const struct region *region, uint32_t i)
{
    return &regions->inlets[region->inlets.at[i]].arrivals;
}

/* Whether all arrivals are later by one time than those of the region before, and as those were
 * later than the ones before them. */
static bool arrivals_go_on(const struct regions *regions, const struct region *region)
{
    uint64_t later_ps = cs_arrivals_later_ps(arrivals_at(regions, region, 0),
                                             arrivals_at(regions, regions->last, 0));

    for (uint32_t i = 0; i < region->inlets.count; i++)
        if (!cs_arrivals_are_later(arrivals_at(regions, region, i),
                                   arrivals_at(regions, regions->last, i),
                                   arrivals_at(regions, regions->last_but_one, i), later_ps))
            return false;
    return regions->last->draws == regions->last_but_one->draws &&
           regions->last->clock_ps < CS_TIME_MAX_PS - later_ps;
}

static struct region_inlet *inlet_behind(const struct regions *regions, uint32_t lane)
{
    return &regions->inlets[regions->fixed[regions->fixed[lane].to].inlet];
}

/* What the last region has done, as much later as that was than the last but one. */
static void take_image(struct regions *regions, struct region *region)
{
    const struct region *last = regions->last;

    for (uint32_t i = 0; i < region->lanes.count; i++) {
        uint32_t lane = region->lanes.at[i];
        uint32_t of = last->lanes.at[i];
        uint32_t before = regions->last_but_one->lanes.at[i];
        const struct ring_lane *fixed = &regions->fixed[lane];
        struct cs_path later =
            cs_path_since(&regions->lanes[of].path, &regions->lanes[before].path);

        regions->lanes[lane] = regions->lanes[of];
        regions->lanes[lane].path = cs_path_after(regions->lanes[of].path, &later, 1);
        cs_region_end_lane(regions, lane);
        regions->begun += fixed->rounds;
        regions->jumped += fixed->to == CS_NONE ? 0 : fixed->rounds - fixed->idle;
        if (fixed->outlet != CS_NONE)
            cs_arrivals_copy(&inlet_behind(regions, lane)->arrivals,
                             &inlet_behind(regions, of)->arrivals,
                             &inlet_behind(regions, before)->arrivals);
    }
    for (uint32_t i = 0; i < last->links.count; i++)
        regions->traffic.use[regions->link_images[last->links.at[i]]] =
            regions->traffic.use[last->links.at[i]];
    regions->result->waits += regions->last_waits;
    region->draws = last->draws;
    region->clock_ps = 2 * last->clock_ps - regions->last_but_one->clock_ps;
}

/* ---- turns ---- */

static void forget_arrivals(struct regions *regions, const struct region *region)
{
    for (uint32_t i = 0; region && i < region->inlets.count; i++)
        cs_arrivals_free(&regions->inlets[region->inlets.at[i]].arrivals);
}

/* The region is the last one; NULL: it is none that others are compared with. */
static void use_as_last(struct regions *regions, struct region *region, bool is_like)
{
    forget_arrivals(regions, regions->last_but_one);
    regions->last_but_one = regions->last;
    regions->last = region;
    regions->last_is_like = is_like;
}

/* Runs the region, and puts back the arrivals that it took. */
static bool run_to_the_end(struct regions *regions, struct region *region)
{
    uint64_t waits = regions->result->waits;
    struct cs_arrivals *kept = cs_grow(NULL, region->inlets.count, sizeof(*kept));

    regions->draws = 0;
    for (uint32_t i = 0; i < region->inlets.count; i++) {
        kept[i] = (struct cs_arrivals){0};
        cs_arrivals_copy(&kept[i], arrivals_at(regions, region, i), NULL);
    }
    while (cs_region_run(regions, region) && region->unfinished)
        continue;
    forget_arrivals(regions, region);
    for (uint32_t i = 0; i < region->inlets.count; i++)
        regions->inlets[region->inlets.at[i]].arrivals = kept[i];
    free(kept);
    regions->last_waits = regions->result->waits - waits;
    region->draws = regions->draws;
    return region->unfinished == 0;
}

bool cs_region_take_turn(struct regions *regions, struct region *region)
{
    bool is_like;

    if (region->starts || regions->lanes[*region->lanes.at].round > 0)
        return cs_region_run(regions, region);
    if (cs_region_known_until_ps(regions, region) < UINT64_MAX)
        return !regions->waits && cs_region_run(regions, region);
    is_like = regions->last && region_is_like(regions, regions->last, region);
    if (is_like && regions->last_is_like && arrivals_go_on(regions, region))
        take_image(regions, region);
    else if (!run_to_the_end(regions, region))
        return false; /* time is over */
    use_as_last(regions, region, is_like);
    return true;
}
