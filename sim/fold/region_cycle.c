#include "sim/fold/region_state.h"

#include "sim/base/hash.h"
#include "sim/base/mem.h"

enum {
    FAILURES_MAX = 6,
    REFUTED = 2, /* failures of a period that was known */
};

/* ---- shots (sim/engine/shot.h) ---- */

/* PATHS_OF_LANE paths. */
static void shot_lane(struct cs_shot *shot, const struct regions *regions,
                      const struct region *region, uint32_t i)
{
    static const struct cs_path none;
    uint32_t lane = region->lanes.at[i];
    const struct region_lane *own = &regions->lanes[lane];
    const struct ring_lane *fixed = &regions->fixed[lane];

    cs_shot_word(shot, (uint64_t)own->early << 32 | own->pending << 4 |
                           (uint32_t)own->receives << 3 | (uint32_t)own->flies << 2 |
                           (uint32_t)own->lands << 1 | (uint32_t)(own->round <= fixed->sums));
    cs_shot_word(shot, own->round - regions->lanes[*region->lanes.at].round);
    cs_shot_round(shot, own->round);
    cs_shot_path(shot, lane, CS_PATH_OF_LANE, &own->path);
    if (own->flies)
        cs_shot_flight(shot, &regions->traffic, lane);
    else
        cs_shot_path(shot, lane, CS_PATH_OF_MESSAGE, &none);
    cs_shot_path(shot, lane, CS_PATH_OF_RECEIVE,
                 fixed->inlet == CS_NONE ? &none : &regions->inlets[fixed->inlet].last);
}

/* The state of a region whose events are saved.  O(events + lanes + links). */
static void region_shoot(struct cs_shot *shot, const struct regions *regions,
                         const struct region *region)
{
    cs_shot_begin(shot, region->clock_ps);
    shot->waits = regions->result->waits;
    for (uint32_t i = 0; i < region->event_count; i++) {
        const struct cs_event *event = &region->events[i];

        cs_shot_word(shot, event->at_ps - shot->now_ps);
        cs_shot_pair(shot, event->kind, event->number);
    }
    for (uint32_t i = 0; i < region->lanes.count; i++)
        shot_lane(shot, regions, region, i);
    for (uint32_t i = 0; i < region->resources.count; i++)
        cs_shot_resource(shot, &regions->traffic, region->resources.at[i]);
    for (uint32_t i = 0; i < region->links.count; i++)
        cs_shot_use(shot, &regions->traffic.use[region->links.at[i]]);
}

/* The growth of the last period. */
static void keep_cycle(struct region *region, const struct regions *regions)
{
    const struct cs_shot *shots = regions->search.shots;
    struct region_cycle *cycle = &region->cycle;

    if (!cycle->rounds) {
        cycle->rounds = cs_grow(NULL, region->lanes.count, sizeof(*cycle->rounds));
        cycle->paths =
            cs_grow(NULL, (size_t)PATHS_OF_LANE * region->lanes.count, sizeof(*cycle->paths));
        cycle->use = cs_grow(NULL, region->links.count, sizeof(*cycle->use));
    }
    cycle->is_valid = true;
    cycle->period_ps = shots[2].now_ps - shots[1].now_ps;
    cycle->waits = shots[2].waits - shots[1].waits;
    for (uint32_t i = 0; i < region->lanes.count; i++)
        cycle->rounds[i] = (uint32_t)(shots[2].rounds[i] - shots[1].rounds[i]);
    for (uint32_t i = 0; i < PATHS_OF_LANE * region->lanes.count; i++)
        cycle->paths[i] = cs_path_since(&shots[2].paths[i].path, &shots[1].paths[i].path);
    for (uint32_t i = 0; i < region->links.count; i++)
        cycle->use[i] = cs_link_use_since(&shots[2].use[i], &shots[1].use[i]);
}

/* ---- the search ---- */

static void forget_states(struct regions *regions)
{
    cs_period_forget(&regions->search);
    regions->search.failures_max = FAILURES_MAX;
    regions->search_round = UINT32_MAX;
    regions->anchor_ps = UINT64_MAX;
}

/* Takes the next shot of the candidate. */
static void take_shot(struct regions *regions, const struct region *region)
{
    region_shoot(cs_period_next(&regions->search), regions, region);
}

void cs_region_begin_search(struct regions *regions, struct region *region)
{
    forget_states(regions);
    if (region->period_ps == 0)
        return;
    cs_region_save(regions, region, NULL);
    take_shot(regions, region);
    regions->anchor_ps = region->clock_ps + region->period_ps;
    cs_region_load(regions, region);
}

/* Of the lanes alone: different for different states, mostly. */
static uint64_t region_hash(const struct regions *regions, const struct region *region)
{
    uint32_t first = regions->lanes[*region->lanes.at].round;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < region->lanes.count; i++) {
        const struct region_lane *lane = &regions->lanes[region->lanes.at[i]];
        uint64_t hash = cs_hash_mix(i, lane->pending | lane->early << 4 |
                                           (uint64_t)(lane->round - first) << 32);

        sum += cs_hash_mix(hash, regions->traffic.events.now_ps - cs_path_ps(&lane->path));
    }
    return sum;
}

/* The tests since the state with this hash, of the last ones; or 0. */
static uint32_t tests_since(struct regions *regions, uint64_t hash)
{
    uint64_t *hashes = regions->search_hashes;
    uint32_t tests = regions->search.tests++;
    uint32_t found = 0;

    for (uint32_t since = 1; since <= CS_ARRIVALS_PERIOD && since <= tests && !found; since++)
        if (hashes[(tests - since) % CS_ARRIVALS_PERIOD] == hash)
            found = since;
    hashes[tests % CS_ARRIVALS_PERIOD] = hash;
    return found;
}

/* Whether a shot is due, of the candidate or of a new one. */
static bool shot_is_due(struct regions *regions, const struct region *region)
{
    uint32_t round = regions->lanes[*region->lanes.at].round;

    if (round == regions->search_round || round == regions->fixed[*region->lanes.at].rounds)
        return false;
    regions->search_round = round;
    return cs_period_is_due(&regions->search, tests_since(regions, region_hash(regions, region)));
}

void cs_region_search(struct regions *regions, struct region *region)
{
    if (regions->anchor_ps != UINT64_MAX || !shot_is_due(regions, region))
        return;
    cs_region_save(regions, region, NULL);
    take_shot(regions, region);
    if (cs_period_is_proven(&regions->search)) {
        keep_cycle(region, regions);
        region->period_ps = region->cycle.period_ps;
        if (cs_region_jump(regions, region))
            forget_states(regions);
        region->cycle.is_valid = false;
    }
    cs_region_load(regions, region);
}

bool cs_region_prove(struct regions *regions, struct region *region, const struct cs_event *next)
{
    struct cs_period_search *search = &regions->search;

    cs_region_save(regions, region, next);
    region->clock_ps = regions->anchor_ps;
    search->period = 0;
    take_shot(regions, region);
    if (cs_period_is_proven(search)) {
        keep_cycle(region, regions);
        forget_states(regions);
        return true;
    }
    regions->anchor_ps += region->period_ps;
    if (search->failures == REFUTED) {
        region->period_ps = 0;
        forget_states(regions);
    } else if (search->taken == 0) {
        take_shot(regions, region);
    }
    return false;
}
