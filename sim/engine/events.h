/*
 * Event queue: the clock of a simulation.
 *
 * Events fire in the order of (time, insertion).  The second key makes the
 * order total: two events at the same picosecond fire in the order they were
 * scheduled, on every machine and in every build.
 *
 * An event is a kind and a number; what they mean is the scheduler's affair.
 *
 *     add    O(1) when no later event waits, else O(log n)
 *     next   O(log n), O(1) while events were added in order of time
 *
 * Collectives run in step, so most events are added in order of time.  Those
 * go to the end of a first-in-first-out run; only the others pay for the 4-ary
 * heap beside it.  Memory grows to the most events that ever waited at once
 * and is kept: a simulation in its stride allocates nothing.
 *
 * Time stops at CS_TIME_MAX_PS (53 days): adding a later event marks the
 * queue `overflowed`, and `next` ends.  Nothing wraps.
 */
#ifndef CS_SIM_ENGINE_EVENTS_H
#define CS_SIM_ENGINE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#define CS_TIME_MAX_PS ((uint64_t)1 << 62)

/* `more_ps` after `at_ps`, or just past the end of time: nothing wraps as long
 * as what is added up comes from these two. */
static inline uint64_t cs_time_after(uint64_t at_ps, uint64_t more_ps)
{
    uint64_t sum_ps = at_ps + more_ps;

    return sum_ps > CS_TIME_MAX_PS ? CS_TIME_MAX_PS + 1 : sum_ps;
}

/* A time to the nearest picosecond, or just past the end of time. */
static inline uint64_t cs_time_rounded(double time_ps)
{
    return time_ps > (double)CS_TIME_MAX_PS ? CS_TIME_MAX_PS + 1
                                            : (uint64_t)(time_ps + 0.5);
}

/* A time rounded up, so that no sum of such is below what it is of; what is a
 * whole number but for the errors of floating point stays that.  Just past the
 * end of time, too. */
static inline uint64_t cs_time_up(double time_ps)
{
    double least_ps = time_ps - (time_ps * 0x1p-49 + 1e-4);
    uint64_t whole_ps;

    if (time_ps > (double)CS_TIME_MAX_PS)
        return CS_TIME_MAX_PS + 1;
    if (least_ps <= 0)
        return 0;
    whole_ps = (uint64_t)least_ps;
    return whole_ps + ((double)whole_ps < least_ps);
}

struct cs_event {
    uint64_t at_ps;
    uint64_t order;
    uint32_t kind;
    uint32_t number;
};

struct cs_events {
    uint64_t now_ps;
    uint64_t added; /* so far; the next event's order */
    uint64_t fired; /* the order of the event that fires now */
    bool overflowed;
    struct cs_event *heap;
    uint32_t heap_count, heap_capacity;
    struct cs_event *run; /* a ring; capacity is a power of two */
    uint32_t run_first, run_count, run_capacity;
};

/* A struct zeroed with {0} is an empty queue at time 0. */
void cs_events_free(struct cs_events *events);

/* Schedules an event at `at_ps`, which must not be before events->now_ps. */
void cs_events_add(struct cs_events *events, uint64_t at_ps, uint32_t kind,
                   uint32_t number);

/* Puts an event that has fired off to event.at_ps, at most once each time: there
 * it has the place of its order, before all that was scheduled after it. */
void cs_events_put_off(struct cs_events *events, struct cs_event event);

/* Takes out the events that are not to be kept; the others stay in order.
 * O(events log events). */
void cs_events_sift(struct cs_events *events,
                    bool (*keep)(const void *ctx, const struct cs_event *event),
                    const void *ctx);

/* Takes the next event and moves the clock to it; false when there is none. */
bool cs_events_next(struct cs_events *events, struct cs_event *event);

/* When the next event fires, or UINT64_MAX when there is none.  O(1). */
uint64_t cs_events_next_ps(const struct cs_events *events);

#endif
