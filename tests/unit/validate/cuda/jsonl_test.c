/* Lines: valid JSON for every value. */
#include "validate/cuda/jsonl.h"

#include "tests/fixture.h"

#include <math.h>

static void a_line_is_one_json_object(void **state)
{
    struct cs_jsonl line = {0};

    (void)state;
    cs_jsonl_text(&line, "gpu", "NVIDIA H200");
    cs_jsonl_u64(&line, "bytes", UINT64_MAX);
    cs_jsonl_real(&line, "time_s", 0.000125);
    cs_jsonl_real(&line, "none", NAN);
    assert_string_equal(cs_jsonl_end(&line), "{\"gpu\": \"NVIDIA H200\", "
                                             "\"bytes\": 18446744073709551615, "
                                             "\"time_s\": 0.000125, \"none\": null}\n");
    cs_jsonl_free(&line);
    assert_string_equal(cs_jsonl_end(&line), "{}\n");
    cs_jsonl_free(&line);
}

static void several_numbers_are_one_text(void **state)
{
    const double ends_s[] = {0.000125, 3e-5};
    struct cs_jsonl line = {0};

    (void)state;
    cs_jsonl_reals(&line, "ends_s", ends_s, 2);
    assert_string_equal(cs_jsonl_end(&line), "{\"ends_s\": \"0.000125,3e-05\"}\n");
    cs_jsonl_free(&line);
}

static void characters_outside_json_are_escaped(void **state)
{
    struct cs_jsonl line = {0};

    (void)state;
    cs_jsonl_text(&line, "t", "a\"b\\c\n\x01\xff");
    assert_string_equal(cs_jsonl_end(&line), "{\"t\": \"a\\\"b\\\\c\\u000a\\u0001\\u00ff\"}\n");
    cs_jsonl_free(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_one_json_object),
        cmocka_unit_test(several_numbers_are_one_text),
        cmocka_unit_test(characters_outside_json_are_escaped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
