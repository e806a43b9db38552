#include "scenarios/options/unused.h"
#include "scenarios/options/value.h"

#include "tests/fixture.h"

struct target {
    struct cs_option_log log;
    uint32_t count;
    uint32_t word;
    bool flag;
};

static const char *const words[] = {"plain", "fast", "odd", NULL};

static const struct cs_option table[] = {
    {.name = "count",
     .argument = "N",
     .type = CS_OPTION_COUNT,
     CS_OPTION_AT(struct target, count),
     .least = 1,
     .most = 100},
    {.name = "word",
     .argument = "HOW",
     .type = CS_OPTION_CHOICE,
     CS_OPTION_AT(struct target, word),
     .words = words,
     .standard = "plain"},
    {.name = "flag", .type = CS_OPTION_FLAG, CS_OPTION_AT(struct target, flag)},
    {.name = "jobs2",
     .argument = "N",
     .type = CS_OPTION_COUNT,
     CS_OPTION_AT(struct target, count),
     .most = 9},
    {0},
};

/* The shared table is what makes a target have a log. */
static const struct cs_option shared[] = {{0}};

static int take_list(void *target, const struct cs_option *option, const char *value,
                     struct cs_err *err)
{
    (void)value;
    return cs_option_store(option, target, "99", err);
}

static const struct cs_option_tables tables = {
    .own = table, .shared = shared, .alone = cs_options_log, .list = take_list};

/* A command whose answer is a number of its options. */
struct asked {
    struct target given;
    uint32_t (*answer)(const struct target *target);
};

static enum cs_option_answer answer_of(void *ctx, struct cs_option_change change)
{
    const struct asked *asked = ctx;
    struct target changed = {.log = {.arena = asked->given.log.arena}};

    if (cs_options_read_changed(tables, &asked->given.log, change, &changed))
        return CS_ANSWER_NONE;
    return asked->answer(&changed) == asked->answer(&asked->given) ? CS_ANSWER_SAME
                                                                   : CS_ANSWER_OTHER;
}

/* Whether the only option of the words has no effect on the answer. */
static bool is_unused(uint32_t (*answer)(const struct target *target), char *name, char *value,
                      enum cs_option_tries tries)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct asked asked = {.given = {.log = {.arena = &arena}}, .answer = answer};
    struct cs_unused check = {answer_of, &asked, tries};
    char *argv[] = {name, value};

    assert_done(cs_options_read(tables, value ? 2 : 1, argv, &asked.given, &err));
    return cs_option_is_unused(&check, &asked.given.log.items[0]);
}

static uint32_t constant(const struct target *target)
{
    (void)target;
    return 7;
}

/* 5 is what the command takes without the option. */
static uint32_t count_or_five(const struct target *target)
{
    return target->count ? target->count : 5;
}

static uint32_t odd_word(const struct target *target)
{
    return target->word == 2;
}

TEST(what_changes_nothing_is_unused)
{
    assert_true(is_unused(constant, "--count", "3", CS_TRIES_WORDS));
    assert_true(is_unused(constant, "--flag", NULL, CS_TRIES_BOUNDS));
    assert_false(is_unused(count_or_five, "--count", "3", CS_TRIES_WORDS));
}

TEST(a_number_fixed_to_its_default_has_an_effect_at_its_bounds)
{
    assert_true(is_unused(count_or_five, "--count", "5", CS_TRIES_WORDS));
    assert_false(is_unused(count_or_five, "--count", "5", CS_TRIES_BOUNDS));
    assert_true(is_unused(constant, "--count", "5", CS_TRIES_BOUNDS));
}

TEST(the_stated_default_of_a_choice_is_no_mistake)
{
    assert_false(is_unused(constant, "--word", "plain", CS_TRIES_WORDS));
    assert_true(is_unused(constant, "--word", "fast", CS_TRIES_WORDS));
    assert_false(is_unused(odd_word, "--word", "fast", CS_TRIES_WORDS));
    assert_true(is_unused(odd_word, "--word", "fast", CS_TRIES_BOUNDS));
    assert_false(is_unused(odd_word, "--word", "odd", CS_TRIES_BOUNDS));
}

/* The message of reading words, "" for none. */
static struct cs_err read_words(struct target *target, char *first, char *second)
{
    static struct cs_arena arena;
    char *argv[] = {first, second};
    struct cs_err err = {0};

    *target = (struct target){.log = {.arena = &arena}};
    (void)cs_options_read(tables, second ? 2 : 1, argv, target, &err);
    return err;
}

TEST(jobs_are_taken_and_lists_go_to_the_command)
{
    struct target target;

    assert_string_equal(read_words(&target, "--jobs", "4").text, "");
    assert_string_equal(read_words(&target, "-j4", NULL).text, "");
    assert_string_equal(read_words(&target, "--jobs", "0").text,
                        "--jobs: '0' is out of range; expected 1 to 1024");
    assert_string_equal(read_words(&target, "--count", "2,4").text, "");
    assert_int_equal(target.count, 99);
    assert_string_equal(target.log.items[0].value, "2,4");
    assert_true(cs_options_is_list(&table[0], "2,4"));
    assert_false(cs_options_is_list(&table[1], "plain,fast"));
}

TEST(a_word_alone_is_the_value_of_an_option_that_exists)
{
    struct target target;

    assert_string_equal(read_words(&target, "file", NULL).text,
                        "unknown option '--log'; --help all lists them");
}
