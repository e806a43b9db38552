#include "reports/results/runs_table.h"
#include "sim/base/utf8.h"
#include "tests/test.h"
#include "tests/unit/reports/sample.h"

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

TEST(shared_properties_are_in_the_title_only)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    records[1].algorithm = "tree";
    cs_runs_table_write(records, 2, CS_STYLE_PLAIN, &out);
    has(&out, "all-reduce of 1 GiB on dgx-a100, 8 ranks, fp32, model fifo\n\n"
              "algorithm ");
    has_not(&out, " size ");
    has(&out, "\nbottleneck: gpu0 -> nvswitch (nvlink3 x12)\n");
    has(&out, "\ndata flow: verified; ");
}

/* Both appear where they say more than the lower bound, in some run. */
TEST(bounds_above_the_lower_bound_have_columns)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};
    struct cs_text out = {0};

    cs_runs_table_write(records, 2, CS_STYLE_PLAIN, &out);
    has_not(&out, "reach");
    has_not(&out, " own ");
    cs_text_free(&out);
    records[1].reachable_s = 7.51e-3;
    cs_runs_table_write(records, 2, CS_STYLE_PLAIN, &out);
    has(&out, " 7.5 ms  99.8 %   7.5 ms  99.8 %");
    has(&out, " 7.5 ms  99.8 %  7.51 ms  99.9 %");
    cs_text_free(&out);
}

TEST(differing_properties_have_a_column)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    records[1].bytes = 1024;
    records[1].bottleneck = "nvswitch -> gpu3";
    records[1].verified = CS_VERIFIED_NOT;
    cs_runs_table_write(records, 2, CS_STYLE_PLAIN, &out);
    has(&out, "all-reduce on dgx-a100, 8 ranks, fp32, model fifo, algorithm ring\n\n size ");
    has(&out, "83.3 % [1]  verified\n");
    has(&out, "83.3 % [2]  not verified\n");
    has(&out, "bottleneck [1]: gpu0 -> nvswitch (nvlink3 x12)\n"
              "bottleneck [2]: nvswitch -> gpu3\n");
    has_not(&out, "data flow:");
}

TEST(a_comparison_fits_in_120_columns)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};
    CS_AT_END(cs_text_free) struct cs_text out = {0};
    char *line;
    char *rest;

    records[1].algorithm = "rabenseifner";
    records[1].bytes = 123456789;
    records[1].time_ps = 123456789012;
    records[1].messages = 2095104;
    records[1].bytes_sent_total = 123456789012;
    records[1].peak_extra_bytes_per_rank = 1234567890;
    records[1].bottleneck = "gpu7 -> nvswitch (nvlink3 x12)";
    cs_runs_table_write(records, 2, CS_STYLE_PLAIN, &out);
    for (line = strtok_r(out.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        assert_true(cs_utf8_width(line) <= 120);
}

TEST(a_table_without_runs_says_so)
{
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    cs_runs_table_write(NULL, 0, CS_STYLE_PLAIN, &out);
    assert_string_equal(cs_text_str(&out), "no runs\n");
}

TEST(a_table_of_library_calls_has_intervals_and_no_messages)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};
    struct cs_text out = {0};

    for (size_t i = 0; i < 2; i++) {
        records[i].library = "nccl";
        records[i].protocol = "simple";
        records[i].low_s = 0.005;
        records[i].high_s = 0.009;
    }
    records[1].bytes *= 2;
    cs_runs_table_write(records, 2, CS_STYLE_PLAIN, &out);
    assert_non_null(strstr(cs_text_str(&out), "library nccl"));
    assert_non_null(strstr(cs_text_str(&out), "protocol"));
    assert_non_null(strstr(cs_text_str(&out), "90 %"));
    assert_null(strstr(cs_text_str(&out), "messages"));
    assert_null(strstr(cs_text_str(&out), "closed"));
    assert_null(strstr(cs_text_str(&out), "data flow"));
    cs_text_free(&out);
    records[1].library = "";
    cs_runs_table_write(records, 2, CS_STYLE_PLAIN, &out);
    assert_non_null(strstr(cs_text_str(&out), "messages"));
    cs_text_free(&out);
}
