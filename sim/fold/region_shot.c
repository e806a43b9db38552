#include "sim/fold/region_shot.h"

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
                           (uint32_t)own->lands << 1 | (uint32_t)(own->round <= regions->sums));
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

void cs_region_shoot(struct cs_shot *shot, const struct regions *regions,
                     const struct region *region)
{
    uint32_t i;

    cs_shot_begin(shot, region->clock_ps);
    shot->waits = regions->result->waits;
    for (i = 0; i < region->event_count; i++) {
        const struct cs_event *event = &region->events[i];

        cs_shot_word(shot, event->at_ps - shot->now_ps);
        cs_shot_pair(shot, event->kind, event->number);
    }
    for (i = 0; i < region->lanes.count; i++)
        shot_lane(shot, regions, region, i);
    for (i = 0; i < region->resources.count; i++)
        cs_shot_resource(shot, &regions->traffic, region->resources.at[i]);
    for (i = 0; i < region->links.count; i++)
        cs_shot_use(shot, &regions->traffic.use[region->links.at[i]]);
}
