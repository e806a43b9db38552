#include "scenarios/bench/case.h"

#include "sim/base/text.h"
#include "tests/test.h"

/* Words of sh, without a space within: 040 is one in octal. */
#define PRINTS "-c printf${IFS}'\"messages\":\\04042'"

static const struct cs_bench_case prints = {"prints", .line = PRINTS};

static int timed(const struct cs_bench_case *bench, struct cs_bench_timing *timing,
                 struct cs_err *err)
{
    return cs_bench_time("/bin/sh", bench, timing, err);
}

TEST(a_line_has_a_time_a_peak_and_its_messages)
{
    struct cs_bench_timing timing;

    assert_int_equal(timed(&prints, &timing, NULL), 0);
    assert_true(timing.took_s > 0);
    assert_true(timing.peak_bytes > 100000);
    assert_int_equal(timing.messages, 42);
}

TEST(a_line_reads_what_another_has_written)
{
    const struct cs_bench_case reads = {"reads", .line = "-c cat${IFS}/dev/fd/3", .input = PRINTS,
                                        .runs = 3};
    struct cs_bench_timing timing;

    assert_int_equal(timed(&reads, &timing, NULL), 0);
    assert_int_equal(timing.messages, 42);
}

TEST(a_line_that_fails_is_reported_but_an_answer_is_not)
{
    const struct cs_bench_case wrong = {"wrong", .line = "-c exit${IFS}3"};
    const struct cs_bench_case input = {"input", .line = PRINTS, .input = "-c exit${IFS}3"};
    const struct cs_bench_case answer = {"answer", .line = "-c exit${IFS}1"};
    struct cs_bench_timing timing;

    assert_refused(timed(&wrong, &timing, &err), CS_ECANNOT,
                   "the benchmark 'wrong' did not finish");
    assert_int_equal(timed(&input, &timing, NULL), CS_ECANNOT);
    assert_int_equal(timed(&answer, &timing, NULL), 0);
    assert_int_equal(cs_bench_time("/no/program", &prints, &timing, NULL), CS_ECANNOT);
}

TEXT_TEST(other_simulators_stand_beside_a_case)
{
    const struct cs_bench_case bench = {
        "ring", .others = {{"SimGrid S4U, CM02", 5.95, 45}, {"ns-3.37", 33.8, 0}}};
    const struct cs_bench_timing ours = {.took_s = .5, .peak_bytes = 4096};
    CS_AT_END(cs_table_free) struct cs_table table = {0};

    cs_bench_others_begin(&table);
    cs_bench_others_add(&table, &bench, &ours);
    cs_table_write(&table, CS_STYLE_PLAIN, out);
    assert_non_null(strstr(cs_text_str(out), "SimGrid S4U, CM02  5.95 s"));
    assert_non_null(strstr(cs_text_str(out), "ns-3.37            33.8 s       -"));
}
