#include "reports/results/runs_table.h"
#include "sim/base/utf8.h"
#include "tests/unit/reports/sample.h"

/* Both appear where they say more than the lower bound, in some run. */
TEST(bounds_above_the_lower_bound_have_columns)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};
    struct cs_text out = {0};

    cs_runs_table_write(records, 2, CS_STYLE_PLAIN, &out);
    sample_has_not(&out, "reach");
    sample_has_not(&out, " own ");
    cs_text_free(&out);
    records[1].reachable_s = 7.51e-3;
    cs_runs_table_write(records, 2, CS_STYLE_PLAIN, &out);
    sample_has(&out, " 7.5 ms  99.8 %   7.5 ms  99.8 %");
    sample_has(&out, " 7.5 ms  99.8 %  7.51 ms  99.9 %");
    cs_text_free(&out);
}

TEXT_TEST(differing_properties_have_a_column)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};

    records[1].bytes = 1024;
    records[1].bottleneck = "nvswitch -> gpu3";
    records[1].verified = CS_VERIFIED_NOT;
    cs_runs_table_write(records, 2, CS_STYLE_PLAIN, out);
    sample_has(out, "all-reduce on dgx-a100, 8 ranks, fp32, model fifo, algorithm ring\n\n size ");
    sample_has(out, "83.3 % [1]  verified\n");
    sample_has(out, "83.3 % [2]  not verified\n");
    sample_has(out, "bottleneck [1]: gpu0 -> nvswitch (nvlink3 x12)\n"
                    "bottleneck [2]: nvswitch -> gpu3\n");
    sample_has_not(out, "data flow:");
}

TEXT_TEST(a_comparison_fits_in_120_columns)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};
    char *line;
    char *rest;

    records[1].algorithm = "rabenseifner";
    records[1].bytes = 123456789;
    records[1].time_ps = 123456789012;
    records[1].messages = 2095104;
    records[1].bytes_sent_total = 123456789012;
    records[1].peak_extra_bytes_per_rank = 1234567890;
    records[1].bottleneck = "gpu7 -> nvswitch (nvlink3 x12)";
    cs_runs_table_write(records, 2, CS_STYLE_PLAIN, out);
    for (line = strtok_r(out->data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        assert_true(cs_utf8_width(line) <= 120);
}

TEXT_TEST(a_table_without_runs_says_so)
{
    cs_runs_table_write(NULL, 0, CS_STYLE_PLAIN, out);
    assert_string_equal(cs_text_str(out), "no runs\n");
}
