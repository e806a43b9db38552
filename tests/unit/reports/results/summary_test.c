#include "reports/results/summary.h"
#include "sim/base/utf8.h"
#include "tests/unit/reports/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static void has(const struct cs_text *text, const char *part)
{
    if (!strstr(cs_text_str(text), part))
        fail_msg("'%s' is not in:\n%s", part, cs_text_str(text));
}

static void has_not(const struct cs_text *text, const char *part)
{
    if (strstr(cs_text_str(text), part))
        fail_msg("'%s' is in:\n%s", part, cs_text_str(text));
}

static void one_run_says_what_how_long_and_why(void **state)
{
    struct cs_record record = sample_ring();
    struct cs_text out = {0};

    (void)state;
    cs_summary_one(&record, CS_STYLE_PLAIN, &out);
    has(&out, "all-reduce of 1 GiB on dgx-a100, 8 ranks, fp32, model fifo\n");
    has(&out, "  simulated                 7.516 ms\n");
    has(&out, "7.516 ms      the simulation agrees\n");
    has(&out, "7.5 ms        each rank's links carry 2(p-1)/p V\n");
    has(&out, "efficiency                99.8 %");
    has(&out, "bus bandwidth             250 GB/s");
    has(&out, "messages                  112\n");
    has(&out, "after the reduce-scatter  0 B");
    has(&out, "at the peak               128 MiB");
    has(&out, "link                      gpu0 -> nvswitch (nvlink3 x12)\n");
    has(&out, "busy                      83.3 %");
    has(&out, "bandwidth                 7 ms           93.1 %  ##########");
    has(&out, "proved                    every rank ends with what "
              "all-reduce promises\n");
    cs_text_free(&out);
}

static void what_a_run_does_not_have_is_not_made_up(void **state)
{
    struct cs_record record = sample_ring();
    struct cs_text out = {0};

    (void)state;
    record.has_reduce_scatter = false;
    record.closed_form_s = NAN;
    record.bottleneck = "";
    record.verified = CS_VERIFIED_NOT;
    cs_summary_one(&record, CS_STYLE_PLAIN, &out);
    has_not(&out, "reduce-scatter");
    has(&out, "there is none for this run");
    has(&out, "none: no link carried anything");
    has(&out, "not proved                the proof was switched off\n");
    has_not(&out, "nan");
    cs_text_free(&out);
}

static void shows_efficiency(double bound_s, const char *text)
{
    struct cs_record record = sample_ring();
    struct cs_text out = {0};
    struct cs_text line = {0};

    record.time_ps = 1000000000;
    record.lower_bound_s = bound_s;
    cs_summary_one(&record, CS_STYLE_PLAIN, &out);
    cs_text_printf(&line, "efficiency                %s ", text);
    has(&out, cs_text_str(&line));
    cs_text_free(&line);
    cs_text_free(&out);
}

static void an_efficiency_is_100_only_when_it_is(void **state)
{
    (void)state;
    shows_efficiency(0.001, "100 %");
    shows_efficiency(0.00099951, "100 %");
    shows_efficiency(0.00099949, "99.9 %");
    shows_efficiency(0.0005, "50.0 %");
    shows_efficiency(0.0000001, "<0.1 %");
    shows_efficiency(0, "-"); /* no bound is known */
    shows_efficiency(NAN, "-");
}

static void an_instant_run_divides_by_nothing(void **state)
{
    struct cs_record record = sample_ring();
    struct cs_text out = {0};

    (void)state;
    record.time_ps = record.latency_ps = record.bandwidth_ps = 0;
    record.reduction_ps = record.wait_ps = 0;
    record.closed_form_s = record.lower_bound_s = 0;
    record.algbw_Bps = record.busbw_Bps = NAN;
    cs_summary_one(&record, CS_STYLE_PLAIN, &out);
    cs_summary_many(&record, 1, CS_STYLE_PLAIN, &out);
    has_not(&out, "nan");
    has_not(&out, "inf");
    cs_text_free(&out);
}

static void what_all_runs_share_stands_in_the_title_only(void **state)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};
    struct cs_text out = {0};

    (void)state;
    records[1].algorithm = "tree";
    cs_summary_many(records, 2, CS_STYLE_PLAIN, &out);
    has(&out, "all-reduce of 1 GiB on dgx-a100, 8 ranks, fp32, model fifo\n\n"
              "algorithm ");
    has_not(&out, " size ");
    has(&out, "\nbottleneck: gpu0 -> nvswitch (nvlink3 x12)\n");
    has(&out, "\ndata flow: proved; ");
    cs_text_free(&out);
}

static void what_differs_has_a_column(void **state)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};
    struct cs_text out = {0};

    (void)state;
    records[1].bytes = 1024;
    records[1].bottleneck = "nvswitch -> gpu3";
    records[1].verified = CS_VERIFIED_NOT;
    cs_summary_many(records, 2, CS_STYLE_PLAIN, &out);
    has(&out, "all-reduce on dgx-a100, 8 ranks, fp32, model fifo, algorithm "
              "ring\n\n size ");
    has(&out, "83.3 % [1]  proved\n");
    has(&out, "83.3 % [2]  not proved\n");
    has(&out, "bottleneck [1]: gpu0 -> nvswitch (nvlink3 x12)\n"
              "bottleneck [2]: nvswitch -> gpu3\n");
    has_not(&out, "data flow:");
    cs_text_free(&out);
}

static void a_comparison_fits_in_120_columns(void **state)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};
    struct cs_text out = {0};
    char *line;
    char *rest;

    (void)state;
    records[1].algorithm = "rabenseifner";
    records[1].bytes = 123456789;
    records[1].time_ps = 123456789012;
    records[1].messages = 2095104;
    records[1].bytes_sent_total = 123456789012;
    records[1].peak_extra_bytes_per_rank = 1234567890;
    records[1].bottleneck = "gpu7 -> nvswitch (nvlink3 x12)";
    cs_summary_many(records, 2, CS_STYLE_PLAIN, &out);
    for (line = strtok_r(out.data, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        assert_true(cs_utf8_width(line) <= 120);
    cs_text_free(&out);
}

static void no_runs_are_said_to_be_none(void **state)
{
    struct cs_text out = {0};

    (void)state;
    cs_summary_many(NULL, 0, CS_STYLE_PLAIN, &out);
    assert_string_equal(cs_text_str(&out), "no runs\n");
    cs_text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_says_what_how_long_and_why),
        cmocka_unit_test(what_a_run_does_not_have_is_not_made_up),
        cmocka_unit_test(an_efficiency_is_100_only_when_it_is),
        cmocka_unit_test(an_instant_run_divides_by_nothing),
        cmocka_unit_test(what_all_runs_share_stands_in_the_title_only),
        cmocka_unit_test(what_differs_has_a_column),
        cmocka_unit_test(a_comparison_fits_in_120_columns),
        cmocka_unit_test(no_runs_are_said_to_be_none),
    };

    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
