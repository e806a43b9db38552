#include "sim/fold/region_state.h"

#include "sim/base/collections/vector.h"

uint64_t cs_region_soonest_ps(const struct regions *regions, uint32_t lane)
{
    const struct ring_lane *fixed = &regions->fixed[lane];
    const struct region_lane *from = &regions->lanes[lane];
    const struct cs_message *message = &regions->traffic.messages[lane];
    uint64_t at_ps = regions->region[fixed->region].clock_ps;
    uint32_t hop = 0;

    if (from->flies && !from->lands) {
        at_ps = message->head_ps;
        hop = message->hop;
    } else if (from->round == fixed->rounds) {
        return UINT64_MAX;
    } else if (from->flies && message->tail_ps > at_ps) {
        at_ps = message->tail_ps;
    }
    for (; hop < fixed->hops; hop++)
        at_ps = cs_time_after(at_ps, regions->net->links[fixed->route[hop]].latency_ps);
    return from->round <= fixed->idle && at_ps < fixed->begins_ps ? fixed->begins_ps : at_ps;
}

void cs_region_expect(struct regions *regions, struct region_inlet *inlet)
{
    const struct cs_path *next = cs_arrivals_next(&inlet->arrivals);
    uint64_t known_ps;

    if (next) {
        cs_events_add(&regions->traffic.events, cs_path_ps(next), CS_EVENT_COME, inlet->lane);
        return;
    }
    known_ps = cs_region_soonest_ps(regions, regions->fixed[inlet->lane].from);
    if (known_ps < regions->horizon_ps)
        regions->horizon_ps = known_ps;
}

void cs_region_load(struct regions *regions, const struct region *region)
{
    struct cs_events *events = &regions->traffic.events;
    uint64_t before = events->added;

    cs_events_restart(events, region->clock_ps);
    for (uint32_t i = 0; i < region->event_count; i++)
        cs_events_add(events, region->events[i].at_ps, region->events[i].kind,
                      region->events[i].number);
    for (uint32_t i = 0; i < region->inlets.count; i++)
        cs_region_expect(regions, &regions->inlets[region->inlets.at[i]]);
    regions->loaded += events->added - before;
}

static void region_keep(struct region *region, const struct cs_event *event)
{
    if (event->kind == CS_EVENT_COME)
        return;
    region->events = cs_vector_room(region->events, region->event_count + 1, &region->event_room,
                                    sizeof(*region->events));
    region->events[region->event_count++] = *event;
}

void cs_region_save(struct regions *regions, struct region *region, const struct cs_event *first)
{
    struct cs_event event;

    region->clock_ps = regions->traffic.events.now_ps;
    region->event_count = 0;
    if (first)
        region_keep(region, first);
    while (cs_events_next(&regions->traffic.events, &event))
        region_keep(region, &event);
}
