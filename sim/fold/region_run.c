#include "sim/fold/region_state.h"

#include "sim/base/hash.h"
#include "sim/engine/message.h"

enum {
    REMAINDER = 8, /* of a jump: what all regions may leave for later */
};

/* ---- memory ---- */

/* Bytes of message `number` to the lane. */
static uint64_t incoming_bytes(const struct regions *regions, uint32_t lane, uint32_t number)
{
    return ring_lane_bytes(&regions->fixed[regions->fixed[lane].from], number);
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A message arrives at the lane: early, or to be summed at once.  Of arrivals of one
 * time either kind may be the first. */
static void region_hold(struct regions *regions, uint32_t lane, bool is_early)
{
    struct region_holder *holder = &regions->holders[lane / regions->each];
    const struct region_lane *own = &regions->lanes[lane];
    uint64_t bytes =
        incoming_bytes(regions, lane, is_early ? own->round + own->early : own->round - 1);
    uint64_t now_ps = regions->traffic.events.now_ps;

    if (holder->at_ps != now_ps)
        holder->early = holder->summed = 0;
    holder->at_ps = now_ps;
    if (is_early) {
        holder->early += bytes;
        holder->bytes += bytes;
    } else {
        holder->summed = greater(holder->summed, bytes);
    }
    regions->held_most = greater(regions->held_most, holder->bytes + holder->summed);
    regions->held_least = greater(regions->held_least, holder->bytes - holder->early +
                                                           greater(holder->early, holder->summed));
}

static void region_release(struct regions *regions, uint32_t lane)
{
    regions->holders[lane / regions->each].bytes -=
        incoming_bytes(regions, lane, regions->lanes[lane].round - 1);
}

/* ---- lanes ---- */

/* By lane, then by rank. */
static uint32_t region_place(const struct regions *regions, uint32_t lane)
{
    return lane % regions->each * regions->program->ranks + lane / regions->each;
}

/* Of two paths of one time the parts decide. */
static void note_draw(struct regions *regions, const struct cs_path *path,
                      const struct cs_path *other)
{
    struct cs_path since = cs_path_since(path, other);

    if (cs_path_ps(path) != cs_path_ps(other) || cs_path_equals(path, other))
        return;
    regions->draws = cs_hash_mix(regions->draws, since.latency_ps);
    regions->draws = cs_hash_mix(regions->draws, since.bandwidth_ps);
    regions->draws = cs_hash_mix(regions->draws, since.reduction_ps);
}

static void region_op_done(struct regions *regions, uint32_t lane, const struct cs_path *path)
{
    struct region_lane *own = &regions->lanes[lane];

    note_draw(regions, path, &own->path);
    if (cs_path_is_later(path, &own->path))
        own->path = *path;
    if (--own->pending == 0)
        cs_min_set_add(&regions->ready, region_place(regions, lane));
}

/* A message of the lane arrives, now. */
static void region_arrive(struct regions *regions, uint32_t lane, const struct cs_path *path)
{
    struct region_lane *own = &regions->lanes[lane];

    if (!own->receives) {
        region_hold(regions, lane, true);
        own->early++;
        return;
    }
    own->receives = false;
    if (own->round <= regions->fixed[lane].sums)
        region_hold(regions, lane, false);
    region_op_done(regions, lane, path);
}

static void region_receive(struct regions *regions, uint32_t lane)
{
    struct region_lane *own = &regions->lanes[lane];

    own->receives = own->early == 0;
    if (own->receives)
        return;
    own->early--;
    region_release(regions, lane);
    region_op_done(regions, lane, &own->path);
}

/* ---- messages ---- */

static void region_emit(struct regions *regions, uint32_t lane, uint64_t at_ps)
{
    const struct ring_lane *fixed = &regions->fixed[lane];
    struct cs_path path = cs_exec_path_over(&regions->traffic.messages[lane], at_ps);
    struct region_outlet *outlet = &regions->outlets[fixed->outlet];

    outlet->emitted[outlet->count++ % REGION_EMITTED] = path;
    cs_arrivals_add(&regions->inlets[regions->fixed[fixed->to].inlet].arrivals, &path);
}

static void region_follow(struct regions *regions, uint32_t lane, struct cs_delivery delivery)
{
    if (delivery.kind == CS_MOVES)
        cs_events_add(&regions->traffic.events, delivery.at_ps, CS_EVENT_MOVE, lane);
    if (delivery.kind != CS_ARRIVES)
        return;
    regions->lanes[lane].lands = true;
    cs_events_add(&regions->traffic.events, delivery.at_ps, CS_EVENT_DELIVER, lane);
    if (regions->fixed[lane].outlet != CS_NONE)
        region_emit(regions, lane, delivery.at_ps);
}

static void region_send(struct regions *regions, uint32_t lane)
{
    struct cs_message *message = &regions->traffic.messages[lane];
    const struct ring_lane *fixed = &regions->fixed[lane];
    uint64_t now_ps = regions->traffic.events.now_ps;

    message->bytes = ring_lane_bytes(fixed, regions->lanes[lane].round - 1 - fixed->idle);
    message->path = regions->lanes[lane].path;
    message->sent_ps = message->head_ps = message->tail_ps = now_ps;
    message->wait_ps = message->own_ps = message->latency_ps = 0;
    message->hop = 0;
    regions->lanes[lane].flies = true;
    regions->lanes[lane].lands = false;
    region_follow(regions, lane, regions->model->send(&regions->traffic, lane));
}

static void region_delivered(struct regions *regions, uint32_t lane)
{
    const struct cs_message *message = &regions->traffic.messages[lane];
    struct cs_path path = cs_exec_path_over(message, regions->traffic.events.now_ps);

    regions->lanes[lane].flies = false;
    regions->result->waits += message->wait_ps > 0;
    if (regions->fixed[lane].outlet == CS_NONE)
        region_arrive(regions, regions->fixed[lane].to, &path);
    region_op_done(regions, lane, &path);
}

/* ---- arrivals from other regions ---- */

static void region_comes(struct regions *regions, uint32_t lane)
{
    struct region_inlet *inlet = &regions->inlets[regions->fixed[lane].inlet];

    cs_arrivals_take(&inlet->arrivals, &inlet->last);
    region_arrive(regions, lane, &inlet->last);
    cs_region_expect(regions, inlet);
}

/* ---- rounds ---- */

void cs_region_end_lane(struct regions *regions, uint32_t lane)
{
    struct cs_exec_result *result = regions->result;
    const struct cs_path *path = &regions->lanes[lane].path;
    uint64_t *done_ps = &result->done_ps[lane / regions->each];
    uint64_t at_ps = cs_path_ps(path);

    result->lane_done_ps[lane] = at_ps;
    if (at_ps > *done_ps)
        *done_ps = at_ps;
    regions->region[regions->fixed[lane].region].unfinished--;
    if (!cs_path_is_later(path, &result->path))
        return;
    result->time_ps = at_ps;
    result->path = *path;
}

static void region_start_round(struct regions *regions, uint32_t lane)
{
    struct region_lane *own = &regions->lanes[lane];
    const struct ring_lane *fixed = &regions->fixed[lane];
    bool sends = fixed->to != CS_NONE && own->round >= fixed->idle;
    bool receives = own->round < fixed->receives;

    if (own->round == fixed->rounds) {
        cs_region_end_lane(regions, lane);
        return;
    }
    own->round++;
    regions->begun++;
    own->pending = (uint32_t)sends + receives;
    if (sends)
        region_send(regions, lane);
    if (receives)
        region_receive(regions, lane);
}

static void region_start_ready(struct regions *regions)
{
    while (!cs_min_set_is_empty(&regions->ready)) {
        struct cs_min_set batch = regions->ready;
        struct cs_min_set_taken taken = {0};
        uint32_t place;

        regions->ready = regions->batch;
        regions->batch = batch;
        while (cs_min_set_next(&regions->batch, &taken, &place))
            region_start_round(regions, place % regions->program->ranks * regions->each +
                                            place / regions->program->ranks);
    }
}

/* ---- events ---- */

static void region_event(struct regions *regions, const struct cs_event *event)
{
    switch (event->kind) {
    case CS_EVENT_DELIVER:
        region_delivered(regions, event->number);
        break;
    case CS_EVENT_COME:
        region_comes(regions, event->number);
        break;
    default:
        region_follow(regions, event->number,
                      regions->model->move(&regions->traffic, event->number));
        break;
    }
}

static void region_begin(struct regions *regions, struct region *region)
{
    regions->horizon_ps = UINT64_MAX;
    cs_region_load(regions, region);
    cs_region_begin_search(regions, region);
    if (regions->lanes[*region->lanes.at].round > 0)
        return;
    for (uint32_t i = 0; i < region->lanes.count; i++)
        cs_min_set_add(&regions->ready, region_place(regions, region->lanes.at[i]));
    region_start_ready(regions);
}

uint64_t cs_region_known_until_ps(const struct regions *regions, const struct region *region)
{
    uint64_t until_ps = UINT64_MAX;

    for (uint32_t i = 0; i < region->inlets.count; i++) {
        uint32_t lane = regions->inlets[region->inlets.at[i]].lane;
        uint64_t soonest = cs_region_soonest_ps(regions, regions->fixed[lane].from);

        until_ps = soonest < until_ps ? soonest : until_ps;
    }
    return until_ps;
}

/* Notes how far the region stays behind what is known. */
static void region_stay_behind(struct regions *regions, struct region *region, uint64_t behind_ps)
{
    regions->behind_ps += behind_ps - region->behind_ps;
    region->behind_ps = behind_ps;
}

/* Jumps by the valid cycle: true where the region leaves the remainder for later. Where
 * all regions left one, none would know much of the others' future. */
static bool region_jumps_far(struct regions *regions, struct region *region, bool *moves)
{
    uint64_t from_ps = region->clock_ps;
    uint64_t behind_ps, others_ps;

    if (!region->cycle.is_valid)
        return false;
    *moves = cs_region_jump(regions, region);
    if (*moves && region->cycle.is_valid) {
        behind_ps = cs_region_known_until_ps(regions, region) - region->clock_ps;
        others_ps = regions->behind_ps - region->behind_ps;
        if (others_ps + behind_ps < (region->clock_ps - from_ps) / REMAINDER) {
            region_stay_behind(regions, region, behind_ps);
            return true;
        }
    }
    region->cycle.is_valid = false;
    return false;
}

/* Whether the anchor is the next time of interest. */
static bool anchor_is_next(const struct regions *regions, const struct cs_event *event)
{
    uint64_t anchor_ps = regions->anchor_ps;

    return anchor_ps != UINT64_MAX && anchor_ps <= regions->horizon_ps &&
           (event ? anchor_ps <= event->at_ps : regions->horizon_ps != UINT64_MAX);
}

/* Saves the region at its horizon. */
static void region_stop(struct regions *regions, struct region *region, const struct cs_event *next)
{
    cs_region_save(regions, region, next);
    if (regions->horizon_ps != UINT64_MAX)
        region->clock_ps = regions->horizon_ps;
}

bool cs_region_run(struct regions *regions, struct region *region)
{
    struct cs_events *events = &regions->traffic.events;
    bool moves = regions->lanes[*region->lanes.at].round == 0;

    if (!regions->gathers && region_jumps_far(regions, region, &moves))
        return true;
    region->cycle.is_valid = false;
    region_stay_behind(regions, region, 0);
    region_begin(regions, region);
    for (;;) {
        struct cs_event event;
        const struct cs_event *next = cs_events_next(events, &event) ? &event : NULL;

        if (anchor_is_next(regions, next)) {
            if (cs_region_prove(regions, region, next) &&
                (regions->gathers || region_jumps_far(regions, region, &moves)))
                return true;
            cs_region_load(regions, region);
            continue;
        }
        if (!next || next->at_ps >= regions->horizon_ps) {
            region_stop(regions, region, next);
            return moves;
        }
        moves = true;
        region_event(regions, next);
        if (cs_events_more_now(events))
            continue;
        region_start_ready(regions);
        cs_region_search(regions, region);
    }
}
