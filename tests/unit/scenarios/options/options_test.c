/* Options of a command line: flags that a later word takes back. */
#include "scenarios/options/options.h"

#include "tests/fixture.h"

struct given {
    bool fast, no_overlap;
    uint32_t stop;
};

static const struct cs_option table[] = {
    {.name = "fast", .type = CS_OPTION_FLAG, CS_OPTION_AT(struct given, fast)},
    {.name = "no-overlap", .type = CS_OPTION_FLAG, CS_OPTION_AT(struct given, no_overlap)},
    {.name = "stop",
     .type = CS_OPTION_FLAG,
     CS_OPTION_AT(struct given, stop),
     .value = 2,
     .least = 1},
    {0},
};

static int read_words(struct given *given, struct cs_err *err, const char *words)
{
    char copy[100], *argv[8], *rest = NULL;
    int argc = 0;

    *given = (struct given){0};
    *err = (struct cs_err){0};
    snprintf(copy, sizeof(copy), "%s", words);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    return cs_options_read((struct cs_option_tables){.own = table}, argc, argv, given, err);
}

TEST(a_later_word_takes_a_flag_back)
{
    struct given given;
    struct cs_err err;

    assert_int_equal(read_words(&given, &err, "--fast --no-overlap"), 0);
    assert_true(given.fast && given.no_overlap);
    assert_int_equal(read_words(&given, &err, "--fast --no-overlap --no-fast --overlap"), 0);
    assert_true(!given.fast && !given.no_overlap);
    assert_int_equal(read_words(&given, &err, "--no-fast --fast"), 0);
    assert_true(given.fast);
}

TEST(a_flag_may_distinguish_no_from_nothing)
{
    struct given given;
    struct cs_err err;

    assert_int_equal(read_words(&given, &err, "--fast"), 0);
    assert_int_equal(given.stop, 0);
    assert_int_equal(read_words(&given, &err, "--no-stop"), 0);
    assert_int_equal(given.stop, 1);
    assert_int_equal(read_words(&given, &err, "--no-stop --stop"), 0);
    assert_int_equal(given.stop, 2);
}

TEST(a_flag_taken_back_has_no_value_and_needs_its_name)
{
    struct given given;
    struct cs_err err;

    assert_int_equal(read_words(&given, &err, "--no-fast=yes"), CS_EINPUT);
    assert_int_equal(read_words(&given, &err, "--no-fas"), CS_EINPUT);
    assert_int_equal(read_words(&given, &err, "--no-no-overlap"), CS_EINPUT);
}
