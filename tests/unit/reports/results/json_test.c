#include "reports/results/json.h"
#include "tests/test.h"
#include "tests/unit/reports/sample.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *const ring_json =
    "{\n"
    "  \"runs\": [\n"
    "    {\n"
    "      \"topology\": \"dgx-a100\",\n"
    "      \"ranks\": 8,\n"
    "      \"collective\": \"all-reduce\",\n"
    "      \"algorithm\": \"ring\",\n"
    "      \"model\": \"fifo\",\n"
    "      \"bytes\": 1073741824,\n"
    "      \"time_s\": 0.007516192768,\n"
    "      \"closed_form_s\": 0.007516192768,\n"
    "      \"lower_bound_s\": 0.0075,\n"
    "      \"algbw_Bps\": 142857000000,\n"
    "      \"busbw_Bps\": 249999750000,\n"
    "      \"messages\": 112,\n"
    "      \"bytes_sent_total\": 15032385536,\n"
    "      \"bytes_sent_per_rank_max\": 1879048192,\n"
    "      \"redundant_bytes_after_reduce_scatter\": 0,\n"
    "      \"redundant_bytes\": 7516192768,\n"
    "      \"peak_extra_bytes_per_rank\": 134217728,\n"
    "      \"bottleneck\": \"gpu0 -> nvswitch (nvlink3 x12)\",\n"
    "      \"bottleneck_utilisation\": 0.8333,\n"
    "      \"critical_path\": {\n"
    "        \"latency_s\": 0.000028,\n"
    "        \"bandwidth_s\": 0.007,\n"
    "        \"reduction_s\": 0.000488,\n"
    "        \"wait_s\": 0.000000192768\n"
    "      },\n"
    "      \"verified\": true,\n"
    "      \"seed\": 18446744073709551615,\n"
    "      \"version\": \"0.1.0\",\n"
    "      \"dtype\": \"fp32\",\n"
    "      \"placement\": \"linear\",\n"
    "      \"bound\": \"each rank's links carry 2(p-1)/p V\",\n"
    "      \"agents\": 0,\n"
    "      \"peak_bytes_per_agent\": 0,\n"
    "      \"parameters\": \"\",\n"
    "      \"folding\": \"\",\n"
    "      \"data_flow\": \"verified\",\n"
    "      \"healthy_s\": 0,\n"
    "      \"slowdown\": 0,\n"
    "      \"healthy_bottleneck\": \"\",\n"
    "      \"detour\": \"\",\n"
    "      \"hypothetical\": \"\",\n"
    "      \"messages_resent\": 0,\n"
    "      \"packets_dropped\": 0,\n"
    "      \"packets_resent\": 0,\n"
    "      \"noise\": {\n"
    "        \"runs\": 0,\n"
    "        \"baseline_s\": null,\n"
    "        \"mean_s\": null,\n"
    "        \"mean_low_s\": null,\n"
    "        \"mean_high_s\": null,\n"
    "        \"sd_s\": null,\n"
    "        \"min_s\": null,\n"
    "        \"p5_s\": null,\n"
    "        \"median_s\": null,\n"
    "        \"p95_s\": null,\n"
    "        \"p99_s\": null,\n"
    "        \"max_s\": null,\n"
    "        \"slowdown\": null\n"
    "      },\n"
    "      \"topology_spec\": \"dgx-a100.yaml\",\n"
    "      \"agent_kind\": \"\",\n"
    "      \"library\": \"\",\n"
    "      \"library_call\": {\n"
    "        \"protocol\": null,\n"
    "        \"channels\": null,\n"
    "        \"launch_s\": null,\n"
    "        \"latency_s\": null,\n"
    "        \"transfer_s\": null,\n"
    "        \"low_s\": null,\n"
    "        \"high_s\": null,\n"
    "        \"own_estimate_s\": null,\n"
    "        \"unmodelled\": null\n"
    "      },\n"
    "      \"padded_bytes\": 0,\n"
    "      \"planned_for\": \"\",\n"
    "      \"data_flow_skipped\": \"\",\n"
    "      \"own_bound_s\": null,\n"
    "      \"reachable_s\": 0.0075,\n"
    "      \"reachable\": \"each rank's links carry 2(p-1)/p V\",\n"
    "      \"network\": null,\n"
    "      \"matters_most\": null,\n"
    "      \"matters_next\": null\n"
    "    }\n"
    "  ]\n"
    "}\n";

TEST(one_run_has_the_promised_names_in_order)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    cs_json_records(&record, 1, &out);
    assert_string_equal(cs_text_str(&out), ring_json);
}

TEST(several_runs_and_none_are_the_same_object_with_runs)
{
    struct cs_record records[2] = {sample_ring(), sample_ring()};
    struct cs_text out = {0};

    cs_json_records(records, 2, &out);
    assert_memory_equal(cs_text_str(&out), "{\n  \"runs\": [\n    {\n      \"topology\"", 35);
    assert_non_null(strstr(cs_text_str(&out), "\n    },\n    {\n"));
    assert_string_equal(cs_text_str(&out) + out.length - 12, "\n    }\n  ]\n}\n" + 1);
    cs_text_free(&out);
    cs_json_records(records, 0, &out);
    assert_string_equal(cs_text_str(&out), "{\n  \"runs\": []\n}\n");
    cs_text_free(&out);
}

TEST(unknown_values_are_null)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    record.has_reduce_scatter = false;
    record.closed_form_s = NAN;
    record.algbw_Bps = INFINITY;
    record.verified = CS_VERIFIED_NOT;
    cs_json_records(&record, 1, &out);
    assert_non_null(strstr(cs_text_str(&out), "redundant_bytes_after_reduce_scatter\": null"));
    assert_non_null(strstr(cs_text_str(&out), "closed_form_s\": null"));
    assert_non_null(strstr(cs_text_str(&out), "algbw_Bps\": null"));
    assert_non_null(strstr(cs_text_str(&out), "verified\": null"));
}

TEST(a_skipped_proof_is_no_refutation)
{
    struct cs_record record = sample_ring();
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    record.verified = CS_VERIFIED_LEFT_OUT;
    record.unproved = "the proof takes about 3.0 s";
    cs_json_records(&record, 1, &out);
    assert_non_null(strstr(cs_text_str(&out), "\"verified\": null"));
    assert_non_null(strstr(cs_text_str(&out), "\"data_flow\": \"skipped\""));
    assert_non_null(
        strstr(cs_text_str(&out), "\"data_flow_skipped\": \"the proof takes about 3.0 s\""));
}

TEST(text_is_escaped_and_always_utf8)
{
    CS_AT_END(cs_text_free) struct cs_text out = {0};
    struct cs_json json = {.out = &out};

    cs_json_text(&json, "a\"b\\c\n\t\x01µ\xFF\xE2\x82\x7F");
    assert_string_equal(cs_text_str(&out), "\"a\\\"b\\\\c\\n\\t\\u0001µ\xEF\xBF\xBD"
                                           "\xEF\xBF\xBD\xEF\xBF\xBD\\u007f\"");
}

static void assert_reads_back(double number, const char *text)
{
    char shown[CS_JSON_REAL_TEXT];

    assert_true(strtod(cs_json_show_real(shown, number), NULL) == number);
    if (text)
        assert_string_equal(shown, text);
}

TEST(reals_are_short_and_read_back_the_same)
{
    assert_reads_back(0.1, "0.1");
    assert_reads_back(25e9, "25000000000");
    assert_reads_back(0, "0");
    assert_reads_back(-0.5, "-0.5");
    assert_reads_back(-0.0, "0");
    assert_reads_back(1.0 / 3, NULL);
    assert_reads_back(0.1 + 0.2, "0.30000000000000004");
    assert_reads_back(DBL_MAX, NULL);
    assert_reads_back(DBL_TRUE_MIN, NULL);
}

TEST(an_error_is_a_document_of_its_own)
{
    CS_AT_END(cs_text_free) struct cs_text out = {0};

    cs_json_error("no algorithm called 'rnig'", 2, &out);
    assert_string_equal(cs_text_str(&out), "{\n"
                                           "  \"error\": \"no algorithm called 'rnig'\",\n"
                                           "  \"exit\": 2\n"
                                           "}\n");
}

TEST(empty_objects_and_arrays_nest)
{
    CS_AT_END(cs_text_free) struct cs_text out = {0};
    struct cs_json json = {.out = &out};

    cs_json_array(&json);
    cs_json_object(&json);
    cs_json_end(&json);
    cs_json_array(&json);
    cs_json_bool(&json, true);
    cs_json_null(&json);
    cs_json_end(&json);
    cs_json_end(&json);
    assert_string_equal(cs_text_str(&out), "[\n  {},\n  [\n    true,\n    null\n  ]\n]\n");
}
