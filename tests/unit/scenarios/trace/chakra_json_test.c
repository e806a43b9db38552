#include "tests/near.h"
#include "tests/unit/scenarios/trace/trace_text.h"

#define NUMBER(name, value) "{\"name\": \"" name "\", \"type\": \"uint64\", \"value\": " value "}"
#define TEXT(name, value)   "{\"name\": \"" name "\", \"type\": \"string\", \"value\": \"" value "\"}"
#define COMMS(id, after, name, elements)                                                                                                 \
    "{\"id\": " id ", \"name\": \"record_param_comms\", \"ctrl_deps\": " after                                                           \
    ", \"inputs\": {\"values\": [[], 1]}, \"attrs\": [" NUMBER("rf_id", "7") ", " TEXT(                                                  \
        "collective_name",                                                                                                               \
        name) ", " TEXT("dtype",                                                                                                         \
                        "Float") ", " NUMBER("in_msg_nelems",                                                                            \
                                             elements) ", " NUMBER("out_msg_nelems",                                                     \
                                                                   elements) ", " NUMBER("pg_"                                           \
                                                                                         "size",                                         \
                                                                                         "4") ","                                        \
                                                                                              " " NUMBER(                                \
                                                                                                  "global_rank_start",                   \
                                                                                                  "1") ", " NUMBER("global_rank_stride", \
                                                                                                                   "2") "]}"

TEST(pytorchs_records_are_calls_in_the_order_of_the_host)
{
    static const char text[] =
        "{\"schema\": \"1.1.1-chakra.0.0.4\", \"pid\": 1, \"nodes\": [\n"
        "{\"id\": 1, \"name\": \"process\", \"ctrl_deps\": 1, \"attrs\": []},\n" COMMS(
            "4", "1", "_allgather_base", "16") ",\n" COMMS("2", "1", "allreduce",
                                                           "1024") ",\n" COMMS("3", "1", "wait",
                                                                               "0") "]}";
    CS_AT_END(cs_trace_free) struct cs_trace trace;
    struct cs_err err = {0};

    assert_ok(cs_trace_read_text("t", text, sizeof(text) - 1, &trace, &err), &err);
    assert_int_equal(trace.call_count, 2);
    assert_string_equal(trace.calls[0].collective->name, "all-gather");
    assert_int_equal(trace.calls[0].bytes, 4 * 16 * 4);
    assert_int_equal(trace.calls[1].bytes, 4096);
    assert_int_equal(trace.groups[0].size, 4);
    assert_int_equal(trace.groups[0].ranks[3], 7);
    assert_true(trace.gaps.untimed);
    assert_false(trace.gaps.control_dropped);
    /* The all-reduce comes first: its id is lower. */
    for (uint32_t e = 0, calls = 0; e < trace.event_count; e++)
        if (trace.events[e].kind == CS_TRACE_COLLECTIVE)
            assert_int_equal(trace.events[e].call, calls++ ? 0 : 1);
}

/* Before schema 1.1 a record has its arguments in "inputs", without attributes. */
TEST(records_without_attributes_have_tensors)
{
    static const char text[] =
        "{\"schema\": \"1.0.2-chakra.0.0.4\", \"nodes\": [\n"
        "{\"id\": 2, \"name\": \"record_param_comms\", \"ctrl_deps\": 1, \"inputs\": {\"values\": "
        "[[[1, 2, 0, 6, 2, \"cuda:0\"], [3, 4, 0, 2, 2, \"cuda:0\"]], 9, 77, 0, \"all_gather\", "
        "[], [1, 2, 3, 4, 5], 2], \"types\": [\"x\"]}, \"outputs\": {\"values\": [[[[1, 2, 0, 8, "
        "2, \"cuda:0\"], [1, 2, 0, 8, 2, \"cuda:0\"]]]]}},\n"
        "{\"id\": 3, \"name\": \"record_param_comms\", \"ctrl_deps\": 1, \"inputs\": {\"values\": "
        "[9, 0, 0, \"wait\", [], [], 1]}},\n"
        "{\"id\": 4, \"name\": \"aten::add\", \"inputs\": {\"values\": [\"allreduce\", 2]}}]}";
    CS_AT_END(cs_trace_free) struct cs_trace trace;
    struct cs_err err = {0};

    assert_ok(cs_trace_read_text("t", text, sizeof(text) - 1, &trace, &err), &err);
    assert_int_equal(trace.call_count, 1);
    assert_string_equal(trace.calls[0].collective->name, "all-gather");
    assert_int_equal(trace.calls[0].bytes, 2 * 8 * 2);
    assert_int_equal(trace.groups[0].size, 2);
}

TEST(chakras_documents_have_times_and_dependencies)
{
    static const char text[] =
        "{\n  \"version\": \"0.0.4\"\n}{\n  \"id\": \"1\",\n  \"type\": \"COMP_NODE\",\n"
        "  \"durationMicros\": \"100\"\n}{\"id\": \"2\", \"type\": \"COMM_COLL_NODE\", "
        "\"dataDeps\": [\"1\"], \"durationMicros\": \"50\", \"attr\": [{\"name\": \"is_cpu_op\", "
        "\"boolVal\": false}, {\"name\": \"comm_type\", \"int64Val\": \"2\"}, {\"name\": "
        "\"comm_size\", \"int64Val\": \"1048576\"}]}";
    static const char list[] =
        "{\"workload_graph\": [{\"Id\": 1, \"NodeType\": 4, \"runtime\": 100},\n"
        "{\"id\": 2, \"type\": 7, \"data_deps\": [1], \"duration_micros\": 50, \"comm_type\": 2, "
        "\"comm_size\": 1048576}]}";
    const char *const texts[] = {text, list};

    for (size_t t = 0; t < 2; t++) {
        CS_AT_END(cs_trace_free) struct cs_trace trace;
        struct cs_err err = {0};

        assert_ok(cs_trace_read_text("t", texts[t], strlen(texts[t]), &trace, &err), &err);
        assert_int_equal(trace.event_count, 2);
        assert_int_equal(trace.call_count, 1);
        assert_string_equal(trace.calls[0].collective->name, "all-gather");
        assert_int_equal(trace.calls[0].bytes, 1 << 20);
        assert_int_equal(trace.dependency_count, 1);
        assert_within(trace.events[1].start_s, 100e-6, 1e-12);
        assert_false(trace.gaps.untimed);
    }
}

TEST(wrong_documents_are_named_with_the_line)
{
    struct cs_trace trace;
    struct cs_err err = {0};

    assert_int_equal(
        cs_trace_read_text("t", "{\"schema\": \"1\", \"nodes\": []}", 28, &trace, &err), CS_EINPUT);
    assert_string_equal(err.text, "t: no nodes in the execution trace");
    cs_trace_free(&trace);
    err = (struct cs_err){0};
    assert_int_equal(
        cs_trace_read_text("t", "{\"schema\": \"1\",\n \"nodes\" []}", 28, &trace, &err),
        CS_EINPUT);
    assert_non_null(strstr(err.text, "t:2: byte "));
    cs_trace_free(&trace);
}
