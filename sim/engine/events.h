/*
 * Event queue: the clock of a simulation.
 *
 * Events fire in the order of (time, insertion).  The second key makes the
 * order total: two events at the same picosecond fire in the order of their
 * scheduling, on every machine and in every build.
 *
 * An event is a kind and a number, whose meaning belongs to the scheduler.
 *
 *     add    O(1) when no later event waits, else O(log n)
 *     next   O(log n), O(1) while events were added in order of time
 *
 * Collectives run in step, so most events are added in order of time and appended
 * to a first-in-first-out run; only the rest pay for the 4-ary heap beside the
 * run.  Memory grows to the peak number of pending events and is kept: the steady
 * state of a simulation allocates nothing.
 *
 * Time stops at CS_TIME_MAX_PS (53 days): adding a later event marks the
 * queue `overflowed`, and `next` ends.  Nothing wraps.
 */
#ifndef CS_SIM_ENGINE_EVENTS_H
#define CS_SIM_ENGINE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#define CS_TIME_MAX_PS ((uint64_t)1 << 62)

/* `more_ps` after `at_ps`, or just past the end of time: no overflow as long as
 * both summands come from the functions of this header. */
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

/* A time rounded up, so that a sum of rounded times is never below the rounded
 * sum; a value within floating-point error of a whole number stays whole. Just
 * past the end of time at most. */
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

/* Postpones an event that has fired to event.at_ps, at most once per time: the
 * event keeps its order there, before all events scheduled later. */
void cs_events_put_off(struct cs_events *events, struct cs_event event);

/* Removes the events that `keep` rejects; the order of the rest is unchanged.
 * O(events log events). */
void cs_events_sift(struct cs_events *events,
                    bool (*keep)(const void *ctx, const struct cs_event *event),
                    const void *ctx);

/* Moves the clock and all events ahead by `by_ps`. O(events). */
void cs_events_shift(struct cs_events *events, uint64_t by_ps);

/* Takes the next event and advances the clock; false when the queue is empty. */
bool cs_events_next(struct cs_events *events, struct cs_event *event);

/* Time of the next event, or UINT64_MAX when the queue is empty. O(1). */
uint64_t cs_events_next_ps(const struct cs_events *events);

#endif
