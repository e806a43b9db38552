#include "sim/engine/events.h"

#include "sim/base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 64,
    FEW = 24, /* events of a slot that are sorted at once */
};

static bool events_before(const struct cs_event *a, const struct cs_event *b)
{
    return a->at_ps != b->at_ps ? a->at_ps < b->at_ps : a->order < b->order;
}

void cs_events_free(struct cs_events *events)
{
    free(events->far.slots);
    free(events->far.events);
    free(events->near);
    free(events->run);
    *events = (struct cs_events){0};
}

/* ---- the near future ---- */

static inline uint32_t near_waiting(const struct cs_events *events)
{
    return events->near_count - events->near_first;
}

/* Moves the events to the begin of the array once half of it is over: room for
 * `capacity` events in twice as much. */
static void near_close_up(struct cs_events *events)
{
    uint32_t left = near_waiting(events);

    memmove(events->near, &events->near[events->near_first],
            left * sizeof(*events->near));
    events->near_first = 0;
    events->near_count = left;
}

/* Most events are the last of those so far. */
static inline void near_add(struct cs_events *events, struct cs_event event)
{
    uint32_t i;

    if (events->near_count == 2 * events->capacity)
        near_close_up(events);
    for (i = events->near_count++;
         i > events->near_first && events_before(&event, &events->near[i - 1]);
         i--)
        events->near[i] = events->near[i - 1];
    events->near[i] = event;
}

static void run_grow(struct cs_events *events)
{
    uint32_t old = events->run_capacity;
    uint32_t i;

    events->run_capacity = old ? 2 * old : FIRST_CAPACITY;
    events->run =
        cs_grow(events->run, events->run_capacity, sizeof(*events->run));
    /* Events that had wrapped around the old end continue behind the old end. */
    for (i = 0; i < events->run_first; i++)
        events->run[old + i] = events->run[i];
}

static inline struct cs_event *run_at(const struct cs_events *events,
                                      uint32_t i)
{
    return &events->run[(events->run_first + i) & (events->run_capacity - 1)];
}

static inline void run_add(struct cs_events *events, struct cs_event event)
{
    if (events->run_count == events->run_capacity)
        run_grow(events);
    *run_at(events, events->run_count++) = event;
}

/* ---- the far future ---- */

static struct cs_far_slot *far_slot(const struct cs_far *far, uint32_t d,
                                    uint32_t at)
{
    return &far->slots[d * CS_FAR_SLOTS + at];
}

/* Appends the event to its slot. */
static inline void far_link(struct cs_far *far, uint32_t number)
{
    struct cs_far_event *item = &far->events[number];
    uint64_t at_ps = item->event.at_ps;
    uint32_t d = (63 - (uint32_t)__builtin_clzll((at_ps ^ far->since_ps) | 1)) /
                 CS_FAR_BITS;
    uint32_t at = (at_ps >> CS_FAR_BITS * d) % CS_FAR_SLOTS;
    struct cs_far_digit *digit = &far->digit[d];
    struct cs_far_slot *slot = far_slot(far, d, at);

    item->next = 0;
    if (digit->filled[at / 64] >> at % 64 & 1) {
        far->events[slot->last].next = number + 1;
        slot->last = number;
        slot->count++;
        return;
    }
    *slot = (struct cs_far_slot){number + 1, number, 1};
    digit->filled[at / 64] |= UINT64_C(1) << at % 64;
    digit->filled_words |= UINT64_C(1) << at / 64;
}

static void far_add(struct cs_far *far, struct cs_event event)
{
    uint32_t number =
        cs_pool_take(&far->pool, &far->events->next, sizeof(*far->events));

    far->events[number].event = event;
    far->count++;
    far_link(far, number);
}

/* Takes the event out; `*number` becomes the next one of its slot. */
static struct cs_event far_take(struct cs_far *far, uint32_t *number)
{
    uint32_t own = *number - 1;
    struct cs_event event = far->events[own].event;

    *number = far->events[own].next;
    far->count--;
    cs_pool_give(&far->pool, own, &far->events[own].next);
    return event;
}

/* The first filled slot of the digit, which is not empty. */
static uint32_t far_first_slot(const struct cs_far_digit *digit)
{
    uint32_t word = (uint32_t)__builtin_ctzll(digit->filled_words);

    return 64 * word + (uint32_t)__builtin_ctzll(digit->filled[word]);
}

/* Marks the slot as empty. */
static void far_empty(struct cs_far_digit *digit, uint32_t at)
{
    uint64_t *filled = &digit->filled[at / 64];

    *filled &= ~(UINT64_C(1) << at % 64);
    if (!*filled)
        digit->filled_words &= ~(UINT64_C(1) << at / 64);
}

static int compare_events(const void *a, const void *b)
{
    return events_before(a, b) ? -1 : 1;
}

/* Takes the events of a slot from `number` on into the empty near future.  Events of
 * one time are in order but for a few put off. */
static void far_open_all(struct cs_events *events, uint32_t number)
{
    struct cs_event *near = events->near;
    bool is_sorted = true;
    uint32_t i = 0;

    for (; number; i++) {
        near[i] = far_take(&events->far, &number);
        is_sorted =
            is_sorted && (i == 0 || events_before(&near[i - 1], &near[i]));
    }
    events->near_first = 0;
    events->near_count = i;
    if (is_sorted)
        return;
    if (i > FEW) {
        qsort(near, i, sizeof(*near), compare_events);
        return;
    }
    for (events->near_count = 0; events->near_count < i;)
        near_add(events, near[events->near_count]);
}

/* Opens slot `at` of digit d, of times from `from_ps` on. */
static void far_open(struct cs_events *events, uint32_t d, uint32_t at,
                     uint64_t from_ps)
{
    struct cs_far *far = &events->far;
    struct cs_far_slot slot = *far_slot(far, d, at);
    uint32_t number = slot.first;

    far_empty(&far->digit[d], at);
    far->since_ps = from_ps;
    if (d == 0 || slot.count <= FEW) {
        events->near_ps = from_ps + (UINT64_C(1) << CS_FAR_BITS * d) - 1;
        far_open_all(events, number);
        return;
    }
    while (number) {
        uint32_t own = number - 1;

        number = far->events[own].next;
        far_link(far, own);
    }
}

/* Opens slots until the near future or the run has the first of all events. */
static void far_advance(struct cs_events *events)
{
    const struct cs_far *far = &events->far;

    while (far->count && !near_waiting(events)) {
        uint32_t d = 0;
        uint32_t at, shift;
        uint64_t from_ps;

        while (!far->digit[d].filled_words)
            d++;
        at = far_first_slot(&far->digit[d]);
        shift = CS_FAR_BITS * d;
        from_ps = (far->since_ps >> shift >> CS_FAR_BITS << CS_FAR_BITS | at)
                  << shift;
        if (events->run_count && run_at(events, 0)->at_ps < from_ps)
            return;
        far_open(events, d, at, from_ps);
    }
}

static void far_each(const struct cs_far *far,
                     void (*visit)(void *ctx, const struct cs_event *event),
                     void *ctx)
{
    uint32_t d, at, number;
    uint64_t left;

    for (d = 0; d < CS_FAR_DIGITS; d++)
        for (at = 0; at < CS_FAR_SLOTS; at += 64)
            for (left = far->digit[d].filled[at / 64]; left; left &= left - 1)
                for (number =
                         far_slot(far, d, at + (uint32_t)__builtin_ctzll(left))
                             ->first;
                     number; number = far->events[number - 1].next)
                    visit(ctx, &far->events[number - 1].event);
}

/* ---- all ---- */

/* Room for one more beside the run: near or far. */
static void events_make_room(struct cs_events *events)
{
    struct cs_far *far = &events->far;

    if (near_waiting(events) + far->count < events->capacity)
        return;
    events->capacity = cs_pool_enlarge(&far->pool);
    events->near = cs_grow(events->near, 2 * (size_t)events->capacity,
                           sizeof(*events->near));
    far->events = cs_grow(far->events, events->capacity, sizeof(*far->events));
    if (!far->slots)
        far->slots = cs_grow(NULL, (size_t)CS_FAR_DIGITS * CS_FAR_SLOTS,
                             sizeof(*far->slots));
}

static void events_insert(struct cs_events *events, struct cs_event event)
{
    events_make_room(events);
    if (event.at_ps <= events->near_ps)
        near_add(events, event);
    else
        far_add(&events->far, event);
}

void cs_events_add(struct cs_events *events, uint64_t at_ps, uint32_t kind,
                   uint32_t number)
{
    struct cs_event event = {at_ps, events->added++, kind, number};

    assert(at_ps >= events->now_ps);
    if (at_ps > CS_TIME_MAX_PS)
        events->overflowed = true;
    else if (events->run_count &&
             at_ps < run_at(events, events->run_count - 1)->at_ps)
        events_insert(events, event);
    else
        run_add(events, event);
}

void cs_events_put_off(struct cs_events *events, struct cs_event event)
{
    assert(event.at_ps >= events->now_ps);
    if (event.at_ps > CS_TIME_MAX_PS)
        events->overflowed = true;
    else
        events_insert(events, event);
}

/* Replaces all pending events by those of the run of `from`, in any order; `from`
 * becomes empty. */
static void events_refill(struct cs_events *events, struct cs_events *from)
{
    struct cs_events fresh = {.now_ps = events->now_ps,
                              .added = events->added,
                              .fired = events->fired,
                              .overflowed = events->overflowed,
                              .near_ps = events->now_ps,
                              .far = {.since_ps = events->now_ps}};
    uint32_t i;

    for (i = 0; i < from->run_count; i++)
        events_insert(&fresh, from->run[i]);
    cs_events_free(from);
    cs_events_free(events);
    *events = fresh;
}

struct events_sift {
    struct cs_events *into;
    bool (*keep)(const void *ctx, const struct cs_event *event);
    const void *ctx;
};

static void sift_event(void *ctx, const struct cs_event *event)
{
    const struct events_sift *sift = ctx;

    if (sift->keep(sift->ctx, event))
        run_add(sift->into, *event);
}

void cs_events_sift(struct cs_events *events,
                    bool (*keep)(const void *ctx, const struct cs_event *event),
                    const void *ctx)
{
    struct cs_events kept = {0};
    struct events_sift sift = {&kept, keep, ctx};

    cs_events_each(events, sift_event, &sift);
    events_refill(events, &kept);
}

static void list_event(void *ctx, const struct cs_event *event)
{
    run_add(ctx, *event);
}

void cs_events_shift(struct cs_events *events, uint64_t by_ps)
{
    struct cs_events moved = {0};
    uint32_t i;

    cs_events_each(events, list_event, &moved);
    for (i = 0; i < moved.run_count; i++)
        moved.run[i].at_ps += by_ps;
    events->now_ps += by_ps;
    events_refill(events, &moved);
}

bool cs_events_next(struct cs_events *events, struct cs_event *event)
{
    if (events->overflowed)
        return false;
    if (events->far.count && !near_waiting(events))
        far_advance(events);
    if (events->run_count &&
        (!near_waiting(events) ||
         events_before(run_at(events, 0), &events->near[events->near_first]))) {
        *event = *run_at(events, 0);
        events->run_first =
            (events->run_first + 1) & (events->run_capacity - 1);
        events->run_count--;
        if (events->near_ps < event->at_ps)
            events->near_ps = event->at_ps;
    } else if (near_waiting(events)) {
        *event = events->near[events->near_first++];
    } else {
        return false;
    }
    events->now_ps = event->at_ps;
    events->fired = event->order;
    return true;
}

bool cs_events_more_now(const struct cs_events *events)
{
    return (events->run_count && run_at(events, 0)->at_ps == events->now_ps) ||
           (near_waiting(events) &&
            events->near[events->near_first].at_ps == events->now_ps);
}

void cs_events_each(const struct cs_events *events,
                    void (*visit)(void *ctx, const struct cs_event *event),
                    void *ctx)
{
    uint32_t i;

    for (i = 0; i < events->run_count; i++)
        visit(ctx, run_at(events, i));
    for (i = events->near_first; i < events->near_count; i++)
        visit(ctx, &events->near[i]);
    far_each(&events->far, visit, ctx);
}

uint32_t cs_events_waiting(const struct cs_events *events)
{
    return events->run_count + near_waiting(events) + events->far.count;
}
