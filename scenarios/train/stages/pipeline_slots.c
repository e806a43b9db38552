#include "scenarios/train/stages/pipeline_slots.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

uint64_t cs_slot_count(const struct cs_slot_plan *plan)
{
    return 2ULL * plan->stages * plan->micro_batches * plan->chunks;
}

/* ---- orders ---- */

/* The i-th slot of a direction: groups of as many micro batches as stages pass chunk
 * after chunk; backward passes take the chunks from the last. */
static struct cs_slot nth_slot(const struct cs_slot_plan *plan, uint32_t stage, uint32_t i,
                               bool backward)
{
    uint32_t per_group = plan->stages * plan->chunks;
    uint32_t first = i / per_group * plan->stages;
    uint32_t left = plan->micro_batches - first;
    uint32_t group = left < plan->stages ? left : plan->stages;
    uint32_t chunk = i % per_group / group;

    return (struct cs_slot){.stage = stage,
                            .micro = first + i % per_group % group,
                            .chunk = backward ? plan->chunks - 1 - chunk : chunk,
                            .backward = backward};
}

/* Forward slots of a stage before its first backward slot. */
static uint32_t slots_ahead(const struct cs_slot_plan *plan, uint32_t stage)
{
    uint32_t each = plan->micro_batches * plan->chunks;
    uint32_t behind = plan->stages - stage - 1;
    uint32_t ahead = plan->chunks > 1 ? 2 * behind + (plan->chunks - 1) * plan->stages : behind;

    if (plan->schedule == CS_SCHEDULE_GPIPE)
        return each;
    if (plan->schedule == CS_SCHEDULE_SERIAL)
        return 0;
    return ahead < each ? ahead : each;
}

static void order_stage(const struct cs_slot_plan *plan, uint32_t stage, struct cs_slot *slots)
{
    uint32_t each = plan->micro_batches * plan->chunks;
    uint32_t ahead = slots_ahead(plan, stage);
    uint32_t count = 0;

    for (uint32_t i = 0; i < ahead; ++i)
        slots[count++] = nth_slot(plan, stage, i, false);
    for (uint32_t i = 0; i < each; ++i) {
        if (ahead + i < each)
            slots[count++] = nth_slot(plan, stage, ahead + i, false);
        slots[count++] = nth_slot(plan, stage, i, true);
    }
}

/* ---- times ---- */

struct slot_times {
    const struct cs_slot_plan *plan;
    double *end_s; /* by micro batch, direction, place in the model; -1: open */
};

/* The place of a chunk in the model: chunks are dealt to the stages in turn. */
static double *slot_end(const struct slot_times *times, uint32_t micro, bool backward,
                        uint32_t place)
{
    const struct cs_slot_plan *plan = times->plan;
    uint32_t places = plan->stages * plan->chunks;

    return &times->end_s[((size_t)micro * 2 + backward) * places + place];
}

/* The end of a slot and of its send to another stage, -1: open. */
static double arrival(const struct slot_times *times, uint32_t micro, bool backward, uint32_t place)
{
    const struct cs_slot_plan *plan = times->plan;
    double end_s = *slot_end(times, micro, backward, place);

    return end_s < 0 || !plan->send_s ? end_s : end_s + plan->send_s[place % plan->stages];
}

/* The arrival from the slot before this one, -1: open; a forward pass of the first place
 * waits for none, or in a serial order for the micro batch before. */
static double before_slot(const struct slot_times *times, const struct cs_slot *slot)
{
    const struct cs_slot_plan *plan = times->plan;
    uint32_t places = plan->stages * plan->chunks;
    uint32_t place = slot->chunk * plan->stages + slot->stage;

    if (slot->backward)
        return place + 1 < places ? arrival(times, slot->micro, true, place + 1)
                                  : *slot_end(times, slot->micro, false, place);
    if (place > 0)
        return arrival(times, slot->micro, false, place - 1);
    if (plan->schedule == CS_SCHEDULE_SERIAL && slot->micro > 0)
        return *slot_end(times, slot->micro - 1, true, 0);
    return 0;
}

/* Starts the slots of a stage from `next` on as far as possible. */
static uint32_t advance_stage(const struct slot_times *times, struct cs_slot *slots, uint32_t next,
                              double *free_s)
{
    const struct cs_slot_plan *plan = times->plan;
    uint32_t count = 2 * plan->micro_batches * plan->chunks;

    for (; next < count; ++next) {
        struct cs_slot *slot = &slots[next];
        double before_s = before_slot(times, slot);

        if (before_s < 0)
            break;
        slot->start_s = fmax(before_s, *free_s);
        slot->end_s = slot->start_s + (slot->backward ? plan->backward_s[slot->stage]
                                                      : plan->forward_s[slot->stage]);
        *free_s = slot->end_s;
        *slot_end(times, slot->micro, slot->backward, slot->chunk * plan->stages + slot->stage) =
            slot->end_s;
    }
    return next;
}

static double run_stages(const struct slot_times *times, struct cs_slot *slots, uint32_t *next,
                         double *free_s)
{
    const struct cs_slot_plan *plan = times->plan;
    uint32_t each = 2 * plan->micro_batches * plan->chunks;
    uint64_t done = 0, before;
    double end_s = 0;

    do {
        before = done;
        for (uint32_t s = 0; s < plan->stages; ++s) {
            uint32_t now = advance_stage(times, slots + (size_t)s * each, next[s], &free_s[s]);

            done += now - next[s];
            next[s] = now;
        }
    } while (done > before);
    for (uint32_t s = 0; s < plan->stages; ++s)
        end_s = fmax(end_s, free_s[s]);
    return done == cs_slot_count(plan) ? end_s : -1;
}

/* Negative where stages wait for one another. */
static double try_order(const struct cs_slot_plan *plan, struct cs_slot *slots)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    size_t ends = (size_t)cs_slot_count(plan);
    struct slot_times times = {plan, cs_arena_alloc(&arena, ends, sizeof(*times.end_s))};
    uint32_t *next = cs_arena_alloc(&arena, plan->stages, sizeof(*next));
    double *free_s = cs_arena_alloc(&arena, plan->stages, sizeof(*free_s));

    for (size_t i = 0; i < ends; ++i)
        times.end_s[i] = -1;
    for (uint32_t s = 0; s < plan->stages; ++s)
        order_stage(plan, s, slots + (size_t)s * 2 * plan->micro_batches * plan->chunks);
    return run_stages(&times, slots, next, free_s);
}

double cs_slots_fill(const struct cs_slot_plan *plan, struct cs_slot *slots)
{
    struct cs_slot_plan forward_first = *plan;
    double end_s = try_order(plan, slots);

    if (end_s >= 0)
        return end_s;
    forward_first.schedule = CS_SCHEDULE_GPIPE;
    return try_order(&forward_first, slots);
}
