/* Runs as JSON; golden/run.t has a whole document. */
#include "reports/results/json.h"
#include "reports/results/record.h"
#include "tests/unit/reports/sample.h"

#include <float.h>

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

TEXT_TEST(unknown_values_are_null)
{
    struct cs_record record = sample_ring();

    record.has_reduce_scatter = false;
    record.closed_form_s = NAN;
    record.algbw_Bps = INFINITY;
    record.verified = CS_VERIFIED_NOT;
    cs_json_records(&record, 1, out);
    assert_non_null(strstr(cs_text_str(out), "redundant_bytes_after_reduce_scatter\": null"));
    assert_non_null(strstr(cs_text_str(out), "closed_form_s\": null"));
    assert_non_null(strstr(cs_text_str(out), "algbw_Bps\": null"));
    assert_non_null(strstr(cs_text_str(out), "verified\": null"));
}

TEXT_TEST(a_skipped_proof_is_no_refutation)
{
    struct cs_record record = sample_ring();

    record.verified = CS_VERIFIED_LEFT_OUT;
    record.unproved = "the proof takes about 3.0 s";
    cs_json_records(&record, 1, out);
    assert_non_null(strstr(cs_text_str(out), "\"verified\": null"));
    assert_non_null(strstr(cs_text_str(out), "\"data_flow\": \"skipped\""));
    assert_non_null(
        strstr(cs_text_str(out), "\"data_flow_skipped\": \"the proof takes about 3.0 s\""));
}

TEXT_TEST(text_is_escaped_and_always_utf8)
{
    struct cs_json json = {.out = out};

    cs_json_text(&json, "a\"b\\c\n\t\x01µ\xFF\xE2\x82\x7F");
    assert_string_equal(cs_text_str(out), "\"a\\\"b\\\\c\\n\\t\\u0001µ\xEF\xBF\xBD"
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

TEXT_TEST(an_error_is_a_document_of_its_own)
{
    cs_json_error("no algorithm called 'rnig'", 2, out);
    assert_string_equal(cs_text_str(out), "{\n"
                                          "  \"error\": \"no algorithm called 'rnig'\",\n"
                                          "  \"exit\": 2\n"
                                          "}\n");
}

TEXT_TEST(empty_objects_and_arrays_nest)
{
    struct cs_json json = {.out = out};

    cs_json_array(&json);
    cs_json_object(&json);
    cs_json_end(&json);
    cs_json_array(&json);
    cs_json_bool(&json, true);
    cs_json_null(&json);
    cs_json_end(&json);
    cs_json_end(&json);
    assert_string_equal(cs_text_str(out), "[\n  {},\n  [\n    true,\n    null\n  ]\n]\n");
}
