#include "scenarios/options/number.h"
#include "scenarios/options/value.h"

#include "tests/fixture.h"

struct target {
    struct cs_option_log log;
    double number;
    uint32_t count;
    struct cs_option_words words;
    struct cs_option_counts counts;
};

static double number_of(const char *text, const struct cs_number_kind *kind)
{
    struct cs_err err = {0};
    double number = -1;

    return cs_number_read(text, kind, &number, &err) ? -1 : number;
}

TEST(suffixes_are_powers)
{
    assert_true(number_of("15T", &cs_number_count) == 15e12);
    assert_true(number_of("1.4e12", &cs_number_count) == 1.4e12);
    assert_true(number_of("8Ki", &cs_number_count) == 8192);
    assert_true(number_of("8k", &cs_number_count) == 8000);
    assert_true(number_of("8k", &cs_number_binary) == 8192);
    assert_true(number_of("4 years", &cs_number_span) == 4 * 31557600.);
    assert_true(number_of("8x", &cs_number_count) == -1);
    assert_true(number_of("-8", &cs_number_count) == -1);
    assert_true(number_of("nan", &cs_number_count) == -1);
    assert_true(number_of("1e999", &cs_number_count) == -1);
    assert_true(number_of("", &cs_number_span) == -1);
    assert_true(number_of("4", &cs_number_span) == -1);
}

static const struct cs_option options[] = {
    {.name = "number", .type = CS_OPTION_NUMBER, CS_OPTION_AT(struct target, number), .most = 9},
    {.name = "count",
     .type = CS_OPTION_COUNT,
     CS_OPTION_AT(struct target, count),
     .least = 1,
     .most = 1000000},
    {.name = "words", .type = CS_OPTION_WORDS, CS_OPTION_AT(struct target, words), .most = 2},
    {.name = "counts",
     .type = CS_OPTION_COUNTS,
     CS_OPTION_AT(struct target, counts),
     .least = 1,
     .most = 100},
};

/* "" for a value that is taken. */
static struct cs_err stored(struct target *target, const char *name, const char *text)
{
    struct cs_err err = {0};

    for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
        if (cs_same(options[i].name, name))
            (void)cs_option_store(&options[i], target, text, &err);
    return err;
}

TEST(counts_are_whole_and_in_bounds)
{
    struct target target = {0};

    assert_string_equal(stored(&target, "count", "64k").text, "");
    assert_int_equal(target.count, 64000);
    assert_string_equal(stored(&target, "count", "1.5k").text, "");
    assert_int_equal(target.count, 1500);
    assert_string_equal(stored(&target, "count", "2M").text,
                        "'2000000' is out of range; expected 1 to 1000000");
    assert_string_equal(stored(&target, "count", "1.2345k").text,
                        "'1.2345k' is not a whole number");
    assert_string_equal(stored(&target, "number", "10").text, "'10' is not a number from 0 to 9");
    assert_string_equal(stored(&target, "number", "x").text, "'x' is not a number from 0 to 9");
}

ARENA_TEST(lists_have_each_value_once)
{
    struct target target = {.log = {.arena = arena}};

    assert_string_equal(stored(&target, "words", "[a,b],c,c").text, "");
    assert_int_equal(target.words.count, 2);
    assert_string_equal(target.words.item[0], "a,b");
    assert_string_equal(target.words.repeated, "c");
    assert_string_equal(stored(&target, "words", "a,b,c").text, "more than 2 values of --words");
    assert_string_equal(stored(&target, "counts", "8,16,8").text, "");
    assert_int_equal(target.counts.count, 2);
    assert_int_equal(target.counts.item[1], 16);
    assert_string_equal(target.counts.repeated, "8");
}
