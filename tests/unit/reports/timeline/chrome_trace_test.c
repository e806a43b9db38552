/* A timeline as JSON: exact for a message, valid for any name, bounded. */
#include "reports/timeline/timeline.h"

#include "tests/fixture.h"
#include "tests/json_check.h"

TEXT_TEST(a_message_is_two_events_and_an_arrow)
{
    CS_AT_END(cs_timeline_free) struct cs_timeline timeline = {.title = "a message"};
    uint32_t process = cs_timeline_process(&timeline, "node 0");
    uint32_t sends = cs_timeline_thread(&timeline, process, "sends");
    uint32_t idle = cs_timeline_thread(&timeline, process, "idle");
    uint32_t receives = cs_timeline_thread(&timeline, process, "receives");
    uint32_t name = cs_timeline_name(&timeline, "send", "to rank 1");
    struct cs_timeline_span leaves = {
        .from_ps = 1, .to_ps = 2500001, .bytes = 64, .wait_ps = 12, .thread = sends, .name = name};
    struct cs_timeline_span arrives = leaves;
    const double rates[] = {0.5, 0.5, 2};

    (void)idle;
    arrives.thread = receives;
    arrives.wait_ps = 0;
    cs_timeline_message(&timeline, &leaves, &arrives);
    cs_timeline_gauge(&timeline, &(struct cs_timeline_gauge){.name = "link",
                                                             .unit = "GB/s",
                                                             .values = rates,
                                                             .interval_ps = 1000000,
                                                             .process = process,
                                                             .points = 3});
    cs_timeline_note(&timeline, "all of it");
    cs_chrome_trace_write(&timeline, out);
    assert_string_equal(
        cs_text_str(out),
        "{\"traceEvents\":[\n"
        "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"tid\":0,\"args\":{\"name\":\"node "
        "0\"}},\n"
        "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"sends\"}},"
        "\n"
        "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":1,\"tid\":1,\"args\":{\"sort_index\":"
        "1}},\n"
        "{\"name\":\"to rank "
        "1\",\"cat\":\"send\",\"ph\":\"X\",\"ts\":0.000001,\"dur\":2.500000,\"pid\":1,\"tid\":1,"
        "\"args\":{\"bytes\":64,\"wait_us\":0.000012}},\n"
        "{\"name\":\"message\",\"cat\":\"flow\",\"ph\":\"s\",\"id\":1,\"ts\":0.000001,\"pid\":1,"
        "\"tid\":1},\n"
        "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":2,\"args\":{\"name\":"
        "\"receives\"}},\n"
        "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":1,\"tid\":2,\"args\":{\"sort_index\":"
        "2}},\n"
        "{\"name\":\"to rank "
        "1\",\"cat\":\"send\",\"ph\":\"X\",\"ts\":0.000001,\"dur\":2.500000,\"pid\":1,\"tid\":2,"
        "\"args\":{\"bytes\":64}},\n"
        "{\"name\":\"message\",\"cat\":\"flow\",\"ph\":\"f\",\"bp\":\"e\",\"id\":1,\"ts\":0.000001,"
        "\"pid\":1,\"tid\":2},\n"
        "{\"name\":\"link\",\"ph\":\"C\",\"ts\":0.000000,\"pid\":1,\"args\":{\"GB/s\":0.5}},\n"
        "{\"name\":\"link\",\"ph\":\"C\",\"ts\":2.000000,\"pid\":1,\"args\":{\"GB/s\":2}},\n"
        "{\"name\":\"link\",\"ph\":\"C\",\"ts\":3.000000,\"pid\":1,\"args\":{\"GB/s\":0}}\n"
        "],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"title\":\"a message\",\n\"note "
        "1\":\"all of it\"}}\n");
    assert_true(json_check(cs_text_str(out)));
}

TEXT_TEST(overlapping_spans_have_rows)
{
    CS_AT_END(cs_timeline_free) struct cs_timeline timeline = {.title = "rows"};
    uint32_t process = cs_timeline_process(&timeline, "node 0");
    uint32_t thread = cs_timeline_thread(&timeline, process, "sends");
    uint32_t name = cs_timeline_name(&timeline, "send", "x");
    const uint64_t from_ps[] = {0, 5, 10, 12};

    for (size_t i = 0; i < 4; i++)
        cs_timeline_span(&timeline, &(struct cs_timeline_span){.from_ps = from_ps[i],
                                                               .to_ps = from_ps[i] + 10,
                                                               .thread = thread,
                                                               .name = name});
    cs_chrome_trace_write(&timeline, out);
    assert_int_equal(json_count(cs_text_str(out), "\"thread_name\""), 3);
    assert_int_equal(json_count(cs_text_str(out), "sends (2)"), 1);
    assert_int_equal(json_count(cs_text_str(out), "sends (3)"), 1);
    assert_true(json_check(cs_text_str(out)));
}

TEXT_TEST(hostile_names_are_escaped)
{
    CS_AT_END(cs_timeline_free) struct cs_timeline timeline = {.title = "\"</script>\x1b[2J\n\xff"};
    uint32_t process = cs_timeline_process(&timeline, "a\"b\\c");
    uint32_t thread = cs_timeline_thread(&timeline, process, "\n\t\x01");
    uint32_t name = cs_timeline_name(&timeline, "\"", "{}");

    cs_timeline_span(&timeline,
                     &(struct cs_timeline_span){.to_ps = 1, .thread = thread, .name = name});
    cs_chrome_trace_write(&timeline, out);
    assert_true(json_check(cs_text_str(out)));
    assert_null(strchr(cs_text_str(out), '\x1b'));
}

TEXT_TEST(a_long_run_stays_below_50_megabytes)
{
    CS_AT_END(cs_timeline_free) struct cs_timeline timeline = {.title = "long"};
    uint32_t process = cs_timeline_process(&timeline, "node 0");
    uint32_t name;

    for (int t = 0; t < 64; t++)
        (void)cs_timeline_thread(&timeline, process, "rank 1234 (n123.gpu7)");
    name = cs_timeline_name(&timeline, "receive", "from rank 100000 (n1234.gpu7)");
    for (uint64_t i = 0; i < 1000000; i++) {
        const struct cs_timeline_span leaves = {.from_ps = i * 1000000,
                                                .to_ps = i * 1000000 + 900000,
                                                .bytes = 1 << 30,
                                                .wait_ps = 1234567,
                                                .thread = (uint32_t)i % 64,
                                                .name = name};
        struct cs_timeline_span arrives = leaves;

        arrives.thread = (uint32_t)(i + 1) % 64;
        cs_timeline_message(&timeline, &leaves, &arrives);
    }
    cs_chrome_trace_write(&timeline, out);
    assert_true(out->length < 50000000);
    assert_int_equal(json_count(cs_text_str(out), "2000000 intervals"), 1);
    assert_int_equal(json_count(cs_text_str(out), "\"ph\":\"s\""),
                     json_count(cs_text_str(out), "\"ph\":\"f\""));
    assert_true(json_check(cs_text_str(out)));
}

TEXT_TEST(an_empty_timeline_is_a_document)
{
    CS_AT_END(cs_timeline_free) struct cs_timeline timeline = {0};

    cs_chrome_trace_write(&timeline, out);
    assert_true(json_check(cs_text_str(out)));
}
