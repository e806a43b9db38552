/* The file of --trace: one run, its ranks, messages and links. */
#include "scenarios/run/record/timeline.h"

#include "reports/timeline/timeline.h"
#include "scenarios/run/simulate.h"
#include "tests/json_check.h"
#include "tests/unit/scenarios/run/opened.h"

static void refused(int argc, char **argv, const char *expected)
{
    CS_AT_END(opened_free) struct opened opened;

    assert_int_equal(opened_finish(&opened, argc, argv), 0);
    assert_int_equal(cs_run_timeline_check(&opened.scenario, &opened.err), CS_EINPUT);
    if (!strstr(opened.err.text, expected))
        fail_msg("%s", opened.err.text);
}

TEST(a_sweep_has_no_timeline)
{
    refused(WORDS("--topo", "dgx", "--algo", "ring,tree", "--trace", "t.json"), "a single run");
    refused(WORDS("--topo", "dgx", "--algo", "ring", "--trace", "t.svg"), "does not end in .json");
    refused(WORDS("--topo", "dgx", "--algo", "ring", "--fold", "on", "--trace", "t.json"),
            "leave --fold out");
}

/* Simulates the words with a timeline, and counts events of the document. */
static void check_run(int argc, char **argv, const char *process)
{
    CS_AT_END(opened_free) struct opened opened;
    CS_AT_END(cs_run_timeline_free) struct cs_run_timeline timeline = {0};
    struct cs_record record;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    const char *document;

    assert_int_equal(opened_finish(&opened, argc, argv), 0);
    opened.which = cs_case_of(&opened.scenario, 0);
    opened.which.timeline = &timeline;
    assert_ok(cs_simulate(&opened.which, &opened.arena, &record, &opened.err), &opened.err);
    cs_chrome_trace_write(&timeline.timeline, &text);
    document = cs_text_str(&text);
    assert_true(json_check(document));
    assert_int_equal(json_count(document, "\"cat\":\"send\""), record.messages);
    assert_int_equal(json_count(document, "\"cat\":\"receive\""), record.messages);
    assert_int_equal(json_count(document, "\"ph\":\"s\""), record.messages);
    assert_int_equal(json_count(document, "\"ph\":\"f\""), record.messages);
    assert_int_equal(json_count(document, process), 1);
    assert_true(json_count(document, "\"ph\":\"C\"") > 0);
    for (size_t i = 0; i < timeline.timeline.count.spans; i++)
        assert_true(timeline.timeline.spans[i].to_ps <= record.time_ps);
}

TEST(a_message_is_a_send_a_receive_and_an_arrow)
{
    static char *const models[] = {"fifo", "fluid", "packet", "postal", "simgrid"};

    for (size_t m = 0; m < sizeof(models) / sizeof(*models); m++) {
        char *words[] = {"--topo", "ib-2xdgx", "--algo",       "ring",
                         "--size", "1MB",      "--link-model", models[m]};

        check_run(8, words, "\"node 1\"");
    }
}

OPENED_TEST(concurrent_jobs_share_a_timeline)
{
    CS_AT_END(cs_run_timeline_free) struct cs_run_timeline timeline = {0};
    struct cs_record record;

    assert_int_equal(opened_finish(opened, WORDS("--topo", "dgx", "--algo", "ring", "--size", "1MB",
                                                 "--with", "all-to-all:size=1MB")),
                     0);
    opened->which = cs_case_of(&opened->scenario, 0);
    opened->which.timeline = &timeline;
    assert_ok(cs_simulate(&opened->which, &opened->arena, &record, &opened->err), &opened->err);
    assert_true(timeline.timeline.count.spans / 2 > record.messages);
}

TEST(a_program_with_lanes_has_threads_for_them)
{
    check_run(WORDS("--topo", "dgx", "--algo", "multi-ring", "--channels", "2", "--size", "1MB"),
              "rank 3 (gpu3) sends, lane 1");
}
