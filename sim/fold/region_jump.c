#include "sim/fold/region_state.h"

/* Rounds of the lane that are of the kind of the one that has begun, with messages of
 * one size: those that arrived early too. */
static uint32_t rounds_of_kind(const struct regions *regions, uint32_t lane)
{
    const struct ring_lane *fixed = &regions->fixed[lane];
    const struct region_lane *own = &regions->lanes[lane];
    uint32_t longer = fixed->from == CS_NONE ? 0 : regions->fixed[fixed->from].longer;
    const uint32_t ends[] = {fixed->idle, fixed->sums, fixed->idle + fixed->longer,
                             fixed->receives};
    uint32_t end = fixed->rounds;

    for (uint32_t i = 0; i < 4; i++)
        if (own->round <= ends[i] && ends[i] < end)
            end = ends[i];
    if (own->round <= longer && longer < end + own->early)
        end = longer < own->round + own->early ? own->round : longer - own->early;
    return end - own->round;
}

/* Periods that the lane has rounds of one kind for; of a lane that has ended, or
 * stands still, any number. */
static uint64_t periods_of_rounds(const struct regions *regions, const struct region *region,
                                  uint32_t i)
{
    uint32_t rounds = region->cycle.rounds[i];

    return rounds == 0 ? UINT64_MAX : rounds_of_kind(regions, region->lanes.at[i]) / rounds;
}

/* The growth of the last arrival; false where that is not by the period. */
static bool arrivals_keep_time(const struct region *region, uint32_t i,
                               const struct cs_path **growth)
{
    *growth = &region->cycle.paths[(size_t)PATHS_OF_LANE * i + 2];
    return cs_path_ps(*growth) == region->cycle.period_ps;
}

/* Whether the arrival behind those of the periods comes no sooner than their end: as
 * it waits, or as it is unknown. */
static bool arrival_stays_ahead(const struct regions *regions, const struct region *region,
                                uint32_t i, uint64_t periods)
{
    const struct ring_lane *fixed = &regions->fixed[region->lanes.at[i]];
    uint64_t end_ps = region->clock_ps + periods * region->cycle.period_ps;
    struct cs_path next;

    return cs_arrivals_peek(&regions->inlets[fixed->inlet].arrivals,
                            periods * region->cycle.rounds[i], &next)
               ? cs_path_ps(&next) >= end_ps
               : cs_region_soonest_ps(regions, fixed->from) >= end_ps;
}

/* Periods that the arrivals at the lane are known for.  In one less the arrival behind
 * them is that of the last period. */
static uint64_t periods_of_arrivals(const struct regions *regions, const struct region *region,
                                    uint32_t i)
{
    uint32_t lane = region->lanes.at[i];
    struct region_inlet *inlet;
    const struct cs_path *growth;
    uint64_t periods;

    if (regions->fixed[lane].inlet == CS_NONE || region_lane_is_done(regions, lane))
        return UINT64_MAX;
    inlet = &regions->inlets[regions->fixed[lane].inlet];
    if (region->cycle.rounds[i] == 0 || !arrivals_keep_time(region, i, &growth))
        return 0;
    periods = cs_arrivals_periods(&inlet->arrivals, &inlet->last, growth, region->cycle.rounds[i]);
    return periods > 0 && !arrival_stays_ahead(regions, region, i, periods) ? periods - 1 : periods;
}

/* The messages to other regions in the period, as arrivals of the next one, and their
 * growth; false where they have no period. */
static bool emitted_period(const struct region_outlet *outlet, uint32_t count, uint64_t period_ps,
                           struct cs_path *next, struct cs_path *growth)
{
    if (count > CS_ARRIVALS_PERIOD || outlet->count < 2 * (uint64_t)count)
        return false;
    for (uint32_t k = 0; k < count; k++) {
        uint64_t number = outlet->count - count + k;
        const struct cs_path *last = &outlet->emitted[number % REGION_EMITTED];

        growth[k] = cs_path_since(last, &outlet->emitted[(number - count) % REGION_EMITTED]);
        next[k] = cs_path_after(*last, &growth[k], 1);
        if (cs_path_ps(&growth[k]) != period_ps)
            return false;
    }
    return true;
}

static bool emits_periods(const struct regions *regions, const struct region *region)
{
    struct cs_path next[CS_ARRIVALS_PERIOD];
    struct cs_path growth[CS_ARRIVALS_PERIOD];

    for (uint32_t i = 0; i < region->lanes.count; i++) {
        uint32_t outlet = regions->fixed[region->lanes.at[i]].outlet;

        if (outlet != CS_NONE && !emitted_period(&regions->outlets[outlet], region->cycle.rounds[i],
                                                 region->cycle.period_ps, next, growth))
            return false;
    }
    return true;
}

static void jump_outlet(struct regions *regions, const struct region *region, uint32_t i,
                        uint64_t periods)
{
    const struct ring_lane *fixed = &regions->fixed[region->lanes.at[i]];
    struct region_outlet *outlet = &regions->outlets[fixed->outlet];
    struct cs_path next[CS_ARRIVALS_PERIOD];
    struct cs_path growth[CS_ARRIVALS_PERIOD];
    uint32_t count = region->cycle.rounds[i];

    if (count == 0 || !emitted_period(outlet, count, region->cycle.period_ps, next, growth))
        return;
    cs_arrivals_repeat(&regions->inlets[regions->fixed[fixed->to].inlet].arrivals, next, growth,
                       count, periods);
    outlet->count += periods * count;
    for (uint32_t k = 0; k < count; k++) {
        uint64_t number = outlet->count - count + k;

        outlet->emitted[number % REGION_EMITTED] = cs_path_after(next[k], &growth[k], periods - 1);
        outlet->emitted[(number - count) % REGION_EMITTED] =
            cs_path_since(&outlet->emitted[number % REGION_EMITTED], &growth[k]);
    }
}

static void jump_outlets(struct regions *regions, const struct region *region, uint64_t periods)
{
    for (uint32_t i = 0; i < region->lanes.count; i++)
        if (regions->fixed[region->lanes.at[i]].outlet != CS_NONE)
            jump_outlet(regions, region, i, periods);
}

static void jump_lane(struct regions *regions, const struct region *region, uint32_t i,
                      uint64_t periods)
{
    uint32_t lane = region->lanes.at[i];
    struct region_lane *own = &regions->lanes[lane];
    struct cs_message *message = &regions->traffic.messages[lane];
    const struct ring_lane *fixed = &regions->fixed[lane];
    const struct cs_path *growth = &region->cycle.paths[(size_t)PATHS_OF_LANE * i];
    uint64_t ahead_ps = periods * region->cycle.period_ps;
    uint64_t rounds = periods * region->cycle.rounds[i];

    own->path = cs_path_after(own->path, &growth[0], periods);
    own->round += (uint32_t)rounds;
    regions->begun += rounds;
    regions->jumped += fixed->to == CS_NONE ? 0 : rounds;
    if (own->flies) {
        message->sent_ps += ahead_ps;
        message->head_ps += ahead_ps;
        message->tail_ps += ahead_ps;
        message->path = cs_path_after(message->path, &growth[1], periods);
    }
    if (fixed->inlet != CS_NONE && rounds > 0) {
        struct region_inlet *inlet = &regions->inlets[fixed->inlet];

        cs_arrivals_skip(&inlet->arrivals, region->cycle.rounds[i], periods);
        inlet->last = cs_path_after(inlet->last, &growth[2], periods);
    }
}

static void jump_links(struct regions *regions, const struct region *region, uint64_t periods)
{
    uint64_t ahead_ps = periods * region->cycle.period_ps;

    for (uint32_t i = 0; i < region->resources.count; i++)
        cs_traffic_shift_resource(&regions->traffic, region->resources.at[i], ahead_ps);
    for (uint32_t i = 0; i < region->links.count; i++)
        cs_link_use_grow(&regions->traffic.use[region->links.at[i]], &region->cycle.use[i],
                         periods);
}

static void jump_periods(struct regions *regions, struct region *region, uint64_t periods)
{
    uint64_t ahead_ps = periods * region->cycle.period_ps;

    for (uint32_t i = 0; i < region->lanes.count; i++)
        jump_lane(regions, region, i, periods);
    jump_links(regions, region, periods);
    for (uint32_t i = 0; i < region->event_count; i++)
        region->events[i].at_ps += ahead_ps;
    region->clock_ps += ahead_ps;
    regions->result->waits += periods * region->cycle.waits;
}

/* Periods that rounds and the end of time allow; 0: messages to other regions have no
 * period. */
static uint64_t periods_of_region(const struct regions *regions, const struct region *region)
{
    uint64_t most = UINT64_MAX;

    for (uint32_t i = 0; i < region->lanes.count; i++) {
        uint64_t periods = periods_of_rounds(regions, region, i);

        most = periods < most ? periods : most;
    }
    if (most == UINT64_MAX || !emits_periods(regions, region) ||
        most >= CS_TIME_MAX_PS / 2 / (region->cycle.period_ps + 1) ||
        most * region->cycle.period_ps > CS_TIME_MAX_PS / 2 - region->clock_ps / 2)
        return 0;
    return most;
}

bool cs_region_jump(struct regions *regions, struct region *region)
{
    uint64_t of_region = periods_of_region(regions, region);
    uint64_t most = of_region;

    for (uint32_t i = 0; i < region->lanes.count && most > 0; i++) {
        uint64_t periods = periods_of_arrivals(regions, region, i);

        most = periods < most ? periods : most;
    }
    if (most == 0)
        return false;
    jump_outlets(regions, region, most);
    jump_periods(regions, region, most);
    region->cycle.is_valid = most < of_region;
    return true;
}

/* ---- jumps of all regions ---- */

/* Whether the arrivals by the lane that wait, and those of further periods, continue
 * the period of the region that they reach. */
static bool outlet_goes_on(const struct regions *regions, const struct region *region, uint32_t i)
{
    const struct ring_lane *lane = &regions->fixed[region->lanes.at[i]];
    const struct ring_lane *to = &regions->fixed[lane->to];
    const struct region *next = &regions->region[to->region];
    struct region_inlet *inlet = &regions->inlets[to->inlet];
    struct cs_path first[CS_ARRIVALS_PERIOD];
    struct cs_path first_growth[CS_ARRIVALS_PERIOD];
    uint32_t count = region->cycle.rounds[i];
    const struct cs_path *growth;

    return count > 0 && count == next->cycle.rounds[to->place] &&
           arrivals_keep_time(next, to->place, &growth) &&
           emitted_period(&regions->outlets[lane->outlet], count, region->cycle.period_ps, first,
                          first_growth) &&
           cs_arrivals_go_on(&inlet->arrivals, &inlet->last, growth, first, first_growth, count);
}

static bool region_goes_on(const struct regions *regions, const struct region *region)
{
    for (uint32_t i = 0; i < region->lanes.count; i++)
        if (regions->fixed[region->lanes.at[i]].outlet != CS_NONE &&
            !outlet_goes_on(regions, region, i))
            return false;
    return true;
}

/* The periods that all regions have in common. */
static uint64_t periods_of_all(const struct regions *regions)
{
    uint64_t most = UINT64_MAX;

    for (uint32_t i = 0; i < regions->count && most > 0; i++) {
        const struct region *region = &regions->region[i];
        uint64_t periods = 0;

        if (region->cycle.is_valid &&
            region->cycle.period_ps == regions->region[0].cycle.period_ps &&
            region_goes_on(regions, region))
            periods = periods_of_region(regions, region);
        most = periods < most ? periods : most;
    }
    return most;
}

bool cs_regions_jump(struct regions *regions)
{
    uint64_t periods;

    /* Before the arrivals of all are compared. */
    for (uint32_t i = 0; i < regions->count; i++)
        if (!regions->region[i].cycle.is_valid)
            return false;
    periods = periods_of_all(regions);
    if (periods == 0)
        return false;
    for (uint32_t i = 0; i < regions->count; i++)
        jump_outlets(regions, &regions->region[i], periods);
    for (uint32_t i = 0; i < regions->count; i++) {
        struct region *region = &regions->region[i];

        jump_periods(regions, region, periods);
        region->cycle.is_valid = periods_of_region(regions, region) > 0;
    }
    return true;
}
