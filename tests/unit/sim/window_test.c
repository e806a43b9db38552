#include "sim/window.h"

#include "tests/fixture.h"

#define TRIP_PS  UINT64_C(1000)
#define LEAST_PS UINT64_C(5000)

static struct cs_window opened(void)
{
    struct cs_window window;

    cs_window_open(&window, TRIP_PS, LEAST_PS);
    return window;
}

/* Sends what the window takes; how many packets that are. */
static uint32_t send_all(struct cs_window *window, uint64_t now_ps)
{
    uint32_t count = 0;

    while (!cs_window_is_full(window)) {
        (void)cs_window_send(window);
        cs_window_left(window, now_ps);
        count++;
    }
    return count;
}

/* Acknowledges so many packets, one by one. */
static void acknowledge(struct cs_window *window, uint32_t count,
                        uint64_t now_ps)
{
    for (uint32_t i = 0; i < count; i++)
        cs_window_acknowledge(window, window->acked + 1, TRIP_PS, now_ps);
}

static void a_window_doubles_each_round_trip(void **state)
{
    struct cs_window window = opened();
    uint32_t expected = CS_WINDOW_FIRST;
    uint64_t now_ps = 0;

    (void)state;
    for (int round = 0; round < 6; round++) {
        /* After the first round a packet leaves for each acknowledged, and one
         * more: as many as have come, twice. */
        assert_int_equal(send_all(&window, now_ps), expected);
        now_ps += TRIP_PS;
        acknowledge(&window, (uint32_t)(window.sent - window.acked), now_ps);
        expected *= 2;
        assert_int_equal(window.size, expected);
    }
}

static void three_that_bring_no_news_halve_it(void **state)
{
    struct cs_window window = opened();

    (void)state;
    (void)send_all(&window, 0);
    acknowledge(&window, 2, TRIP_PS);
    assert_int_equal(window.size, 12);
    (void)send_all(&window, TRIP_PS);
    for (int i = 0; i < CS_WINDOW_DUPLICATES; i++) {
        assert_int_equal(window.size, 12);
        cs_window_acknowledge(&window, 2, TRIP_PS, TRIP_PS);
    }
    assert_int_equal(window.size, 6);
    assert_int_equal(window.limit, 6);
    /* Go-back-N: the first that has not come is the next to go. */
    assert_int_equal(cs_window_send(&window), 2);
    /* More of them are of the same loss. */
    for (int i = 0; i < 5; i++)
        cs_window_acknowledge(&window, 2, TRIP_PS, TRIP_PS);
    assert_int_equal(window.size, 6);
}

/* What came behind a lost packet tells of that loss, and not of another. */
static void a_loss_halves_it_once_and_the_next_one_again(void **state)
{
    struct cs_window window = opened();

    (void)state;
    (void)send_all(&window, 0);
    for (int i = 0; i < 9; i++)
        cs_window_acknowledge(&window, 0, TRIP_PS, TRIP_PS);
    assert_int_equal(window.size, 5);
    (void)send_all(&window, TRIP_PS);
    acknowledge(&window, 5, 2 * TRIP_PS);
    (void)send_all(&window, 2 * TRIP_PS);
    for (int i = 0; i < 9; i++)
        cs_window_acknowledge(&window, 5, TRIP_PS, 3 * TRIP_PS);
    assert_int_equal(window.size, 6);
    acknowledge(&window, 5, 3 * TRIP_PS);
    (void)send_all(&window, 3 * TRIP_PS);
    for (int i = 0; i < CS_WINDOW_DUPLICATES; i++)
        cs_window_acknowledge(&window, 10, TRIP_PS, 4 * TRIP_PS);
    assert_int_equal(window.size, 3);
    assert_int_equal(cs_window_send(&window), 10);
}

static void fewer_that_bring_no_news_are_no_loss(void **state)
{
    struct cs_window window = opened();

    (void)state;
    (void)send_all(&window, 0);
    for (int i = 0; i < 5; i++) {
        cs_window_acknowledge(&window, window.acked, TRIP_PS, TRIP_PS);
        cs_window_acknowledge(&window, window.acked, TRIP_PS, TRIP_PS);
        acknowledge(&window, 1, TRIP_PS);
    }
    assert_int_equal(window.sent, CS_WINDOW_FIRST);
    assert_int_equal(window.size, CS_WINDOW_FIRST + 5);
}

static void a_timeout_is_two_round_trips_if_those_are_longer(void **state)
{
    struct cs_window window = opened();

    (void)state;
    (void)send_all(&window, 0);
    cs_window_acknowledge(&window, 1, LEAST_PS, 100);
    assert_int_equal(window.due_ps, 100 + 2 * LEAST_PS);
}

static void beyond_its_limit_it_grows_by_one_a_round_trip(void **state)
{
    struct cs_window window = opened();

    (void)state;
    window.limit = window.size;
    for (uint64_t round = 1; round <= 5; round++) {
        uint64_t before = window.size;
        uint32_t sent = send_all(&window, round * TRIP_PS);

        assert_int_equal(sent, before);
        acknowledge(&window, sent, (round + 1) * TRIP_PS);
        assert_int_equal(window.size, before + 1);
    }
}

static void a_timeout_begins_anew_and_waits_twice_as_long_each_time(
    void **state)
{
    struct cs_window window = opened();
    uint64_t wait_ps = LEAST_PS;
    uint64_t now_ps = 0;

    (void)state;
    (void)send_all(&window, 0);
    assert_int_equal(window.due_ps, LEAST_PS);
    for (int i = 0; i < CS_WINDOW_DOUBLINGS + 2; i++) {
        now_ps = window.due_ps;
        cs_window_time_out(&window, now_ps);
        if (i < CS_WINDOW_DOUBLINGS)
            wait_ps *= 2;
        assert_int_equal(window.size, 1);
        assert_int_equal(window.limit, CS_WINDOW_FIRST / 2);
        assert_int_equal(window.due_ps, now_ps + wait_ps);
        assert_int_equal(cs_window_send(&window), 0);
    }
    acknowledge(&window, 1, now_ps);
    assert_int_equal(window.repeats, 0);
}

static void a_late_acknowledgement_saves_what_was_thought_lost(void **state)
{
    struct cs_window window = opened();

    (void)state;
    (void)send_all(&window, 0);
    cs_window_time_out(&window, LEAST_PS);
    cs_window_acknowledge(&window, CS_WINDOW_FIRST, TRIP_PS, LEAST_PS);
    assert_int_equal(window.sent, CS_WINDOW_FIRST);
    assert_int_equal(window.due_ps, UINT64_MAX);
}

static void a_wide_window_is_never_full(void **state)
{
    struct cs_window window;

    (void)state;
    cs_window_open_wide(&window);
    for (int i = 0; i < 1000; i++) {
        assert_false(cs_window_is_full(&window));
        assert_int_equal(cs_window_send(&window), i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_doubles_each_round_trip),
        cmocka_unit_test(three_that_bring_no_news_halve_it),
        cmocka_unit_test(a_loss_halves_it_once_and_the_next_one_again),
        cmocka_unit_test(fewer_that_bring_no_news_are_no_loss),
        cmocka_unit_test(a_timeout_is_two_round_trips_if_those_are_longer),
        cmocka_unit_test(beyond_its_limit_it_grows_by_one_a_round_trip),
        cmocka_unit_test(
            a_timeout_begins_anew_and_waits_twice_as_long_each_time),
        cmocka_unit_test(a_late_acknowledgement_saves_what_was_thought_lost),
        cmocka_unit_test(a_wide_window_is_never_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
