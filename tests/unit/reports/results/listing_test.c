#include "reports/results/runs_table.h"
#include "tests/test.h"
#include "tests/unit/reports/sample.h"

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

TEST(a_listing_has_request_time_and_reason)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    cs_listing_write(&record, CS_STYLE_PLAIN, &out);
    has(&out, "all-reduce of 1 GiB on dgx-a100, 8 ranks, fp32, model fifo\n");
    has(&out, "  simulated                 7.516 ms\n");
    has(&out, "7.516 ms      the simulation agrees\n");
    has(&out, "7.5 ms        each rank's links carry 2(p-1)/p V\n");
    has(&out, "efficiency                99.8 %");
    has(&out, "bus bandwidth             250 GB/s");
    has(&out, "messages                  112\n");
    has(&out, "after the reduce-scatter  0 B");
    has(&out, "peak rank                 128 MiB");
    has(&out, "link                      gpu0 -> nvswitch (nvlink3 x12)\n");
    has(&out, "busy                      83.3 %");
    has(&out, "bandwidth                 7 ms           93.1 %  ##########");
    has(&out,
        "verified                  every rank ends with the result that all-reduce specifies\n");
}

TEST(unknown_results_have_no_row_or_a_dash)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    record.has_reduce_scatter = false;
    record.closed_form_s = NAN;
    record.bottleneck = "";
    record.verified = CS_VERIFIED_NOT;
    cs_listing_write(&record, CS_STYLE_PLAIN, &out);
    has_not(&out, "reduce-scatter");
    has(&out, "none for this run");
    has(&out, "no link carried anything");
    has(&out, "not verified              the proof was switched off\n");
    has_not(&out, "nan");
}

static void shows_efficiency(double bound_s, const char *text)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};
    CS_AT_END(cs_text_free) struct cs_text line = {0};

    record.time_ps = 1000000000;
    record.lower_bound_s = bound_s;
    cs_listing_write(&record, CS_STYLE_PLAIN, &out);
    cs_text_printf(&line, "efficiency                %s ", text);
    has(&out, cs_text_str(&line));
}

TEST(an_efficiency_is_rounded_to_100_from_9995_on)
{
    shows_efficiency(0.001, "100 %");
    shows_efficiency(0.00099951, "100 %");
    shows_efficiency(0.00099949, "99.9 %");
    shows_efficiency(0.0005, "50.0 %");
    shows_efficiency(0.0000001, "<0.1 %");
    shows_efficiency(0, "-"); /* no bound is known */
    shows_efficiency(NAN, "-");
}

TEST(a_run_without_duration_has_no_efficiency)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    record.time_ps = record.latency_ps = record.bandwidth_ps = 0;
    record.reduction_ps = record.wait_ps = 0;
    record.closed_form_s = record.lower_bound_s = 0;
    record.algbw_Bps = record.busbw_Bps = NAN;
    cs_listing_write(&record, CS_STYLE_PLAIN, &out);
    cs_runs_table_write(&record, 1, CS_STYLE_PLAIN, &out);
    has_not(&out, "nan");
    has_not(&out, "inf");
}

TEST(a_call_of_a_library_has_parts_and_no_traffic)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    record.verified = CS_VERIFIED_NOT;
    record.library = "nccl=2.27";
    record.model = "library";
    record.protocol = "ll128";
    record.library_channels = 24;
    record.launch_ps = record.time_ps / 2;
    record.low_s = 0.005;
    record.high_s = 0.009;
    cs_listing_write(&record, CS_STYLE_PLAIN, &out);
    has(&out, "8 ranks, fp32, library nccl=2.27\n");
    has(&out, "  predicted                 7.516 ms\n");
    has(&out, "  90 % interval from        5 ms          to 9 ms\n");
    has(&out, "  protocol                  ll128\n");
    has(&out, "\nParts\n  launch                    3.758 ms       50.0 %");
    has_not(&out, "simulated");
    has_not(&out, "closed form");
    has_not(&out, "Traffic");
    has_not(&out, "Memory");
    has_not(&out, "Critical path");
    has_not(&out, "Data flow");
}
