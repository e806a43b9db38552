#include "scenarios/plan/price/mix.h"

#include "tests/test.h"

TEST(calls_are_read_in_order)
{
    struct cs_mix mix;

    assert_done(cs_mix_read("all-reduce:1GiB*4,alltoall:256MiB", &mix, &err));
    assert_int_equal(mix.count, 2);
    assert_string_equal(mix.calls[0].collective->name, "all-reduce");
    assert_int_equal(mix.calls[0].count, 4);
    assert_int_equal(mix.calls[0].bytes, 1 << 30);
    assert_string_equal(mix.calls[1].collective->name, "all-to-all");
    assert_int_equal(mix.calls[1].count, 1);
    assert_int_equal(mix.calls[1].bytes, 256 << 20);
}

TEST(mistakes_name_the_expectation)
{
    static const char *const bad[][2] = {
        {"all-reduce", "expected all-reduce:1GiB"},
        {"all-reduc:1GiB", "did you mean 'all-reduce'?"},
        {"all-reduce:1X", "unknown unit"},
        {"all-reduce:0B", "is 0"},
        {"all-reduce:1GiB*0", "1"},
        {"all-reduce:1GiB*x", "x"},
    };
    struct cs_mix mix;
    struct cs_err err;

    for (size_t b = 0; b < sizeof(bad) / sizeof(*bad); ++b) {
        err = (struct cs_err){0};
        assert_int_equal(cs_mix_read(bad[b][0], &mix, &err), CS_EINPUT);
        assert_non_null(strstr(err.text, bad[b][1]));
    }
}

TEST(a_mix_has_as_many_calls_as_its_limit)
{
    static const char call[] = "broadcast:8MiB*2,";
    char text[CS_MIX_MAX * sizeof(call) + sizeof(call)];
    size_t length = sizeof(call) - 1;
    struct cs_mix mix;

    for (uint32_t c = 0; c <= CS_MIX_MAX; ++c)
        memcpy(text + c * length, call, sizeof(call));
    assert_refused_with(cs_mix_read(text, &mix, &err), CS_EINPUT, "up to 16 calls");
    text[CS_MIX_MAX * length - 1] = '\0';
    assert_done(cs_mix_read(text, &mix, &err));
    assert_int_equal(mix.count, CS_MIX_MAX);
    assert_int_equal(mix.calls[CS_MIX_MAX - 1].count, 2);
    assert_int_equal(mix.calls[CS_MIX_MAX - 1].bytes, 8 << 20);
}
