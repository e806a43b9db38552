#include "sim/fold/region_cycle.h"

#include "sim/base/collections/hash.h"
#include "sim/base/mem.h"
#include "sim/fold/region_events.h"
#include "sim/fold/region_jump.h"
#include "sim/fold/region_shot.h"

enum {
    SETTLE_MAX = 16,  /* further periods until critical paths settle */
    FAILURES_MAX = 6, /* as a power of two: the longest pause, in tests */
    REFUTED = 2,      /* failures of a period that was known */
};

/* The growth of the last period. */
static void keep_cycle(struct region *region, const struct regions *regions)
{
    const struct region_shot *shots = regions->search.shots;
    struct region_cycle *cycle = &region->cycle;
    uint32_t i;

    if (!cycle->rounds) {
        cycle->rounds =
            cs_grow(NULL, region->lanes.count, sizeof(*cycle->rounds));
        cycle->paths =
            cs_grow(NULL, (size_t)PATHS_OF_LANE * region->lanes.count,
                    sizeof(*cycle->paths));
        cycle->use = cs_grow(NULL, region->links.count, sizeof(*cycle->use));
    }
    cycle->is_valid = true;
    cycle->period_ps = shots[2].now_ps - shots[1].now_ps;
    cycle->waits = shots[2].waits - shots[1].waits;
    for (i = 0; i < region->lanes.count; i++)
        cycle->rounds[i] = shots[2].rounds[i] - shots[1].rounds[i];
    for (i = 0; i < PATHS_OF_LANE * region->lanes.count; i++)
        cycle->paths[i] = cs_path_since(&shots[2].paths[i], &shots[1].paths[i]);
    for (i = 0; i < region->links.count; i++)
        cycle->use[i] = cs_link_use_since(&shots[2].use[i], &shots[1].use[i]);
}

/* ---- the search ---- */

static void forget_states(struct region_search *search)
{
    search->tests = search->period = search->taken = search->settling = 0;
    search->pause = search->failures = 0;
    search->round = UINT32_MAX;
    search->anchor_ps = UINT64_MAX;
}

void cs_region_begin_search(struct regions *regions, struct region *region)
{
    struct region_search *search = &regions->search;

    forget_states(search);
    if (region->period_ps == 0)
        return;
    cs_region_save(regions, region, NULL);
    cs_region_shoot(&search->shots[search->taken++], regions, region);
    search->anchor_ps = region->clock_ps + region->period_ps;
    cs_region_load(regions, region);
}

static void drop_candidate(struct region_search *search)
{
    search->period = search->taken = search->settling = 0;
    search->failures += search->failures < FAILURES_MAX;
    search->pause = search->tests + (1U << search->failures);
}

/* Of the lanes alone: different for different states, mostly. */
static uint64_t region_hash(const struct regions *regions,
                            const struct region *region)
{
    uint32_t first = regions->lanes[*region->lanes.at].round;
    uint64_t sum = 0;
    uint32_t i;

    for (i = 0; i < region->lanes.count; i++) {
        const struct region_lane *lane = &regions->lanes[region->lanes.at[i]];
        uint64_t hash =
            cs_hash_mix(i, lane->pending | lane->early << 4 |
                               (uint64_t)(lane->round - first) << 32);

        sum += cs_hash_mix(hash, regions->traffic.events.now_ps -
                                     cs_path_ps(&lane->path));
    }
    return sum;
}

/* The tests since the state with this hash, of the last ones; or 0. */
static uint32_t tests_since(struct region_search *search, uint64_t hash)
{
    uint32_t since;
    uint32_t found = 0;

    for (since = 1; since <= CS_ARRIVALS_PERIOD && since <= search->tests;
         since++)
        if (search->hashes[(search->tests - since) % CS_ARRIVALS_PERIOD] ==
                hash &&
            !found)
            found = since;
    search->hashes[search->tests++ % CS_ARRIVALS_PERIOD] = hash;
    return found;
}

/* The oldest shot gives its room to the next one. */
static struct region_shot *next_shot(struct region_search *search)
{
    struct region_shot oldest = search->shots[0];

    if (search->taken < REGION_SHOTS)
        return &search->shots[search->taken++];
    search->shots[0] = search->shots[1];
    search->shots[1] = search->shots[2];
    search->shots[2] = oldest;
    return &search->shots[2];
}

/* Takes the next shot of the candidate: whether a period is proven. */
static bool follow_candidate(struct regions *regions,
                             const struct region *region)
{
    struct region_search *search = &regions->search;
    struct region_shot *shot = next_shot(search);

    search->due += search->period;
    cs_region_shoot(shot, regions, region);
    if (search->taken > 1 && !cs_region_shots_equal(shot - 1, shot)) {
        drop_candidate(search);
        return false;
    }
    if (search->taken < REGION_SHOTS)
        return false;
    if (cs_region_growth_is_equal(search->shots, region))
        return true;
    if (++search->settling > SETTLE_MAX)
        drop_candidate(search);
    return false;
}

/* Whether a shot is due, of the candidate or of a new one. */
static bool shot_is_due(struct regions *regions, const struct region *region)
{
    struct region_search *search = &regions->search;
    uint32_t round = regions->lanes[*region->lanes.at].round;
    uint32_t since;

    if (round == search->round || round == regions->rounds)
        return false;
    search->round = round;
    since = tests_since(search, region_hash(regions, region));
    if (search->period)
        return search->tests == search->due;
    if (since == 0 || search->tests < search->pause)
        return false;
    search->period = since;
    search->due = search->tests;
    return true;
}

void cs_region_search(struct regions *regions, struct region *region)
{
    if (regions->search.anchor_ps != UINT64_MAX ||
        !shot_is_due(regions, region))
        return;
    cs_region_save(regions, region, NULL);
    if (follow_candidate(regions, region)) {
        keep_cycle(region, regions);
        region->period_ps = region->cycle.period_ps;
        if (cs_region_jump(regions, region))
            forget_states(&regions->search);
        region->cycle.is_valid = false;
    }
    cs_region_load(regions, region);
}

bool cs_region_prove(struct regions *regions, struct region *region,
                     const struct cs_event *next)
{
    struct region_search *search = &regions->search;

    cs_region_save(regions, region, next);
    region->clock_ps = search->anchor_ps;
    search->period = 0;
    if (follow_candidate(regions, region)) {
        keep_cycle(region, regions);
        forget_states(search);
        return true;
    }
    search->anchor_ps += region->period_ps;
    if (search->failures == REFUTED) {
        region->period_ps = 0;
        forget_states(search);
    } else if (search->taken == 0) {
        cs_region_shoot(&search->shots[search->taken++], regions, region);
    }
    return false;
}
