#include "scenarios/trace/replay.h"
#include "tests/near.h"
#include "tests/unit/scenarios/trace/trace_text.h"

static struct cs_trace_replay_time replayed(const struct cs_trace *trace, const double *call_s,
                                            double scale)
{
    CS_AT_END(cs_trace_edges_close) struct cs_trace_edges edges;
    struct cs_trace_replay_time time;

    cs_trace_edges_open(trace, &edges);
    cs_trace_replay_run(&(struct cs_trace_replay){trace, &edges, call_s, scale, NULL, NULL}, &time);
    return time;
}

/* Two kernels, an all-reduce of each one's result, the optimizer behind. */
#define OVERLAPPED                                                                                 \
    "[" KERNEL(0, 100, 7, 1) "," KERNEL(100, 100, 7, 3) "," CALL(                                  \
        105, 50, 20, 2, "allreduce", OF_FOUR(8, 8)) "," CALL(205, 50, 20, 4, "allreduce",          \
                                                             OF_FOUR(8, 8)) "," KERNEL(265, 30, 7, \
                                                                                       5) "]"

#define TRACE_TEST(name) TEST_OF(struct cs_trace, trace, cs_trace_free, name)

TRACE_TEST(measured_times_replay_as_measured)
{
    struct cs_trace_replay_time time;

    trace_open(trace, OVERLAPPED);
    time = replayed(trace, NULL, 1);
    assert_within(time.span_s, 295e-6, 1e-12);
    assert_within(time.compute_s, 230e-6, 1e-12);
    assert_within(time.exposed_s, 50e-6, 1e-12);
    assert_within(time.idle_s, 15e-6, 1e-12);
    assert_within(time.calls_s, 100e-6, 1e-12);
}

/* The first call stays behind the second kernel, the optimizer waits for the
 * second call, which starts 5 us after its kernel. */
TRACE_TEST(slower_calls_delay_what_waits_for_them)
{
    const double call_s[] = {80e-6, 80e-6};

    trace_open(trace, OVERLAPPED);
    assert_within(replayed(trace, call_s, 1).span_s, 325e-6, 1e-12);
}

TRACE_TEST(slow_calls_queue_on_their_stream)
{
    const double call_s[] = {300e-6, 300e-6};

    trace_open(trace, OVERLAPPED);
    /* 105 + 300, no gap between calls in a queue: the measured 5 us are those
     * behind the kernel. */
    assert_within(replayed(trace, call_s, 1).span_s, (105 + 300 + 5 + 300 + 10 + 30) * 1e-6, 1e-12);
}

/* A call does not start before its kernel ends, however fast the call before. */
TRACE_TEST(a_call_waits_for_the_kernel_launched_before_it)
{
    const double call_s[] = {0, 0};

    trace_open(trace, OVERLAPPED);
    assert_within(replayed(trace, call_s, 1).span_s, 245e-6, 1e-12);
}

TRACE_TEST(kernels_scale_and_gaps_do_not)
{
    trace_open(trace, "[" KERNEL(0, 10, 7, 1) "," KERNEL(15, 10, 7, 2) "]");
    assert_within(replayed(trace, NULL, 2).span_s, 45e-6, 1e-12);
}

/* The third kernel waits for the call by a record, though the call ended long
 * before in the measurement. */
TRACE_TEST(recorded_waits_hold_when_calls_get_slower)
{
    static const char text[] =
        "[" KERNEL(0, 10, 7, 1) "," CALL(10, 5, 20, 2, "allreduce", OF_FOUR(8, 8)) "," KERNEL(
            10, 50, 7,
            4) ",{\"ph\":\"X\",\"cat\":\"cuda_sync\",\"name\":\"Stream Wait "
               "Event\",\"ts\":9,\"dur\":0,\"args\":{\"stream\":7,\"correlation\":6,\"wait_on_"
               "stream\":20,\"wait_on_cuda_event_record_corr_id\":3}}," KERNEL(60, 10, 7, 8) "]";
    const double call_s[] = {100e-6};

    trace_open(trace, text);
    assert_int_equal(trace->wait_count, 1);
    assert_within(replayed(trace, NULL, 1).span_s, 70e-6, 1e-12);
    assert_within(replayed(trace, call_s, 1).span_s, 120e-6, 1e-12);
}

/* Any trace replays as measured, and slower calls never make a step faster. */
TEST(random_traces_replay_as_measured)
{
    srand(7);
    for (int round = 0; round < 200; round++) {
        CS_AT_END(cs_trace_free) struct cs_trace trace = {.steps = 1, .streams = 3};
        double at_s = 0, end_s = 0, call_s[60], slow_s[60];
        struct cs_trace_replay_time same, slow;

        for (int e = 0; e < 60; e++) {
            struct cs_trace_event *event = cs_trace_add_event(&trace);

            at_s += rand() % 10 * 1e-6;
            event->start_s = at_s;
            event->duration_s = rand() % 20 * 1e-6;
            event->stream = event->channel = (uint32_t)(rand() % 3);
            event->order = (uint64_t)e + 1;
            if (event->stream == 2) {
                event->kind = CS_TRACE_COLLECTIVE;
                event->call = cs_trace_add_call(&trace, (struct cs_trace_call){0});
                call_s[event->call] = event->duration_s;
                slow_s[event->call] = event->duration_s * 3;
            }
            if (at_s + event->duration_s > end_s)
                end_s = at_s + event->duration_s;
        }
        same = replayed(&trace, call_s, 1);
        slow = replayed(&trace, slow_s, 1);
        assert_within(same.span_s, end_s, 1e-12);
        assert_true(slow.span_s >= same.span_s - 1e-12);
    }
}
