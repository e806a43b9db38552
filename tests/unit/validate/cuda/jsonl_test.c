/* Lines: valid JSON for every value. */
#include "validate/cuda/jsonl.h"

#include "tests/fixture.h"

TEST(a_line_is_one_json_object)
{
    struct cs_jsonl line = {0};

    cs_jsonl_text(&line, "gpu", "NVIDIA H200");
    cs_jsonl_u64(&line, "bytes", UINT64_MAX);
    cs_jsonl_real(&line, "time_s", 0.000125);
    cs_jsonl_real(&line, "none", NAN);
    assert_string_equal(cs_jsonl_end(&line),
                        "{\"gpu\": \"NVIDIA H200\", \"bytes\": 18446744073709551615, \"time_s\": "
                        "0.000125, \"none\": null}\n");
    cs_jsonl_free(&line);
    assert_string_equal(cs_jsonl_end(&line), "{}\n");
    cs_jsonl_free(&line);
}

TEST(several_numbers_are_one_text)
{
    const double ends_s[] = {0.000125, 3e-5};
    CS_AT_END(cs_jsonl_free) struct cs_jsonl line = {0};

    cs_jsonl_reals(&line, "ends_s", ends_s, 2);
    assert_string_equal(cs_jsonl_end(&line), "{\"ends_s\": \"0.000125,3e-05\"}\n");
}

TEST(characters_outside_json_are_escaped)
{
    CS_AT_END(cs_jsonl_free) struct cs_jsonl line = {0};

    cs_jsonl_text(&line, "t", "a\"b\\c\n\x01\xff");
    assert_string_equal(cs_jsonl_end(&line), "{\"t\": \"a\\\"b\\\\c\\u000a\\u0001\\u00ff\"}\n");
}
