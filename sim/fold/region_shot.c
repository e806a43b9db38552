#include "sim/fold/region_shot.h"

#include "sim/base/collections/vector.h"
#include "sim/base/mem.h"

#include <string.h>

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
    if (fixed->inlet != CS_NONE)
        paths[2] = regions->inlets[fixed->inlet].last;
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
            shot_word(shot, (uint64_t)tie->lane << 32 |
                                cs_traffic_block(&regions->traffic, tie->rank));
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

void cs_region_shoot(struct region_shot *shot, const struct regions *regions,
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

bool cs_region_shots_equal(const struct region_shot *a,
                           const struct region_shot *b)
{
    return a->count == b->count &&
           memcmp(a->words, b->words, a->count * sizeof(*a->words)) == 0;
}

bool cs_region_growth_is_equal(const struct region_shot *shots,
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
