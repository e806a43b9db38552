/*
 * Event queue: the clock of a simulation.
 *
 * Events fire in the order of (time, insertion).  The second key makes the
 * order total: two events at the same picosecond fire in the order of their
 * scheduling, on every machine and in every build.
 *
 * An event is a kind and a number, whose meaning belongs to the scheduler.
 *
 *     add, next   O(1), but O(log n) for an event in front of many of the nearest future
 *
 * Collectives run in step, so most events are added in order of time and appended
 * to a first-in-first-out run.  Of the rest, those of the nearest future are in a
 * sorted array, and those of the far future in slots: by the highest digit, to base
 * 4096, in which their time differs from that of the slot last opened.  When the
 * array is empty, the first slot is opened: few events are sorted, many go to slots
 * of the next digit.  An event that belongs in front of many of the array is in a heap
 * instead: messages without bytes are put off to the time of thousands of others.  The
 * events of a slot are in chunks, which move to the next digit as a whole where their
 * events are of one time.  Memory grows with the peak number of pending events and is
 * kept: the steady state of a simulation allocates nothing.
 *
 * Time stops at CS_TIME_MAX_PS (53 days): adding a later event marks the
 * queue `overflowed`, and `next` ends.  Nothing wraps.
 */
#pragma once

#include "sim/base/collections/heap.h"
#include "sim/base/collections/pool.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stddef.h>
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
    return time_ps > (double)CS_TIME_MAX_PS ? CS_TIME_MAX_PS + 1 : (uint64_t)(time_ps + 0.5);
}

/* A time rounded up, so that a sum of rounded times is never below the rounded
 * sum; a value within floating-point error of a whole number stays whole. Just
 * past the end of time at most. */
static inline uint64_t cs_time_up(double time_ps)
{
    double least_ps = time_ps - (time_ps * 0x1p-49 + 1e-4);
    int64_t whole_ps;

    if (time_ps > (double)CS_TIME_MAX_PS)
        return CS_TIME_MAX_PS + 1;
    if (least_ps <= 0)
        return 0;
    /* Signed: processors convert those at once. */
    whole_ps = (int64_t)least_ps;
    return (uint64_t)(whole_ps + ((double)whole_ps < least_ps));
}

struct cs_event {
    uint64_t at_ps;
    uint64_t order;
    uint32_t kind;
    uint32_t number;
};

enum {
    CS_FAR_BITS = 12, /* of a digit */
    CS_FAR_SLOTS = 1 << CS_FAR_BITS,
    CS_FAR_DIGITS = 6, /* of 64 bits */
    CS_FAR_EVENTS = 5, /* of a chunk */
};

/* Two cache lines. */
struct cs_far_chunk {
    uint32_t next; /* of the slot: 1 + the number; 0: none */
    uint32_t count;
    struct cs_event events[CS_FAR_EVENTS];
};

_Static_assert(sizeof(struct cs_far_chunk) == 128, "two cache lines");

struct cs_far_slot {
    uint32_t first; /* 1 + the number of a chunk; 0: none */
    uint32_t last;  /* its number, where there is one */
    uint32_t count; /* events */
};

/* The slots of a digit that are filled, and the words with a bit. */
struct cs_far_digit {
    uint64_t filled[CS_FAR_SLOTS / 64];
    uint64_t filled_words;
};

struct cs_far {
    struct cs_far_chunk *chunks;
    struct cs_pool pool; /* of chunks */
    uint32_t count;      /* events */
    uint64_t since_ps;   /* the first time of the slot last opened */
    struct cs_far_digit digit[CS_FAR_DIGITS];
    struct cs_far_slot *slots; /* by digit and its value; NULL: never used */
    struct cs_arena arena;     /* of slots */
};

struct cs_events {
    uint64_t now_ps;
    uint64_t added; /* so far; the next event's order */
    uint64_t fired; /* the order of the event that fires now */
    bool overflowed;
    bool from_run;         /* the event that fires now was of the run, not near */
    struct cs_event *near; /* sorted, from near_first to near_count */
    uint32_t near_first, near_count;
    struct cs_heap amid; /* of the near future, too, in front of many */
    uint32_t amid_room;
    struct cs_event *run; /* a ring; capacity is a power of two */
    uint32_t run_first, run_count, run_capacity;
    uint64_t run_last_ps; /* its last time; 0: empty */
    uint64_t near_ps;     /* not before now; all events up to it are near */
    struct cs_far far;
    uint32_t capacity; /* of near and far events, together */
};

/* A struct zeroed with {0} is an empty queue at time 0. */
void cs_events_free(struct cs_events *events);

/* Schedules an event at `at_ps`, which must not be before events->now_ps. */
void cs_events_add(struct cs_events *events, uint64_t at_ps, uint32_t kind, uint32_t number);

/* Postpones an event that has fired to event.at_ps, at most once per time: the
 * event keeps its order there, before all events scheduled later. */
void cs_events_put_off(struct cs_events *events, struct cs_event event);

/* Removes the events that `keep` rejects; the order of the rest is unchanged. */
void cs_events_sift(struct cs_events *events,
                    bool (*keep)(const void *ctx, const struct cs_event *event), const void *ctx);

/* Moves the clock and all events ahead by `by_ps`. O(events). */
void cs_events_shift(struct cs_events *events, uint64_t by_ps);

/* Sets the clock of an empty queue to any time. */
void cs_events_restart(struct cs_events *events, uint64_t now_ps);

/* Takes the next event where cs_events_next() does not. */
bool cs_events_search(struct cs_events *events, struct cs_event *event);

/* Takes the next event and advances the clock; false when the queue is empty. */
static inline bool cs_events_next(struct cs_events *events, struct cs_event *event)
{
    const struct cs_event *near = &events->near[events->near_first];

    if (events->near_first == events->near_count || events->overflowed || events->amid.count ||
        (events->run_count && near->at_ps >= events->run[events->run_first].at_ps))
        return cs_events_search(events, event);
    *event = *near;
    events->near_first++;
    events->from_run = false;
    events->now_ps = event->at_ps;
    events->fired = event->order;
    return true;
}

/* Whether a further event is due now. O(1). */
static inline bool cs_events_more_now(const struct cs_events *events)
{
    return (events->near_first < events->near_count &&
            events->near[events->near_first].at_ps == events->now_ps) ||
           (events->amid.count && events->amid.items[0].key == events->now_ps) ||
           (events->run_count && events->run[events->run_first].at_ps == events->now_ps);
}

/* What mostly fires next, for what is to be fetched into the cache: a guess. */
struct cs_events_soon {
    const struct cs_event *event;
    uint32_t first, count, mask;
};

static inline struct cs_events_soon cs_events_soon(const struct cs_events *events)
{
    if (events->from_run)
        return (struct cs_events_soon){events->run, events->run_first, events->run_count,
                                       events->run_capacity - 1};
    return (struct cs_events_soon){events->near, events->near_first,
                                   events->near_count - events->near_first, UINT32_MAX};
}

/* The event `ahead` events behind the next one, or NULL. */
static inline const struct cs_event *cs_events_ahead(const struct cs_events_soon *soon,
                                                     uint32_t ahead)
{
    return ahead < soon->count ? &soon->event[(soon->first + ahead) & soon->mask] : NULL;
}

/* Visits all pending events, in any order. */
void cs_events_each(const struct cs_events *events,
                    void (*visit)(void *ctx, const struct cs_event *event), void *ctx);

/* The number of pending events. */
uint32_t cs_events_waiting(const struct cs_events *events);
