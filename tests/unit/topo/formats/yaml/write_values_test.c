#include "topo/formats/yaml/write_values.h"

#include "sim/base/units.h"
#include "tests/test.h"

static void expect_text(struct cs_text *text, const char *expected)
{
    assert_string_equal(cs_text_str(text), expected);
    cs_text_free(text);
}

TEST(reserved_words_and_unusual_letters_are_quoted)
{
    const char *const pairs[][2] = {
        {"gpu-3.a", "gpu-3.a"}, {"yes", "\"yes\""},     {"3gpu", "\"3gpu\""},
        {"a b", "\"a b\""},     {"a\"b", "\"a\\\"b\""}, {"", "\"\""},
    };

    for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
        struct cs_text text = {0};

        cs_yaml_add_name(&text, "", pairs[i][0]);
        expect_text(&text, pairs[i][1]);
    }
}

TEXT_TEST(round_values_have_the_usual_unit)
{
    cs_yaml_add_rate(out, "", 25e9);
    cs_yaml_add_time(out, ", ", 1500000);
    cs_yaml_add_fraction(out, ", ", 0.8);
    expect_text(out, "25 GB/s, 1.5 us, 0.8");
}

TEST(written_values_are_read_back_exactly)
{
    const uint64_t times_ps[] = {0, 1, 333333333333, 999999999999999999};

    for (size_t i = 0; i < 4; i++) {
        CS_AT_END(cs_text_free) struct cs_text text = {0};
        uint64_t time_ps = 7;

        cs_yaml_add_time(&text, "", times_ps[i]);
        assert_int_equal(cs_units_time(cs_text_str(&text), &time_ps, NULL), 0);
        assert_true(time_ps == times_ps[i]);
    }
    for (uint64_t bits = 8000000001; bits < 8000000100; bits += 7) {
        double rate_Bps = 0, written_Bps = (double)bits / 8;
        CS_AT_END(cs_text_free) struct cs_text text = {0};

        cs_yaml_add_rate(&text, "", written_Bps);
        assert_int_equal(cs_units_rate(cs_text_str(&text), &rate_Bps, NULL), 0);
        assert_true(rate_Bps == written_Bps);
    }
}
