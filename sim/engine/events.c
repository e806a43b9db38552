#include "sim/engine/events.h"

#include "sim/base/collections/vector.h"
#include "sim/base/mem.h"

#include <assert.h>
#include <stdlib.h>

enum {
    ARITY = 4,
    FIRST_CAPACITY = 64
};

static bool events_before(const struct cs_event *a, const struct cs_event *b)
{
    return a->at_ps != b->at_ps ? a->at_ps < b->at_ps : a->order < b->order;
}

void cs_events_free(struct cs_events *events)
{
    free(events->heap);
    free(events->run);
    *events = (struct cs_events){0};
}

static void heap_add(struct cs_events *events, struct cs_event event)
{
    uint32_t i = events->heap_count++;

    events->heap = cs_vector_room(events->heap, events->heap_count,
                                  &events->heap_capacity, sizeof(event));
    while (i > 0 && events_before(&event, &events->heap[(i - 1) / ARITY])) {
        events->heap[i] = events->heap[(i - 1) / ARITY];
        i = (i - 1) / ARITY;
    }
    events->heap[i] = event;
}

/* The earliest of the up to four children from `first` on. */
static uint32_t earliest_child(const struct cs_events *events, uint32_t first)
{
    uint32_t end = first + ARITY;
    uint32_t best = first;
    uint32_t i;

    if (end > events->heap_count)
        end = events->heap_count;
    for (i = first + 1; i < end; i++)
        if (events_before(&events->heap[i], &events->heap[best]))
            best = i;
    return best;
}

static struct cs_event heap_take(struct cs_events *events)
{
    struct cs_event top = events->heap[0];
    struct cs_event last = events->heap[--events->heap_count];
    uint32_t hole = 0;

    while (ARITY * hole + 1 < events->heap_count) {
        uint32_t child = earliest_child(events, ARITY * hole + 1);

        if (!events_before(&events->heap[child], &last))
            break;
        events->heap[hole] = events->heap[child];
        hole = child;
    }
    events->heap[hole] = last;
    return top;
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

static struct cs_event *run_at(const struct cs_events *events, uint32_t i)
{
    return &events->run[(events->run_first + i) & (events->run_capacity - 1)];
}

static void run_add(struct cs_events *events, struct cs_event event)
{
    if (events->run_count == events->run_capacity)
        run_grow(events);
    *run_at(events, events->run_count++) = event;
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
        heap_add(events, event);
    else
        run_add(events, event);
}

void cs_events_put_off(struct cs_events *events, struct cs_event event)
{
    assert(event.at_ps >= events->now_ps);
    if (event.at_ps > CS_TIME_MAX_PS)
        events->overflowed = true;
    else
        heap_add(events, event);
}

void cs_events_sift(struct cs_events *events,
                    bool (*keep)(const void *ctx, const struct cs_event *event),
                    const void *ctx)
{
    uint32_t count = events->run_count;
    uint32_t i;

    events->run_count = 0;
    for (i = 0; i < count; i++)
        if (keep(ctx, run_at(events, i)))
            *run_at(events, events->run_count++) = *run_at(events, i);
    count = events->heap_count;
    events->heap_count = 0;
    for (i = 0; i < count; i++)
        if (keep(ctx, &events->heap[i]))
            heap_add(events, events->heap[i]);
}

void cs_events_shift(struct cs_events *events, uint64_t by_ps)
{
    uint32_t i;

    events->now_ps += by_ps;
    for (i = 0; i < events->run_count; i++)
        run_at(events, i)->at_ps += by_ps;
    for (i = 0; i < events->heap_count; i++)
        events->heap[i].at_ps += by_ps;
}

bool cs_events_next(struct cs_events *events, struct cs_event *event)
{
    if (events->overflowed)
        return false;
    if (events->run_count && (!events->heap_count ||
                              events_before(run_at(events, 0), events->heap))) {
        *event = *run_at(events, 0);
        events->run_first =
            (events->run_first + 1) & (events->run_capacity - 1);
        events->run_count--;
    } else if (events->heap_count) {
        *event = heap_take(events);
    } else {
        return false;
    }
    events->now_ps = event->at_ps;
    events->fired = event->order;
    return true;
}

uint64_t cs_events_next_ps(const struct cs_events *events)
{
    uint64_t next_ps = UINT64_MAX;

    if (events->run_count)
        next_ps = run_at(events, 0)->at_ps;
    if (events->heap_count && events->heap[0].at_ps < next_ps)
        next_ps = events->heap[0].at_ps;
    return next_ps;
}
