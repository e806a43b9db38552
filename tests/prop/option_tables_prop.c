/*
 * The options of all commands: one meaning and one form for each name, values in any case
 * of letters, and no entry that help or the reader cannot use.
 */
#include "scenarios/commands.h"
#include "scenarios/options/value.h"
#include "scenarios/run/request/scenario.h"
#include "scenarios/train/command/given.h"
#include "tests/fixture.h"

#include <ctype.h>

/* The i-th table of a command; NULL: it has none. */
static const struct cs_option *table_of(const struct cs_command *command, int i)
{
    const struct cs_option *tables[] = {command->options.own, command->options.also,
                                        command->options.shared};

    return tables[i];
}

typedef void visit_fn(const struct cs_command *command, const struct cs_option *option);

static void each_option(visit_fn *visit)
{
    for (size_t c = 0; c < cs_command_count; c++)
        for (int t = 0; t < 3; t++)
            for (const struct cs_option *option = table_of(cs_commands[c], t);
                 option && !cs_option_is_end(option); option++)
                if (option->name)
                    visit(cs_commands[c], option);
}

static void check_entry(const struct cs_command *command, const struct cs_option *option)
{
    bool is_flag = option->type == CS_OPTION_FLAG;

    if (!option->help || !*option->help)
        fail_msg("%s --%s: no help", command->name, option->name);
    if (is_flag == (option->argument != NULL))
        fail_msg("%s --%s: a flag has no value, others have", command->name, option->name);
    if (option->type == CS_OPTION_CHOICE && !option->words)
        fail_msg("%s --%s: no words", command->name, option->name);
    if ((option->type == CS_OPTION_SPECIAL) != (option->set != NULL))
        fail_msg("%s --%s: a function reads special values alone", command->name, option->name);
}

TEST(every_entry_can_be_read_and_printed)
{
    each_option(check_entry);
}

TEST(a_table_has_a_name_once)
{
    for (size_t c = 0; c < cs_command_count; c++)
        for (int t = 0; t < 3; t++) {
            const struct cs_option *first = table_of(cs_commands[c], t);

            for (const struct cs_option *option = first; option && !cs_option_is_end(option);
                 option++)
                for (const struct cs_option *other = first; other < option; other++)
                    if (option->name && other->name && cs_same(option->name, other->name))
                        fail_msg("%s has --%s twice", cs_commands[c]->name, option->name);
        }
}

/* Forms of one name that differ, and why. */
static const char *const differs[] = {
    "deadline",                              /* of a training, in days, and of a call */
    "fabric",   "gpus",                      /* plan compares several; run has GPUs of a node */
    "format",                                /* each command has words of its own */
    "from",     "loss", "straggler", "with", /* of measure, compare and train */
    "hosts",                                 /* measure counts them, a fabric has names */
    "log",                                   /* compare takes several, train that of a run */
    "ranks",                                 /* run has lists and ranges */
    "topo",                                  /* claims and list have no scenario */
};

static void check_form(const struct cs_command *command, const struct cs_option *option)
{
    for (size_t d = 0; d < sizeof(differs) / sizeof(*differs); d++)
        if (cs_same(option->name, differs[d]))
            return;
    for (size_t c = 0; c < cs_command_count; c++)
        for (int t = 0; t < 3; t++)
            for (const struct cs_option *other = table_of(cs_commands[c], t);
                 other && !cs_option_is_end(other); other++)
                if (other->name && cs_same(other->name, option->name) &&
                    other->type != option->type)
                    fail_msg("--%s has one form in %s and another in %s", option->name,
                             command->name, cs_commands[c]->name);
}

TEST(a_name_has_one_form)
{
    each_option(check_form);
}

/* Stores the word in capital letters; the value of the plain word. */
static void check_words(const struct cs_command *command, const struct cs_option *option)
{
    char *target, *plain;

    if (option->type != CS_OPTION_CHOICE)
        return;
    target = test_calloc(1, option->place + option->size);
    plain = test_calloc(1, option->place + option->size);
    for (uint32_t w = 0; option->words[w]; w++) {
        struct cs_err err = {0};
        char word[64];

        snprintf(word, sizeof(word), "%s", option->words[w]);
        for (char *at = word; *at; at++)
            *at = (char)toupper((unsigned char)*at);
        if (cs_option_store(option, plain, option->words[w], &err) ||
            cs_option_store(option, target, word, &err) || !cs_option_equal(option, target, plain))
            fail_msg("%s --%s %s: %s", command->name, option->name, word, err.text);
    }
    test_free(target);
    test_free(plain);
}

TEST(words_are_read_in_any_case)
{
    each_option(check_words);
}

TEST(every_name_of_a_type_is_one_that_run_or_train_has)
{
    for (const struct cs_option_alias *alias = cs_dtype_aliases; alias->other; alias++) {
        bool known = cs_same(alias->word, "fp4");

        for (size_t d = 0; d < cs_dtype_count; d++)
            known |= cs_same(cs_dtypes[d].name, alias->word);
        if (!known)
            fail_msg("%s is %s, which no option has", alias->other, alias->word);
    }
}

/* What the command line gives stands in the job of training, not beside it. */
ARENA_TEST(options_of_train_fill_their_own_places)
{
    struct cs_train_options given, none;

    cs_train_options_init(&none, arena);
    for (const struct cs_option *option = cs_train_option_table; !cs_option_is_end(option);
         option++) {
        char value[32] = "2";

        if (option->type != CS_OPTION_COUNT && option->type != CS_OPTION_FLAG)
            continue;
        cs_train_options_init(&given, arena);
        assert_int_equal(cs_option_store(option, &given, value, NULL), 0);
        assert_false(cs_option_equal(option, &given, &none));
        for (const struct cs_option *other = cs_train_option_table; !cs_option_is_end(other);
             other++)
            if (other->name && other != option && other->type != CS_OPTION_SPECIAL &&
                other->place != option->place && !cs_option_equal(other, &given, &none))
                fail_msg("--%s changes --%s", option->name, other->name);
    }
}
