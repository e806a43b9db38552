#include "sim/engine/events.h"

#include "tests/fixture.h"

enum {
    PENDING_MAX = 400,
    QUEUE = 60000,
};

/* The plain method: an unordered list, of which the least is looked for. */
struct reference {
    struct cs_event waiting[PENDING_MAX];
    uint32_t count;
    uint64_t added;
};

static void reference_add(struct reference *reference, uint64_t at_ps, uint32_t number)
{
    reference->waiting[reference->count++] =
        (struct cs_event){.at_ps = at_ps, .order = reference->added++, .number = number};
}

static struct cs_event reference_next(struct reference *reference)
{
    uint32_t best = 0;
    struct cs_event event;

    for (uint32_t i = 1; i < reference->count; i++) {
        const struct cs_event *a = &reference->waiting[i];
        const struct cs_event *b = &reference->waiting[best];

        if (a->at_ps < b->at_ps || (a->at_ps == b->at_ps && a->order < b->order))
            best = i;
    }
    event = reference->waiting[best];
    reference->waiting[best] = reference->waiting[--reference->count];
    return event;
}

/* Draws from few times, so that many tie; now and then from many. */
static uint64_t draw_time(struct cs_random *random, uint64_t now_ps)
{
    switch (cs_random_below(random, 5)) {
    case 0:
        return now_ps;
    case 1:
        return now_ps + cs_random_below(random, 4);
    case 2:
        return now_ps + 1000 * cs_random_below(random, 5);
    case 3:
        return now_ps + cs_random_below(random, 1000000);
    default: /* from one to 2^50 picoseconds */
        return now_ps + (UINT64_C(1) << cs_random_below(random, 51)) + cs_random_below(random, 50);
    }
}

/* Several events of one time, as far as there is room; times below `range` from now,
 * or of all magnitudes where it is 0. */
static void add_burst(struct cs_events *events, struct reference *reference,
                      struct cs_random *random, uint32_t pending_max, uint64_t range)
{
    uint32_t more = 1 + (uint32_t)cs_random_below(random, 8);
    uint64_t at_ps =
        range ? events->now_ps + cs_random_below(random, range) : draw_time(random, events->now_ps);

    for (; more && reference->count < pending_max; more--) {
        uint32_t number = (uint32_t)reference->added;

        cs_events_add(events, at_ps, 7, number);
        reference_add(reference, at_ps, number);
    }
}

static void compare_with_reference(struct cs_random *random, uint32_t pending_max, uint64_t range)
{
    CS_AT_END(cs_events_free) struct cs_events events = {0};
    struct reference reference = {.count = 0};
    struct cs_event event;

    for (uint32_t turn = 0; turn < QUEUE; turn++) {
        bool add =
            reference.count < pending_max && (reference.count == 0 || cs_random_below(random, 2));

        if (add) {
            add_burst(&events, &reference, random, pending_max, range);
        } else {
            struct cs_event expected = reference_next(&reference);

            assert_true(cs_events_next(&events, &event));
            assert_int_equal(event.number, expected.number);
            assert_int_equal(event.at_ps, expected.at_ps);
            assert_int_equal(event.kind, 7);
            assert_int_equal(events.now_ps, expected.at_ps);
        }
    }
    while (reference.count) {
        assert_true(cs_events_next(&events, &event));
        assert_int_equal(event.number, reference_next(&reference).number);
    }
    assert_false(cs_events_next(&events, &event));
}

TEST(events_fire_in_order_of_time_and_insertion)
{
    struct cs_random *random = cs_random_open(1, "events");

    compare_with_reference(random, 2, 0);
    compare_with_reference(random, 20, 0);
    for (uint32_t bits = 4; bits < 40; bits += 4)
        compare_with_reference(random, PENDING_MAX, UINT64_C(1) << bits);
    compare_with_reference(random, PENDING_MAX, 0);
    cs_random_close(random);
}

#define EVENTS_TEST(name) TEST_OF(struct cs_events, events, cs_events_free, name)

EVENTS_TEST(events_at_the_same_time_fire_as_scheduled)
{
    struct cs_event event;

    /* The later event first sends the others through the heap. */
    cs_events_add(events, 100, 0, 1000);
    for (uint32_t i = 0; i < 500; i++)
        cs_events_add(events, 50, 0, i);
    cs_events_add(events, 100, 0, 1001);
    for (uint32_t i = 0; i < 500; i++) {
        assert_true(cs_events_next(events, &event));
        assert_int_equal(event.number, i);
        assert_int_equal(event.at_ps, 50);
    }
    assert_true(cs_events_next(events, &event));
    assert_int_equal(event.number, 1000);
    assert_true(cs_events_next(events, &event));
    assert_int_equal(event.number, 1001);
}

/* Messages without bytes wait at a link for the time of thousands of others. */
EVENTS_TEST(events_put_off_among_many_fire_in_their_order)
{
    struct cs_random *random = cs_random_open(3, "put off");
    bool is_put[PENDING_MAX] = {false};
    uint32_t expected = PENDING_MAX;
    uint64_t last = 0;
    struct cs_event event;

    for (uint32_t i = 0; i < PENDING_MAX; i++) {
        events->added++; /* of the event that is put off */
        cs_events_add(events, 50, 0, i);
    }
    for (; expected; expected--) {
        assert_int_equal(cs_events_waiting(events), expected);
        assert_true(cs_events_next(events, &event));
        assert_int_equal(event.at_ps, 50);
        assert_int_equal(event.order, 2 * (uint64_t)event.number + !event.kind);
        assert_true(event.order >= last);
        last = event.order;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t number = (uint32_t)cs_random_below(random, PENDING_MAX);

            if (is_put[number] || 2 * (uint64_t)number < last)
                continue;
            is_put[number] = true;
            cs_events_put_off(events, (struct cs_event){50, 2 * (uint64_t)number, 1, number});
            expected++;
        }
        assert_true(cs_events_more_now(events) == (expected > 1));
    }
    assert_false(cs_events_next(events, &event));
    cs_random_close(random);
}

EVENTS_TEST(events_added_backwards_come_out_forwards)
{
    struct cs_event event;

    for (uint32_t i = 0; i < 1000; i++)
        cs_events_add(events, 1000 - i, 0, i);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(cs_events_next(events, &event));
        assert_int_equal(event.at_ps, i + 1);
        assert_int_equal(event.number, 999 - i);
    }
}

EVENTS_TEST(an_empty_queue_has_no_next_and_keeps_its_time)
{
    struct cs_event event;

    assert_false(cs_events_next(events, &event));
    cs_events_add(events, 30, 1, 2);
    assert_true(cs_events_next(events, &event));
    assert_false(cs_events_next(events, &event));
    assert_int_equal(events->now_ps, 30);
    cs_events_add(events, 30, 1, 3);
    assert_true(cs_events_next(events, &event));
    assert_int_equal(event.number, 3);
}

EVENTS_TEST(time_ends_after_53_days_and_not_before)
{
    struct cs_event event;

    cs_events_add(events, CS_TIME_MAX_PS, 0, 1);
    assert_true(cs_events_next(events, &event));
    assert_int_equal(event.at_ps, CS_TIME_MAX_PS);
    cs_events_add(events, CS_TIME_MAX_PS, 0, 2);
    assert_false(events->overflowed);
    cs_events_add(events, CS_TIME_MAX_PS + 1, 0, 3);
    assert_true(events->overflowed);
    assert_false(cs_events_next(events, &event));
}

EVENTS_TEST(further_events_of_the_time_are_known)
{
    struct cs_event event;

    assert_false(cs_events_more_now(events));
    cs_events_add(events, 0, 0, 0);
    assert_true(cs_events_more_now(events));
    assert_true(cs_events_next(events, &event));
    assert_false(cs_events_more_now(events));
    cs_events_add(events, 100, 0, 1);
    cs_events_add(events, 60, 0, 2);
    cs_events_add(events, 60, 0, 3);
    assert_false(cs_events_more_now(events));
    assert_true(cs_events_next(events, &event));
    assert_true(cs_events_more_now(events));
    assert_true(cs_events_next(events, &event));
    assert_false(cs_events_more_now(events));
    cs_events_add(events, 60, 0, 4); /* behind the event of 100 */
    assert_true(cs_events_more_now(events));
    assert_true(cs_events_next(events, &event));
    assert_true(cs_events_next(events, &event));
    assert_false(cs_events_more_now(events));
}

static void sum_numbers(void *ctx, const struct cs_event *event)
{
    *(uint64_t *)ctx += event->number;
}

EVENTS_TEST(all_pending_events_are_visited)
{
    struct cs_event event;
    uint64_t pending = 0;
    uint64_t sum = 0;

    for (uint32_t i = 1; i <= 1000; i++) {
        cs_events_add(events, (uint64_t)i * i * i * 7919 % 1000003 * i, 0, i);
        pending += i;
    }
    for (uint32_t i = 0; i < 300; i++) {
        assert_true(cs_events_next(events, &event));
        pending -= event.number;
    }
    assert_int_equal(cs_events_waiting(events), 700);
    cs_events_each(events, sum_numbers, &sum);
    assert_int_equal(sum, pending);
}

EVENTS_TEST(an_event_put_off_keeps_its_place)
{
    struct cs_event event;

    cs_events_add(events, 10, 0, 1);
    cs_events_add(events, 20, 0, 2);
    cs_events_add(events, 30, 0, 3);
    assert_true(cs_events_next(events, &event));
    cs_events_add(events, 20, 0, 4);
    cs_events_put_off(events, (struct cs_event){20, event.order, 0, 1});
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t order[] = {1, 2, 4, 3};

        assert_true(cs_events_next(events, &event));
        assert_int_equal(event.number, order[i]);
    }
    assert_false(cs_events_next(events, &event));
}

static bool is_even(const void *ctx, const struct cs_event *event)
{
    (void)ctx;
    return event->number % 2 == 0;
}

/* Some wait in the run and some in the heap. */
EVENTS_TEST(what_is_taken_out_does_not_fire_and_the_rest_in_order)
{
    CS_AT_END(fixture_random_end) struct cs_random *random = fixture_random("sift");
    struct cs_event before = {0};
    struct cs_event event;
    uint32_t count = 0;

    for (uint32_t i = 0; i < 1000; i++)
        cs_events_add(events, cs_random_below(random, 100), 0, i);
    for (uint32_t i = 0; i < 10; i++)
        assert_true(cs_events_next(events, &event));
    cs_events_sift(events, is_even, NULL);
    while (cs_events_next(events, &event)) {
        assert_true(is_even(NULL, &event));
        assert_true(count == 0 || before.at_ps < event.at_ps ||
                    (before.at_ps == event.at_ps && before.order < event.order));
        before = event;
        count++;
    }
    assert_in_range(count, 490, 500);
}

EVENTS_TEST(memory_stops_growing_once_the_most_has_waited)
{
    struct cs_random *random = cs_random_open(2, "events");
    struct cs_event event;
    uint32_t run = 0;
    uint32_t room = 0;

    for (uint32_t i = 0; i < 300; i++)
        cs_events_add(events, cs_random_below(random, 1000), 0, i);
    for (uint32_t turn = 0; turn < 100000; turn++) {
        assert_true(cs_events_next(events, &event));
        cs_events_add(events, event.at_ps + cs_random_below(random, 1000), 0, event.number);
        if (turn < 50000) {
            run = events->run_capacity;
            room = events->capacity;
        }
    }
    assert_int_equal(events->run_capacity, run);
    assert_int_equal(events->capacity, room);
    assert_true(run <= 512 && room <= 512);
    cs_random_close(random);
}
