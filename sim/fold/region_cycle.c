#include "sim/fold/region_cycle.h"

#include "sim/base/collections/hash.h"
#include "sim/base/collections/vector.h"
#include "sim/base/mem.h"

#include <string.h>

enum {
    SETTLE_MAX = 16,   /* further periods until critical paths settle */
    FAILURES_MAX = 6,  /* as a power of two: the longest pause, in tests */
    PATHS_OF_LANE = 3, /* the lane's, its message's, the next arrival's */
};

/* ---- events ---- */

void cs_region_load(struct regions *regions, const struct region *region)
{
    struct cs_events *events = &regions->traffic.events;
    uint32_t i;

    cs_events_restart(events, region->clock_ps);
    for (i = 0; i < region->event_count; i++)
        cs_events_add(events, region->events[i].at_ps, region->events[i].kind,
                      region->events[i].number);
    regions->loaded += region->event_count;
}

static void region_keep(struct region *region, const struct cs_event *event)
{
    region->events =
        cs_vector_room(region->events, region->event_count + 1,
                       &region->event_room, sizeof(*region->events));
    region->events[region->event_count++] = *event;
}

void cs_region_save(struct regions *regions, struct region *region,
                    const struct cs_event *first)
{
    struct cs_event event;

    region->clock_ps = regions->traffic.events.now_ps;
    region->event_count = 0;
    if (first)
        region_keep(region, first);
    while (cs_events_next(&regions->traffic.events, &event))
        region_keep(region, &event);
}

/* ---- shots ---- */

static void shot_word(struct region_shot *shot, uint64_t word)
{
    shot->words = cs_vector_room(shot->words, shot->count + 1, &shot->room,
                                 sizeof(*shot->words));
    shot->words[shot->count++] = word;
}

/* 0 where the time is over. */
static uint64_t time_to_come(uint64_t at_ps, uint64_t now_ps)
{
    return at_ps >= now_ps ? at_ps - now_ps + 1 : 0;
}

static void shot_message(struct region_shot *shot,
                         const struct cs_message *message)
{
    shot_word(shot, message->hop);
    shot_word(shot, message->sent_ps - shot->now_ps);
    shot_word(shot, message->head_ps - shot->now_ps);
    shot_word(shot, message->tail_ps - shot->now_ps);
    shot_word(shot, message->latency_ps);
    shot_word(shot, message->wait_ps);
    shot_word(shot, message->own_ps);
}

static void shot_lane(struct region_shot *shot, const struct regions *regions,
                      const struct region *region, uint32_t i)
{
    uint32_t lane = region->lanes.at[i];
    const struct region_lane *own = &regions->lanes[lane];
    const struct ring_lane *fixed = &regions->fixed[lane];
    struct cs_path *paths = &shot->paths[(size_t)PATHS_OF_LANE * i];

    shot_word(shot, (uint64_t)own->early << 32 | own->pending << 4 |
                        (uint32_t)own->receives << 3 |
                        (uint32_t)own->flies << 2 | (uint32_t)own->lands << 1 |
                        (uint32_t)(own->round <= regions->sums));
    shot_word(shot, own->round - regions->lanes[*region->lanes.at].round);
    shot->rounds[i] = own->round;
    paths[0] = own->path;
    paths[1] = paths[2] = (struct cs_path){0};
    if (own->flies) {
        paths[1] = regions->traffic.messages[lane].path;
        shot_message(shot, &regions->traffic.messages[lane]);
    }
    if (fixed->inlet != CS_NONE && regions->inlets[fixed->inlet].waits)
        paths[2] = regions->inlets[fixed->inlet].next;
}

/* No message reaches the resource before now, so an earlier begin of the streak has
 * the effect of a begin now. */
static void shot_resource(struct region_shot *shot,
                          const struct regions *regions, uint32_t number)
{
    const struct cs_resource *resource = &regions->traffic.resources[number];
    uint64_t now_ps = shot->now_ps;

    shot_word(shot, time_to_come(resource->free_ps, now_ps));
    if (resource->free_ps >= now_ps) {
        shot_word(shot, time_to_come(resource->since_ps, now_ps + 1));
        shot_word(shot, resource->src);
    }
    if (regions->traffic.ties) {
        const struct cs_tie *tie = &regions->traffic.ties[number];

        shot_word(shot, time_to_come(tie->at_ps, now_ps));
        if (tie->at_ps >= now_ps) {
            shot_word(shot, tie->sent_ps - now_ps);
            shot_word(shot, (uint64_t)tie->lane << 32 | tie->block);
        }
    }
}

/* Room for the largest region. */
static void open_shot(struct region_shot *shot, const struct regions *regions)
{
    if (shot->paths)
        return;
    shot->rounds = cs_grow(NULL, regions->lanes_max, sizeof(*shot->rounds));
    shot->paths = cs_grow(NULL, (size_t)PATHS_OF_LANE * regions->lanes_max,
                          sizeof(*shot->paths));
    shot->use = cs_grow(NULL, regions->links_max, sizeof(*shot->use));
}

/* Of a region whose events are saved. */
static void take_shot(struct region_shot *shot, const struct regions *regions,
                      const struct region *region)
{
    uint32_t i;

    open_shot(shot, regions);
    shot->count = 0;
    shot->now_ps = region->clock_ps;
    shot->waits = regions->result->waits;
    for (i = 0; i < region->event_count; i++) {
        const struct cs_event *event = &region->events[i];

        shot_word(shot, event->at_ps - shot->now_ps);
        shot_word(shot, (uint64_t)event->kind << 32 | event->number);
    }
    for (i = 0; i < region->lanes.count; i++)
        shot_lane(shot, regions, region, i);
    for (i = 0; i < region->resources.count; i++)
        shot_resource(shot, regions, region->resources.at[i]);
    for (i = 0; i < region->links.count; i++)
        shot->use[i] = regions->traffic.use[region->links.at[i]];
}

static bool shots_equal(const struct region_shot *a,
                        const struct region_shot *b)
{
    return a->count == b->count &&
           memcmp(a->words, b->words, a->count * sizeof(*a->words)) == 0;
}

/* Whether rounds and paths have grown by equal amounts in the two periods. */
static bool growth_is_equal(const struct region_shot *shots,
                            const struct region *region)
{
    uint32_t i;

    for (i = 0; i < region->lanes.count; i++)
        if (shots[2].rounds[i] - shots[1].rounds[i] !=
            shots[1].rounds[i] - shots[0].rounds[i])
            return false;
    for (i = 0; i < PATHS_OF_LANE * region->lanes.count; i++) {
        struct cs_path before =
            cs_path_since(&shots[1].paths[i], &shots[0].paths[i]);
        struct cs_path after =
            cs_path_since(&shots[2].paths[i], &shots[1].paths[i]);

        if (!cs_path_equals(&before, &after))
            return false;
    }
    return shots[2].now_ps - shots[1].now_ps ==
           shots[1].now_ps - shots[0].now_ps;
}

/* ---- jumps ---- */

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
    for (i = 0; i < region->links.count; i++) {
        const struct cs_link_use *from = &shots[1].use[i];
        const struct cs_link_use *to = &shots[2].use[i];

        cycle->use[i] = (struct cs_link_use){to->busy_ps - from->busy_ps,
                                             to->bytes - from->bytes,
                                             to->messages - from->messages};
    }
}

/* Periods that the lane has rounds of one kind for; of a lane that has ended, or
 * stands still, any number. */
static uint64_t periods_of_rounds(const struct regions *regions,
                                  const struct region *region, uint32_t i)
{
    uint32_t round = regions->lanes[region->lanes.at[i]].round;
    uint32_t end = round <= regions->sums ? regions->sums : regions->rounds;

    return region->cycle.rounds[i] == 0
               ? UINT64_MAX
               : (end - round) / region->cycle.rounds[i];
}

/* Periods that the arrivals at the lane are known for. */
static uint64_t periods_of_arrivals(const struct regions *regions,
                                    const struct region *region, uint32_t i)
{
    uint32_t lane = region->lanes.at[i];
    struct region_inlet *inlet;

    if (regions->fixed[lane].inlet == CS_NONE ||
        region_lane_is_done(regions, lane))
        return UINT64_MAX;
    inlet = &regions->inlets[regions->fixed[lane].inlet];
    if (!inlet->waits || region->cycle.rounds[i] == 0)
        return 0;
    return cs_arrivals_periods(&inlet->arrivals, &inlet->next,
                               &region->cycle.paths[PATHS_OF_LANE * i + 2],
                               region->cycle.rounds[i]);
}

/* The messages to other regions in the period, as arrivals of the next one, and their
 * growth; false where they have no period. */
static bool emitted_period(const struct regions *regions,
                           const struct region *region, uint32_t i,
                           struct cs_path *next, struct cs_path *growth)
{
    const struct region_outlet *outlet =
        &regions->outlets[regions->fixed[region->lanes.at[i]].outlet];
    uint32_t count = region->cycle.rounds[i];
    uint32_t k;

    if (count > CS_ARRIVALS_PERIOD || outlet->count < 2 * (uint64_t)count)
        return false;
    for (k = 0; k < count; k++) {
        uint64_t number = outlet->count - count + k;
        const struct cs_path *last = &outlet->emitted[number % REGION_EMITTED];

        growth[k] = cs_path_since(
            last, &outlet->emitted[(number - count) % REGION_EMITTED]);
        next[k] = cs_path_after(*last, &growth[k], 1);
        if (cs_path_ps(&growth[k]) != region->cycle.period_ps)
            return false;
    }
    return true;
}

static bool emits_periods(const struct regions *regions,
                          const struct region *region)
{
    struct cs_path next[CS_ARRIVALS_PERIOD];
    struct cs_path growth[CS_ARRIVALS_PERIOD];
    uint32_t i;

    for (i = 0; i < region->lanes.count; i++)
        if (regions->fixed[region->lanes.at[i]].outlet != CS_NONE &&
            !emitted_period(regions, region, i, next, growth))
            return false;
    return true;
}

static void jump_outlet(struct regions *regions, const struct region *region,
                        uint32_t i, uint64_t periods)
{
    const struct ring_lane *fixed = &regions->fixed[region->lanes.at[i]];
    struct region_outlet *outlet = &regions->outlets[fixed->outlet];
    struct cs_path next[CS_ARRIVALS_PERIOD];
    struct cs_path growth[CS_ARRIVALS_PERIOD];
    uint32_t count = region->cycle.rounds[i];
    uint32_t k;

    if (count == 0 || !emitted_period(regions, region, i, next, growth))
        return;
    cs_arrivals_repeat(
        &regions->inlets[regions->fixed[fixed->to].inlet].arrivals, next,
        growth, count, periods);
    outlet->count += periods * count;
    for (k = 0; k < count; k++) {
        uint64_t number = outlet->count - count + k;

        outlet->emitted[number % REGION_EMITTED] =
            cs_path_after(next[k], &growth[k], periods - 1);
        outlet->emitted[(number - count) % REGION_EMITTED] = cs_path_since(
            &outlet->emitted[number % REGION_EMITTED], &growth[k]);
    }
}

static void jump_lane(struct regions *regions, const struct region *region,
                      uint32_t i, uint64_t periods)
{
    uint32_t lane = region->lanes.at[i];
    struct region_lane *own = &regions->lanes[lane];
    struct cs_message *message = &regions->traffic.messages[lane];
    const struct ring_lane *fixed = &regions->fixed[lane];
    const struct cs_path *growth =
        &region->cycle.paths[(size_t)PATHS_OF_LANE * i];
    uint64_t ahead_ps = periods * region->cycle.period_ps;
    uint64_t rounds = periods * region->cycle.rounds[i];

    own->path = cs_path_after(own->path, &growth[0], periods);
    own->round += (uint32_t)rounds;
    regions->begun += rounds;
    regions->jumped += rounds;
    if (own->flies) {
        message->sent_ps += ahead_ps;
        message->head_ps += ahead_ps;
        message->tail_ps += ahead_ps;
        message->path = cs_path_after(message->path, &growth[1], periods);
    }
    if (fixed->inlet != CS_NONE && rounds > 0) {
        struct region_inlet *inlet = &regions->inlets[fixed->inlet];

        cs_arrivals_skip(&inlet->arrivals, region->cycle.rounds[i], periods);
        inlet->next = cs_path_after(inlet->next, &growth[2], periods);
    }
    if (fixed->outlet != CS_NONE)
        jump_outlet(regions, region, i, periods);
}

static void jump_links(struct regions *regions, const struct region *region,
                       uint64_t periods)
{
    uint64_t ahead_ps = periods * region->cycle.period_ps;
    uint32_t i;

    for (i = 0; i < region->resources.count; i++) {
        struct cs_resource *resource =
            &regions->traffic.resources[region->resources.at[i]];

        resource->free_ps += ahead_ps;
        resource->since_ps += ahead_ps;
        if (regions->traffic.ties) {
            regions->traffic.ties[region->resources.at[i]].at_ps += ahead_ps;
            regions->traffic.ties[region->resources.at[i]].sent_ps += ahead_ps;
        }
    }
    for (i = 0; i < region->links.count; i++) {
        struct cs_link_use *use = &regions->traffic.use[region->links.at[i]];
        const struct cs_link_use *growth = &region->cycle.use[i];

        use->busy_ps += periods * growth->busy_ps;
        use->bytes += periods * growth->bytes;
        use->messages += periods * growth->messages;
    }
}

static void jump_periods(struct regions *regions, struct region *region,
                         uint64_t periods)
{
    uint64_t ahead_ps = periods * region->cycle.period_ps;
    uint32_t i;

    for (i = 0; i < region->lanes.count; i++)
        jump_lane(regions, region, i, periods);
    jump_links(regions, region, periods);
    for (i = 0; i < region->event_count; i++)
        region->events[i].at_ps += ahead_ps;
    region->clock_ps += ahead_ps;
    regions->result->waits += periods * region->cycle.waits;
}

/* Periods that rounds allow, and of these the ones that arrivals allow. */
static uint64_t count_periods(const struct regions *regions,
                              const struct region *region, uint64_t *of_rounds)
{
    uint64_t most;
    uint32_t i;

    *of_rounds = UINT64_MAX;
    for (i = 0; i < region->lanes.count; i++) {
        uint64_t periods = periods_of_rounds(regions, region, i);

        *of_rounds = periods < *of_rounds ? periods : *of_rounds;
    }
    most = *of_rounds;
    for (i = 0; i < region->lanes.count && most > 0; i++) {
        uint64_t periods = periods_of_arrivals(regions, region, i);

        most = periods < most ? periods : most;
    }
    if (most == UINT64_MAX || !emits_periods(regions, region) ||
        most >= CS_TIME_MAX_PS / 2 / (region->cycle.period_ps + 1) ||
        most * region->cycle.period_ps >
            CS_TIME_MAX_PS / 2 - region->clock_ps / 2)
        return 0;
    return most;
}

bool cs_region_jump(struct regions *regions, struct region *region)
{
    uint64_t of_rounds;
    uint64_t periods = count_periods(regions, region, &of_rounds);

    if (periods == 0)
        return false;
    jump_periods(regions, region, periods);
    region->cycle.is_valid = periods < of_rounds;
    return true;
}

/* ---- the search ---- */

static void forget_states(struct region_search *search)
{
    search->tests = search->period = search->taken = search->settling = 0;
    search->pause = search->failures = 0;
    search->round = UINT32_MAX;
    search->anchor_ps = UINT64_MAX;
}

void cs_region_begin_search(struct regions *regions,
                            const struct region *region)
{
    forget_states(&regions->search);
    if (region->period_ps > 0 && regions->lanes[*region->lanes.at].round > 0) {
        take_shot(&regions->search.shots[regions->search.taken++], regions,
                  region);
        regions->search.anchor_ps = region->clock_ps + region->period_ps;
    }
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
    take_shot(shot, regions, region);
    if (search->taken > 1 && !shots_equal(shot - 1, shot)) {
        drop_candidate(search);
        return false;
    }
    if (search->taken < REGION_SHOTS)
        return false;
    if (growth_is_equal(search->shots, region))
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
    if (search->taken == 0) { /* refuted */
        region->period_ps = 0;
        forget_states(search);
    }
    return false;
}
