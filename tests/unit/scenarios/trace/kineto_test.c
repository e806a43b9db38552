#include "tests/near.h"
#include "tests/unit/scenarios/trace/trace_text.h"

#define TRACE_TEST(name) TEST_OF(struct cs_trace, trace, cs_trace_free, name)

TRACE_TEST(kernels_and_calls_are_kept_by_start)
{
    trace_open(
        trace,
        "{\"distributedInfo\":{\"rank\":2,\"world_size\":4,\"nccl_version\":\"2.21.5\"},"
        "\"deviceProperties\":[{\"id\":0,\"name\":\"NVIDIA A100\"}],\"traceEvents\":[" CALL(
            130, 20, 20, 9, "allreduce", OF_FOUR(1024, 1024)) "," KERNEL(100, 30, 7, 5) "]}");
    assert_int_equal(trace->event_count, 2);
    assert_int_equal(trace->events[0].kind, CS_TRACE_COMPUTE);
    assert_int_equal(trace->events[1].kind, CS_TRACE_COLLECTIVE);
    assert_within(trace->events[1].start_s, 30e-6, 1e-12);
    assert_within(trace->events[1].duration_s, 20e-6, 1e-12);
    assert_int_equal(trace->events[1].order, 9);
    assert_int_equal(trace->streams, 2);
    assert_int_equal(trace->call_count, 1);
    assert_string_equal(trace->calls[0].collective->name, "all-reduce");
    assert_int_equal(trace->calls[0].bytes, 2048);
    assert_int_equal(trace->groups[0].size, 4);
    assert_int_equal(trace->origin.rank, 2);
    assert_int_equal(trace->origin.world, 4);
    assert_string_equal(trace->origin.device, "NVIDIA A100");
    assert_string_equal(trace->origin.library, "2.21.5");
}

/* The size of a run is the blocks of all ranks. */
TEST(sizes_are_those_of_nccl_tests)
{
    static const struct {
        const char *text;
        const char *collective;
        uint64_t bytes;
    } cases[] = {
        {"[" CALL(1, 1, 2, 3, "_allgather_base", OF_FOUR(100, 400)) "]", "all-gather", 800},
        {"[" CALL(1, 1, 2, 3, "_reduce_scatter_base", OF_FOUR(400, 100)) "]", "reduce-scatter",
         800},
        {"[" CALL(1, 1, 2, 3, "reduce_scatter", OF_FOUR(100, 100)) "]", "reduce-scatter", 800},
        {"[" CALL(1, 1, 2, 3, "all_to_all", OF_FOUR(400, 400)) "]", "all-to-all", 800},
        {"[" CALL(1, 1, 2, 3, "broadcast", OF_FOUR(400, 400)) "]", "broadcast", 800},
        {"[" CALL(1, 1, 2, 3, "barrier", OF_FOUR(0, 0)) "]", "all-reduce", 4},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        CS_AT_END(cs_trace_free) struct cs_trace trace;

        trace_open(&trace, cases[i].text);
        assert_int_equal(trace.call_count, 1);
        assert_string_equal(trace.calls[0].collective->name, cases[i].collective);
        assert_int_equal(trace.calls[0].bytes, cases[i].bytes);
    }
}

TRACE_TEST(a_send_has_two_ranks)
{
    trace_open(trace, "[" CALL(1, 1, 2, 3, "send", "\"Rank\":1,\"Dst Rank\":3," OF_FOUR(8, 8)) "]");
    assert_int_equal(trace->groups[trace->calls[0].group].size, 2);
    assert_int_equal(trace->groups[trace->calls[0].group].ranks[0], 1);
    assert_int_equal(trace->groups[trace->calls[0].group].ranks[1], 3);
}

TRACE_TEST(a_list_of_ranks_that_was_cut_continues)
{
    const struct cs_trace_group *group;

    trace_open(
        trace,
        "[" CALL(1, 1, 2, 3, "allreduce",
                 "\"In msg nelems\":8,\"Out msg nelems\":8,\"Group "
                 "size\":6,\"dtype\":\"Float\",\"Process Group Ranks\":\"[1, 9, 17, ...]\"") "]");
    group = &trace->groups[trace->calls[0].group];
    assert_int_equal(group->size, 6);
    assert_int_equal(group->ranks[5], 41);
}

/* The groups of the header have all ranks, whatever their distances. */
TEST(a_list_of_ranks_that_was_cut_is_in_the_header)
{
#define CUT(size)                                       \
    CALL(1, 1, 2, 3, "allreduce",                       \
         "\"In msg nelems\":8,\"Out msg nelems\":8,"    \
         "\"Group size\":" size ",\"dtype\":\"Float\"," \
         "\"Process Group Name\":\"3\","                \
         "\"Process Group Ranks\":\"[0, 1, ...]\"")
    struct cs_trace trace;
    const struct cs_trace_group *group;

    trace_open(
        &trace,
        "{\"distributedInfo\":{\"pg_config\":[7,{\"pg_name\":\"0\",\"ranks\":[0]},{\"pg_desc\":["
        "\"x\"],\"ranks\":[0,1,8,9],\"pg_name\":\"3\"}],\"world_size\":16},\"traceEvents\":[" CUT(
            "4") "]}");
    group = &trace.groups[trace.calls[0].group];
    assert_int_equal(trace.origin.world, 16);
    assert_int_equal(group->size, 4);
    assert_int_equal(group->ranks[2], 8);
    assert_int_equal(group->ranks[3], 9);
    cs_trace_free(&trace);
    /* Another size is another group. */
    trace_open(&trace, "{\"distributedInfo\":{\"pg_config\":[{\"pg_name\":\"3\",\"ranks\":[0,1,8]}]"
                       "},\"traceEvents\":[" CUT("4") "]}");
    assert_int_equal(trace.groups[trace.calls[0].group].ranks[2], 2);
    cs_trace_free(&trace);
#undef CUT
}

TRACE_TEST(every_record_is_used_or_counted)
{
    static const char fields[] = "\"Collective name\":\"allreduce\"," OF_FOUR(8, 8);
    char text[4096];
    uint64_t left_out = 0;

    snprintf(
        text, sizeof(text),
        "[%s,%s,%s,%s,%s,%s,{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"record_param_comms\","
        "\"ts\":1,\"dur\":1,\"args\":{%s}},{\"ph\":\"X\",\"cat\":\"gpu_user_annotation\",\"name\":"
        "\"n\",\"ts\":1,\"dur\":1,\"args\":{%s}},{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":"
        "\"ncclKernel_x\",\"ts\":9,\"dur\":1,\"tid\":7}]",
        CALL(1, 1, 2, 3, "allreduce", OF_FOUR(8, 8)),
        CALL(2, 1, 2, 3, "sorted_reduce", OF_FOUR(8, 8)),
        CALL(3, 1, 2, 3, "allreduce", OF_FOUR(0, 0)),
        CALL(4, 1, 2, 3, "allreduce", "\"Group size\":4"),
        CALL(5, 1, 2, 3, "allreduce", "\"In msg nelems\":8,\"dtype\":\"Fl\",\"Group size\":4"),
        CALL(6, 1, 2, 3, "allreduce", "\"In msg nelems\":8,\"dtype\":\"Float\",\"Group size\":1"),
        fields, fields);
    trace_open(trace, text);
    for (int reason = 0; reason < CS_LEFT_REASONS; reason++) {
        assert_int_equal(trace->gaps.left_out[reason], 1);
        left_out += trace->gaps.left_out[reason];
    }
    assert_int_equal(trace->call_count, 1);
    assert_int_equal(trace->gaps.records, left_out + 1);
    assert_string_equal(trace->gaps.unknown, "sorted_reduce");
}

TRACE_TEST(steps_of_the_profiler_are_counted_once)
{
    trace_open(
        trace,
        "[" KERNEL(1, 1, 7,
                   1) ",{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#5\","
                      "\"ts\":0,\"dur\":9},{\"ph\":\"X\",\"cat\":\"gpu_user_annotation\",\"name\":"
                      "\"ProfilerStep#5\",\"ts\":0,\"dur\":9},{\"ph\":\"X\",\"cat\":\"user_"
                      "annotation\",\"name\":\"ProfilerStep#6\",\"ts\":9,\"dur\":9}]");
    assert_int_equal(trace->steps, 2);
    assert_true(trace->steps_recorded);
}

TRACE_TEST(a_truncated_file_keeps_its_whole_events)
{
    static const char text[] = "{\"traceEvents\":[\n" KERNEL(1, 1, 7, 1) ",\n" KERNEL(
        2, 1, 7, 2) ",\n" KERNEL(3, 1, 7, 3) "]}";

    assert_done(cs_trace_read_text("t", text, strlen(text) - 20, trace, &err));
    assert_int_equal(trace->event_count, 2);
    assert_true(trace->gaps.truncated);
    assert_int_equal(trace->gaps.truncated_line, 4);
}

static void refuse(const char *text, const char *message)
{
    CS_AT_END(cs_trace_free) struct cs_trace trace;

    assert_refused(cs_trace_read_text("t.json", text, strlen(text), &trace, &err), CS_EINPUT,
                   message);
}

TEST(faults_of_the_file_are_reported_with_their_place)
{
    refuse("", "t.json: the trace is empty");
    refuse("{\"traceEvents\": [\n{\"ph\" \"X\"}]}",
           "t.json:2: byte 24: '\"' where ':' is expected");
    refuse("{\"traceEvents\": [{\"ph\": \"X\"}]}",
           "t.json: no kernels of a device among 1 events; record ProfilerActivity.CUDA, too");
}
