#include "sim/models/packet/window.h"

#include "tests/fixture.h"

#define TRIP_PS  UINT64_C(1000)
#define LEAST_PS UINT64_C(5000)

static struct cs_window opened(void)
{
    struct cs_window window = {0};

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

/* So many packets have come, from that one on, and their sender hears of it. */
static void come(struct cs_window *window, uint64_t first, uint32_t count, uint64_t now_ps)
{
    for (uint64_t i = first; i < first + count; i++) {
        cs_window_receive(window, i);
        cs_window_acknowledge(window, i, TRIP_PS, now_ps);
    }
}

/* Those that are next in order. */
static void acknowledge(struct cs_window *window, uint32_t count, uint64_t now_ps)
{
    come(window, window->acked, count, now_ps);
}

TEST(a_window_doubles_each_round_trip)
{
    CS_AT_END(cs_window_close) struct cs_window window = opened();
    uint32_t expected = CS_WINDOW_FIRST;
    uint64_t now_ps = 0;

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

TEST(three_behind_a_missing_one_send_it_again)
{
    CS_AT_END(cs_window_close) struct cs_window window = opened();

    (void)send_all(&window, 0);
    acknowledge(&window, 2, TRIP_PS);
    assert_int_equal(window.size, 12);
    assert_int_equal(send_all(&window, TRIP_PS), 4);
    come(&window, 3, 2, TRIP_PS);
    assert_int_equal(window.size, 12);
    come(&window, 5, 1, TRIP_PS);
    assert_int_equal(window.size, 6); /* 12 are not acknowledged */
    assert_int_equal(window.limit, 6);
    assert_int_equal(cs_window_send(&window), 2); /* though it is full */
    assert_true(cs_window_is_full(&window));
    /* Further duplicates belong to the first loss, and make room for new
     * packets. */
    come(&window, 6, 8, TRIP_PS);
    assert_int_equal(window.size, 6);
    assert_int_equal(cs_window_send(&window), 14);
    /* The receiver has kept all of that. */
    come(&window, 2, 1, 2 * TRIP_PS);
    assert_int_equal(window.acked, 14);
    assert_int_equal(window.come, 14);
}

/* NewReno: packets sent before the loss was found belong to the first loss. */
TEST(a_second_hole_is_sent_again_when_the_first_is_filled)
{
    CS_AT_END(cs_window_close) struct cs_window window = opened();

    (void)send_all(&window, 0);
    come(&window, 1, 4, TRIP_PS);
    assert_int_equal(cs_window_send(&window), 0);
    come(&window, 6, 4, TRIP_PS);
    come(&window, 0, 1, 2 * TRIP_PS);
    assert_int_equal(window.acked, 5);
    assert_int_equal(window.size, 5);
    assert_int_equal(cs_window_send(&window), 5);
    come(&window, 5, 1, 3 * TRIP_PS);
    assert_int_equal(window.acked, window.sent);
    assert_int_equal(window.pipe, 0);
}

/* No second fast retransmit of one packet. */
TEST(what_is_lost_again_waits_for_its_timeout)
{
    CS_AT_END(cs_window_close) struct cs_window window = opened();

    (void)send_all(&window, 0);
    come(&window, 1, 9, TRIP_PS);
    assert_int_equal(cs_window_send(&window), 0);
    assert_int_equal(send_all(&window, TRIP_PS), 4);
    come(&window, 10, 4, 2 * TRIP_PS);
    assert_int_equal(window.lost, 0);
    cs_window_time_out(&window, window.due_ps);
    assert_int_equal(window.lost, 1);
    assert_int_equal(cs_window_send(&window), 0);
    assert_true(cs_window_is_full(&window));
}

TEST(a_new_loss_halves_it_again)
{
    CS_AT_END(cs_window_close) struct cs_window window = opened();

    (void)send_all(&window, 0);
    come(&window, 1, 9, TRIP_PS);
    assert_int_equal(window.size, 5);
    assert_int_equal(cs_window_send(&window), 0);
    come(&window, 0, 1, 2 * TRIP_PS);
    assert_int_equal(window.acked, 10);
    (void)send_all(&window, 2 * TRIP_PS);
    come(&window, window.acked + 1, 3, 3 * TRIP_PS);
    assert_int_equal(window.size, 2);
    assert_int_equal(cs_window_send(&window), 10);
}

TEST(fewer_behind_it_are_no_loss)
{
    CS_AT_END(cs_window_close) struct cs_window window = opened();

    (void)send_all(&window, 0);
    come(&window, 1, 2, TRIP_PS);
    assert_int_equal(window.lost, 0);
    assert_int_equal(window.size, CS_WINDOW_FIRST);
    come(&window, 0, 1, TRIP_PS);
    assert_int_equal(window.acked, 3);
    assert_int_equal(window.size, CS_WINDOW_FIRST + 1);
}

TEST(a_timeout_is_two_round_trips_if_those_are_longer)
{
    CS_AT_END(cs_window_close) struct cs_window window = opened();

    (void)send_all(&window, 0);
    cs_window_acknowledge(&window, 0, LEAST_PS, 100);
    assert_int_equal(window.due_ps, 100 + 2 * LEAST_PS);
}

TEST(beyond_its_limit_it_grows_by_one_a_round_trip)
{
    CS_AT_END(cs_window_close) struct cs_window window = opened();

    window.limit = window.size;
    for (uint64_t round = 1; round <= 5; round++) {
        uint64_t before = window.size;
        uint32_t sent = send_all(&window, round * TRIP_PS);

        assert_int_equal(sent, before);
        acknowledge(&window, sent, (round + 1) * TRIP_PS);
        assert_int_equal(window.size, before + 1);
    }
}

TEST(a_timeout_begins_anew_and_waits_twice_as_long_each_time)
{
    CS_AT_END(cs_window_close) struct cs_window window = opened();
    uint64_t wait_ps = LEAST_PS;
    uint64_t now_ps = 0;

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

TEST(a_late_acknowledgement_saves_what_was_thought_lost)
{
    CS_AT_END(cs_window_close) struct cs_window window = opened();

    (void)send_all(&window, 0);
    cs_window_time_out(&window, LEAST_PS);
    assert_int_equal(window.lost, CS_WINDOW_FIRST);
    acknowledge(&window, CS_WINDOW_FIRST, LEAST_PS);
    assert_int_equal(window.lost, 0);
    assert_int_equal(window.sent, CS_WINDOW_FIRST);
    assert_int_equal(window.due_ps, UINT64_MAX);
}

TEST(a_wide_window_is_never_full)
{
    struct cs_window window = {0};

    cs_window_open_wide(&window);
    for (int i = 0; i < 1000; i++) {
        assert_false(cs_window_is_full(&window));
        assert_int_equal(cs_window_send(&window), i);
    }
}
