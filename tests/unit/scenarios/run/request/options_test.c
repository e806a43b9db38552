#include "scenarios/options/options.h"
#include "scenarios/options/value.h"

#include "tests/fixture.h"

/* What the tables below fill; shared options record themselves in the log. */
struct filled {
    struct cs_option_log log;
    const char *name;
    uint32_t count;
    uint64_t bytes;
    int format;
};

static const struct cs_option own[] = {
    {.name = "out",
     .letter = 'o',
     .argument = "FILE",
     .type = CS_OPTION_TEXT,
     CS_OPTION_AT(struct filled, name)},
    {0},
};

static const struct cs_option shared[] = {
    CS_OPTION_GROUP("numbers", "counts and sizes"),
    {.name = "count",
     .letter = 'c',
     .argument = "N",
     .type = CS_OPTION_COUNT,
     CS_OPTION_AT(struct filled, count),
     .least = 1,
     .most = 9,
     .commands = CS_FOR_RUN,
     .key = CS_KEY_PARAMETER},
    {.name = "bytes",
     .argument = "SIZE",
     .type = CS_OPTION_BYTES,
     CS_OPTION_AT(struct filled, bytes),
     .most = 4096,
     .commands = CS_FOR_RUN,
     .key = CS_KEY_PARAMETER},
    {.name = "json",
     .type = CS_OPTION_FLAG,
     CS_OPTION_AT(struct filled, format),
     .value = 1,
     .commands = CS_FOR_RUN | CS_FOR_CHECK},
    {.name = "csv",
     .type = CS_OPTION_FLAG,
     CS_OPTION_AT(struct filled, format),
     .value = 2,
     .commands = CS_FOR_RUN},
    {0},
};

struct outcome {
    struct filled filled;
    struct cs_err err;
};

/* Reads up to three words for the command. */
static struct outcome read_words(enum cs_option_command command, char *first, char *second,
                                 char *third)
{
    static struct cs_arena arena;
    char *argv[] = {first, second, third};
    int argc = third ? 3 : second ? 2 : 1;
    struct outcome outcome = {.filled = {.log = {.arena = &arena}}};

    cs_options_read((struct cs_option_tables){.own = own, .shared = shared, .command = command},
                    argc, argv, &outcome.filled, &outcome.err);
    return outcome;
}

TEST(a_value_follows_its_option_or_an_equals_sign)
{
    assert_int_equal(read_words(CS_FOR_RUN, "--count", "7", NULL).filled.count, 7);
    assert_int_equal(read_words(CS_FOR_RUN, "--count=7", NULL, NULL).filled.count, 7);
    assert_int_equal(read_words(CS_FOR_RUN, "-c", "7", NULL).filled.count, 7);
    assert_string_equal(read_words(CS_FOR_RUN, "-o", "file", NULL).filled.name, "file");
}

TEST(a_value_follows_a_letter_at_once)
{
    struct outcome outcome = read_words(CS_FOR_RUN, "-c7", NULL, NULL);

    assert_int_equal(outcome.err.code, 0);
    assert_int_equal(outcome.filled.count, 7);
    outcome = read_words(CS_FOR_RUN, "-c=8", "-c", "9");
    assert_int_equal(outcome.err.code, 0);
    assert_int_equal(outcome.filled.count, 9);
    outcome = read_words(CS_FOR_RUN, "-c0", NULL, NULL);
    assert_string_equal(outcome.err.text, "-c: '0' is out of range; expected 1 to 9");
    outcome = read_words(CS_FOR_RUN, "-count", "3", NULL);
    assert_string_equal(outcome.err.text, "unknown option '-count'; did you mean '--count'?");
    outcome = read_words(CS_FOR_RUN, "-x3", NULL, NULL);
    assert_non_null(strstr(outcome.err.text, "unknown option '-x3'"));
    assert_true(cs_options_is(&shared[1], "-c7"));
    assert_true(cs_options_is(&shared[1], "--count=7"));
    assert_false(cs_options_is(&shared[1], "--counts"));
    assert_false(cs_options_is(&shared[1], "c7"));
}

TEST(a_value_out_of_range_is_refused)
{
    assert_int_equal(read_words(CS_FOR_RUN, "--count", "10", NULL).err.code, CS_EINPUT);
    assert_string_equal(read_words(CS_FOR_RUN, "--bytes", "8KiB", NULL).err.text,
                        "--bytes: '8KiB' is out of range; expected 0 B to 4 KiB");
}

TEST(an_option_of_other_commands_is_refused)
{
    assert_int_equal(read_words(CS_FOR_CHECK, "--count", "7", NULL).err.code, CS_EINPUT);
    assert_int_equal(read_words(CS_FOR_CHECK, "--json", NULL, NULL).err.code, CS_OK);
}

TEST(flags_for_one_place_exclude_each_other)
{
    assert_string_equal(read_words(CS_FOR_RUN, "--csv", "--json", NULL).err.text,
                        "--csv and --json cannot be combined; give one");
    assert_int_equal(read_words(CS_FOR_RUN, "--csv", "--csv", NULL).filled.format, 2);
}

TEST(the_log_has_the_last_value_of_each_option)
{
    struct outcome outcome = read_words(CS_FOR_RUN, "--count=3", "--count=4", "--out=file");

    assert_int_equal(outcome.filled.log.count, 2);
    assert_string_equal(cs_options_given(&outcome.filled.log, "count"), "4");
    assert_int_equal(outcome.filled.log.items[1].option - own, 0);
}

/* A cs_option_visit. */
static void add_to_text(void *ctx, const struct cs_option *option, const char *value)
{
    cs_text_printf(ctx, "%s=%s ", option->name, value);
}

TEXT_TEST(the_key_has_changed_values_in_canonical_units)
{
    struct filled standard = {.count = 3};
    struct outcome outcome = read_words(CS_FOR_RUN, "--count=3", "--bytes=1024B", "--json");

    cs_options_each_of_key((struct cs_option_values){shared, &outcome.filled, &standard},
                           CS_KEY_PARAMETER, (struct cs_option_visit){add_to_text, out});
    assert_string_equal(cs_text_str(out), "bytes=1 KiB ");
}
