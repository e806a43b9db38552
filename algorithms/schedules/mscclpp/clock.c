#include "algorithms/schedules/mscclpp/state.h"

#include <string.h>

uint32_t cs_mscclpp_actor(const struct mscclpp_run *run, uint32_t walker)
{
    return run->plan->gpu_count + walker;
}

cs_mscclpp_clock *cs_mscclpp_clock_copy(struct mscclpp_run *run, const cs_mscclpp_clock *clock)
{
    size_t count = (size_t)CS_MSCCLPP_ORDERS * run->memory.actors;
    cs_mscclpp_clock *copy = cs_arena_alloc(run->arena, count, sizeof(*copy));

    run->clock_numbers += count;
    if (clock)
        memcpy(copy, clock, count * sizeof(*copy));
    return copy;
}

void cs_mscclpp_clock_join(const struct mscclpp_run *run, cs_mscclpp_clock *clock,
                           const cs_mscclpp_clock *other, bool relaxed)
{
    uint32_t count = (relaxed ? 1 : CS_MSCCLPP_ORDERS) * run->memory.actors;

    for (uint32_t i = 0; i < count; i++)
        if (clock[i] < other[i])
            clock[i] = other[i];
}

void cs_mscclpp_clock_note(const struct mscclpp_run *run, cs_mscclpp_clock *clock, uint32_t actor,
                           uint32_t epoch, bool relaxed)
{
    if (clock[actor] < epoch)
        clock[actor] = epoch;
    if (!relaxed && clock[run->memory.actors + actor] < epoch)
        clock[run->memory.actors + actor] = epoch;
}

/* Clocks are shared by signals and accesses, so that a new one is made only when
 * the block has heard of others. */
void cs_mscclpp_meet(struct mscclpp_run *run, uint32_t number)
{
    struct mscclpp_walker *walker = &run->walkers[number];

    walker->met = walker->epoch;
    if (walker->acquired) {
        walker->clock = cs_mscclpp_clock_copy(run, walker->clock);
        cs_mscclpp_clock_join(run, walker->clock, walker->heard, false);
    }
    walker->acquired = 0;
    walker->acquired_by_one = true;
}
