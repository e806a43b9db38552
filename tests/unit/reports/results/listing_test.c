#include "reports/results/runs_table.h"
#include "tests/unit/reports/sample.h"

TEXT_TEST(unknown_results_have_no_row_or_a_dash)
{
    struct cs_record record = sample_ring();

    record.has_reduce_scatter = false;
    record.closed_form_s = NAN;
    record.bottleneck = "";
    record.verified = CS_VERIFIED_NOT;
    cs_listing_write(&record, CS_STYLE_PLAIN, out);
    sample_has_not(out, "reduce-scatter");
    sample_has(out, "none for this run");
    sample_has(out, "no link carried anything");
    sample_has(out, "not verified              the proof was switched off\n");
    sample_has_not(out, "nan");
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
    sample_has(&out, cs_text_str(&line));
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

TEXT_TEST(a_run_without_duration_has_no_efficiency)
{
    struct cs_record record = sample_ring();

    record.time_ps = record.latency_ps = record.bandwidth_ps = 0;
    record.reduction_ps = record.wait_ps = 0;
    record.closed_form_s = record.lower_bound_s = 0;
    record.algbw_Bps = record.busbw_Bps = NAN;
    cs_listing_write(&record, CS_STYLE_PLAIN, out);
    cs_runs_table_write(&record, 1, CS_STYLE_PLAIN, out);
    sample_has_not(out, "nan");
    sample_has_not(out, "inf");
}
