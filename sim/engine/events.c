#include "sim/engine/events.h"

#include "sim/base/collections/vector.h"
#include "sim/base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 64,
    FEW = 24,  /* events of a slot that are sorted at once */
    MANY = 64, /* events that none is moved past */
};

/* Inlined at each of few calls: an event is then in registers. */
#define ALWAYS static inline __attribute__((always_inline))

static bool events_before(const struct cs_event *a, const struct cs_event *b)
{
    return a->at_ps != b->at_ps ? a->at_ps < b->at_ps : a->order < b->order;
}

void cs_events_free(struct cs_events *events)
{
    cs_arena_free(&events->far.arena);
    free(events->far.chunks);
    free(events->amid.items);
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

    memmove(events->near, &events->near[events->near_first], left * sizeof(*events->near));
    events->near_first = 0;
    events->near_count = left;
}

static void amid_add(struct cs_events *events, struct cs_event event)
{
    struct cs_heap *amid = &events->amid;

    amid->items =
        cs_vector_room(amid->items, amid->count + 1, &events->amid_room, sizeof(*amid->items));
    cs_heap_add(amid, (struct cs_heap_item){event.at_ps, event.order, event.number, event.kind});
}

static inline struct cs_event amid_at(const struct cs_events *events, uint32_t i)
{
    const struct cs_heap_item *item = &events->amid.items[i];

    return (struct cs_event){item->key, item->tie, item->kind, item->number};
}

/* Most events are the last of those so far. */
static inline void near_add(struct cs_events *events, struct cs_event event)
{
    uint32_t i;

    if (near_waiting(events) > MANY &&
        events_before(&event, &events->near[events->near_count - MANY])) {
        amid_add(events, event);
        return;
    }
    if (events->near_count == 2 * events->capacity)
        near_close_up(events);
    for (i = events->near_count++;
         i > events->near_first && events_before(&event, &events->near[i - 1]); i--)
        events->near[i] = events->near[i - 1];
    events->near[i] = event;
}

static void run_grow(struct cs_events *events)
{
    uint32_t old = events->run_capacity;

    events->run_capacity = old ? 2 * old : FIRST_CAPACITY;
    events->run = cs_grow(events->run, events->run_capacity, sizeof(*events->run));
    /* Events that had wrapped around the old end continue behind the old end. */
    for (uint32_t i = 0; i < events->run_first; i++)
        events->run[old + i] = events->run[i];
}

static inline struct cs_event *run_at(const struct cs_events *events, uint32_t i)
{
    return &events->run[(events->run_first + i) & (events->run_capacity - 1)];
}

static inline void run_add(struct cs_events *events, struct cs_event event)
{
    if (events->run_count == events->run_capacity)
        run_grow(events);
    *run_at(events, events->run_count++) = event;
    events->run_last_ps = event.at_ps;
}

/* ---- the far future ---- */

static struct cs_far_slot *far_slot(const struct cs_far *far, uint32_t d, uint32_t at)
{
    return &far->slots[d * CS_FAR_SLOTS + at];
}

/* The slot of a time.  Above digit d the time and since_ps agree: any time in a slot of
 * digit d is later than all in slots of lower digits, and of two slots of a digit the
 * lower one is earlier.  So the first of all is in the lowest digit that is not empty (a
 * radix heap: R. K. Ahuja et al., J. ACM 37, 213-223, 1990). */
struct far_place {
    uint32_t d, at;
    struct cs_far_slot *slot;
};

static inline struct far_place far_place_of(const struct cs_far *far, uint64_t at_ps)
{
    uint32_t d = (63 - (uint32_t)__builtin_clzll((at_ps ^ far->since_ps) | 1)) / CS_FAR_BITS;
    uint32_t at = (at_ps >> CS_FAR_BITS * d) % CS_FAR_SLOTS;

    return (struct far_place){d, at, far_slot(far, d, at)};
}

/* Appends a chunk to its slot. */
static inline void far_link(struct cs_far *far, const struct far_place *place, uint32_t number)
{
    struct cs_far_slot *slot = place->slot;
    struct cs_far_digit *digit = &far->digit[place->d];

    far->chunks[number].next = 0;
    if (slot->first) {
        far->chunks[slot->last].next = number + 1;
    } else {
        slot->first = number + 1;
        digit->filled[place->at / 64] |= UINT64_C(1) << place->at % 64;
        digit->filled_words |= UINT64_C(1) << place->at / 64;
    }
    slot->last = number;
    slot->count += far->chunks[number].count;
}

static uint32_t far_new_chunk(struct cs_far *far)
{
    uint32_t number;

    if (cs_pool_is_full(&far->pool))
        far->chunks = cs_grow_lines(far->chunks, far->pool.count, cs_pool_enlarge(&far->pool),
                                    sizeof(*far->chunks));
    number = cs_pool_take(&far->pool, &far->chunks->next, sizeof(*far->chunks));
    far->chunks[number].count = 0;
    return number;
}

static void far_drop_chunk(struct cs_far *far, uint32_t number)
{
    cs_pool_give(&far->pool, number, &far->chunks[number].next);
}

/* Appends the event to its slot. */
ALWAYS void far_add(struct cs_far *far, struct cs_event event)
{
    struct far_place place = far_place_of(far, event.at_ps);
    struct cs_far_chunk *chunk;

    if (!place.slot->first || far->chunks[place.slot->last].count == CS_FAR_EVENTS)
        far_link(far, &place, far_new_chunk(far));
    chunk = &far->chunks[place.slot->last];
    chunk->events[chunk->count++] = event;
    place.slot->count++;
}

/* Whether all events of the chunk are of one time. */
static inline bool far_is_together(const struct cs_far_chunk *chunk)
{
    uint64_t differs = 0;

    for (uint32_t i = 1; i < chunk->count; i++)
        differs |= chunk->events[i].at_ps ^ chunk->events[0].at_ps;
    return differs == 0;
}

/* The first filled slot of the digit, which is not empty. */
static uint32_t far_first_slot(const struct cs_far_digit *digit)
{
    uint32_t word = (uint32_t)__builtin_ctzll(digit->filled_words);

    return 64 * word + (uint32_t)__builtin_ctzll(digit->filled[word]);
}

/* Empties the slot and returns what was in it. */
static struct cs_far_slot far_take(struct cs_far *far, uint32_t d, uint32_t at)
{
    struct cs_far_digit *digit = &far->digit[d];
    uint64_t *filled = &digit->filled[at / 64];
    struct cs_far_slot slot = *far_slot(far, d, at);

    *far_slot(far, d, at) = (struct cs_far_slot){0};
    *filled &= ~(UINT64_C(1) << at % 64);
    if (!*filled)
        digit->filled_words &= ~(UINT64_C(1) << at / 64);
    return slot;
}

static int compare_events(const void *a, const void *b)
{
    return events_before(a, b) ? -1 : 1;
}

/* Takes the chunks of a slot of `count` events from `number` on into the empty near
 * future.  Events of one time are in order but for a few put off. */
static void far_open_all(struct cs_events *events, uint32_t number, uint32_t count)
{
    struct cs_far *far = &events->far;
    bool is_sorted = true;
    struct cs_event *near = events->near;
    uint32_t i = 0;

    while (number) {
        uint32_t own = number - 1;
        const struct cs_far_chunk *chunk = &far->chunks[own];

        number = chunk->next;
        if (number)
            __builtin_prefetch(&far->chunks[number - 1]);
        for (uint32_t k = 0; k < chunk->count; k++, i++) {
            near[i] = chunk->events[k];
            is_sorted = is_sorted && (i == 0 || events_before(&near[i - 1], &near[i]));
        }
        far_drop_chunk(far, own);
    }
    far->count -= count;
    events->near_first = 0;
    events->near_count = count;
    if (is_sorted)
        return;
    if (count > FEW) {
        qsort(near, count, sizeof(*near), compare_events);
        return;
    }
    for (events->near_count = 0; events->near_count < count;)
        near_add(events, near[events->near_count]);
}

/* Moves the events of a slot from chunk `number` on to slots of lower digits: since_ps is
 * the begin of that slot now, and a time in it differs from its begin below its digit. */
static void far_spread(struct cs_far *far, uint32_t number)
{
    while (number) {
        uint32_t own = number - 1;
        const struct cs_far_chunk *chunk = &far->chunks[own];
        uint32_t count = chunk->count;

        number = chunk->next;
        if (number)
            __builtin_prefetch(&far->chunks[number - 1]);
        if (far_is_together(chunk)) {
            struct far_place place = far_place_of(far, chunk->events[0].at_ps);

            far_link(far, &place, own);
            continue;
        }
        /* The array may move. */
        for (uint32_t i = 0; i < count; i++)
            far_add(far, far->chunks[own].events[i]);
        far_drop_chunk(far, own);
    }
}

/* Opens slot `at` of digit d, of times from `from_ps` on. */
static void far_open(struct cs_events *events, uint32_t d, uint32_t at, uint64_t from_ps)
{
    struct cs_far *far = &events->far;
    struct cs_far_slot slot = far_take(far, d, at);

    far->since_ps = from_ps;
    if (d > 0 && slot.count > FEW) {
        far_spread(far, slot.first);
        return;
    }
    /* What is added later for a time within the slot must fire among what was in it. */
    events->near_ps = from_ps + (UINT64_C(1) << CS_FAR_BITS * d) - 1;
    far_open_all(events, slot.first, slot.count);
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
        from_ps = (far->since_ps >> shift >> CS_FAR_BITS << CS_FAR_BITS | at) << shift;
        /* What is added to an open slot is inserted, not appended: none is opened before its
         * first event can be the next of all. */
        if (events->run_count && run_at(events, 0)->at_ps < from_ps)
            return;
        far_open(events, d, at, from_ps);
    }
}

static void far_each_of_slot(const struct cs_far *far, uint32_t number,
                             void (*visit)(void *ctx, const struct cs_event *event), void *ctx)
{
    for (; number; number = far->chunks[number - 1].next) {
        const struct cs_far_chunk *chunk = &far->chunks[number - 1];

        for (uint32_t i = 0; i < chunk->count; i++)
            visit(ctx, &chunk->events[i]);
    }
}

static void far_each(const struct cs_far *far,
                     void (*visit)(void *ctx, const struct cs_event *event), void *ctx)
{
    for (uint32_t d = 0; d < CS_FAR_DIGITS; d++)
        for (uint32_t at = 0; at < CS_FAR_SLOTS; at += 64)
            for (uint64_t left = far->digit[d].filled[at / 64]; left; left &= left - 1)
                far_each_of_slot(far, far_slot(far, d, at + (uint32_t)__builtin_ctzll(left))->first,
                                 visit, ctx);
}

/* ---- all ---- */

/* Room for one more beside the run: near or far. */
static void events_make_room(struct cs_events *events)
{
    struct cs_far *far = &events->far;

    events->near = cs_vector_grow(events->near, events->capacity + 1, &events->capacity,
                                  2 * sizeof(*events->near));
    if (!far->slots)
        far->slots =
            cs_arena_alloc(&far->arena, (size_t)CS_FAR_DIGITS * CS_FAR_SLOTS, sizeof(*far->slots));
}

ALWAYS void events_insert(struct cs_events *events, struct cs_event event)
{
    if (near_waiting(events) + events->far.count == events->capacity)
        events_make_room(events);
    if (event.at_ps <= events->near_ps) {
        near_add(events, event);
        return;
    }
    events->far.count++;
    far_add(&events->far, event);
}

void cs_events_add(struct cs_events *events, uint64_t at_ps, uint32_t kind, uint32_t number)
{
    struct cs_event event = {at_ps, events->added++, kind, number};

    assert(at_ps >= events->now_ps);
    if (at_ps > CS_TIME_MAX_PS)
        events->overflowed = true;
    else if (at_ps < events->run_last_ps)
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

    for (uint32_t i = 0; i < from->run_count; i++)
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
                    bool (*keep)(const void *ctx, const struct cs_event *event), const void *ctx)
{
    struct cs_events kept = {0};
    struct events_sift sift = {&kept, keep, ctx};

    cs_events_each(events, sift_event, &sift);
    events_refill(events, &kept);
}

/* In no order; events_refill sorts by time and number. */
static void list_event(void *ctx, const struct cs_event *event)
{
    run_add(ctx, *event);
}

void cs_events_shift(struct cs_events *events, uint64_t by_ps)
{
    struct cs_events moved = {0};

    cs_events_each(events, list_event, &moved);
    for (uint32_t i = 0; i < moved.run_count; i++)
        moved.run[i].at_ps += by_ps;
    events->now_ps += by_ps;
    events_refill(events, &moved);
}

void cs_events_restart(struct cs_events *events, uint64_t now_ps)
{
    assert(cs_events_waiting(events) == 0);
    events->now_ps = events->near_ps = events->far.since_ps = now_ps;
    events->near_first = events->near_count = events->run_first = 0;
}

/* Takes the first of the near future into *event; false where there is none, or where the
 * run has an earlier one. */
static bool near_take(struct cs_events *events, struct cs_event *event)
{
    struct cs_event first = {.at_ps = UINT64_MAX};
    bool is_amid;

    if (near_waiting(events))
        first = events->near[events->near_first];
    is_amid = events->amid.count > 0;
    if (is_amid) {
        struct cs_event amid = amid_at(events, 0);

        is_amid = events_before(&amid, &first);
        first = is_amid ? amid : first;
    }
    if (first.at_ps == UINT64_MAX ||
        (events->run_count && events_before(run_at(events, 0), &first)))
        return false;
    if (is_amid)
        cs_heap_remove(&events->amid, 0);
    else
        events->near_first++;
    events->from_run = false;
    *event = first;
    return true;
}

static bool run_take(struct cs_events *events, struct cs_event *event)
{
    if (events->run_count == 0)
        return false;
    *event = *run_at(events, 0);
    events->run_first = (events->run_first + 1) & (events->run_capacity - 1);
    events->from_run = true;
    if (--events->run_count == 0)
        events->run_last_ps = 0;
    if (events->near_ps < event->at_ps)
        events->near_ps = event->at_ps;
    return true;
}

bool cs_events_search(struct cs_events *events, struct cs_event *event)
{
    if (events->overflowed)
        return false;
    if (events->far.count && !near_waiting(events) && !events->amid.count)
        far_advance(events);
    if (!near_take(events, event) && !run_take(events, event))
        return false;
    events->now_ps = event->at_ps;
    events->fired = event->order;
    return true;
}

void cs_events_each(const struct cs_events *events,
                    void (*visit)(void *ctx, const struct cs_event *event), void *ctx)
{
    for (uint32_t i = 0; i < events->run_count; i++)
        visit(ctx, run_at(events, i));
    for (uint32_t i = events->near_first; i < events->near_count; i++)
        visit(ctx, &events->near[i]);
    for (uint32_t i = 0; i < events->amid.count; i++) {
        struct cs_event event = amid_at(events, i);

        visit(ctx, &event);
    }
    far_each(&events->far, visit, ctx);
}

uint32_t cs_events_waiting(const struct cs_events *events)
{
    return events->run_count + near_waiting(events) + events->amid.count + events->far.count;
}
