/*
 * The rules of options.def: entries are complete and consistent, and what they
 * state is checked.
 */
#include "scenarios/options/rules.h"

#include "scenarios/options/options.h"

#include "scenarios/run/request/scenario.h"
#include "tests/fixture.h"

static const struct cs_option *option_named(const char *name, size_t length)
{
    const struct cs_option *option = cs_scenario_options;

    for (; !cs_option_is_end(option); option++)
        if (option->name && strlen(option->name) == length &&
            strncmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

TEST(every_entry_has_help_a_command_and_a_value)
{
    const struct cs_option *option = cs_scenario_options;

    for (; !cs_option_is_end(option); option++) {
        if (option->group)
            continue;
        if (!option->help || !option->commands ||
            (option->type == CS_OPTION_SPECIAL ? !option->set : !option->size) ||
            (option->type == CS_OPTION_FLAG) != !option->argument ||
            (option->type == CS_OPTION_CHOICE) != (option->words != NULL))
            fail_msg("the entry of --%s is incomplete", option->name);
    }
}

TEST(names_and_letters_are_unique)
{
    const struct cs_option *option = cs_scenario_options;

    for (; !cs_option_is_end(option); option++)
        for (const struct cs_option *other = option + 1; !cs_option_is_end(other); other++)
            if (option->name && other->name &&
                (cs_same(option->name, other->name) ||
                 (option->letter && option->letter == other->letter)))
                fail_msg("--%s and --%s have one name", option->name, other->name);
}

TEST(rules_name_options_of_the_table)
{
    const struct cs_option *option = cs_scenario_options;

    for (; !cs_option_is_end(option); option++) {
        const char *others[] = {option->requires.other, option->excludes[0].other,
                                option->excludes[1].other};

        for (size_t i = 0; i < 3; i++)
            if (others[i] && !option_named(others[i], strcspn(others[i], "=")))
                fail_msg("--%s names --%s", option->name, others[i]);
    }
}

TEST(parameters_of_models_are_options)
{
    for (size_t i = 0; i < cs_link_model_count; i++) {
        const char *const *name = cs_link_models[i]->parameters;

        for (; name && *name; name++)
            if (!option_named(*name, strlen(*name)))
                fail_msg("model %s has --%s", cs_link_models[i]->name, *name);
    }
}

/* The message about up to four words of a run; "" for none. */
static const char *message_of(char *first, char *second, char *third, char *fourth)
{
    static struct cs_err err;
    char *argv[] = {first, second, third, fourth};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_scenario scenario;

    err = (struct cs_err){0};
    cs_scenario_init(&scenario, &arena);
    if (!cs_options_read(
            (struct cs_option_tables){.shared = cs_scenario_options, .command = CS_FOR_RUN},
            fourth ? 4 : 2, argv, &scenario, &err))
        cs_option_rules_check(cs_scenario_options, &scenario.given, scenario.model, &err);
    return err.text;
}

TEST(an_option_of_another_model_is_refused)
{
    assert_string_equal(message_of("--mtu", "1KiB", NULL, NULL),
                        "--mtu requires --link-model packet (current: fifo)");
    assert_string_equal(message_of("--mtu", "1KiB", "--link-model", "packet"), "");
    assert_string_equal(message_of("--fault", "a-b:down", "--link-model", "loggp"),
                        "--fault requires a model with links; --link-model loggp has none");
    assert_string_equal(message_of("--routing", "ecmp", "--link-model", "loggp"),
                        "--routing requires a model with links; --link-model loggp has none");
}

TEST(a_required_option_has_to_be_given)
{
    assert_string_equal(message_of("--rto", "5ms", "--link-model", "packet"),
                        "--rto requires --loss drop (current: credits)");
    assert_string_equal(message_of("--run", "1", "--jitter", "constant,value=1us"), "");
}

TEST(an_excluded_option_is_refused_in_either_order)
{
    static const char message[] =
        "--with and --fold on cannot be combined: concurrent jobs make ranks differ";

    assert_string_equal(message_of("--with", "allreduce", "--fold", "on"), message);
    assert_string_equal(message_of("--fold", "on", "--with", "allreduce"), message);
    assert_string_equal(message_of("--fold", "off", "--with", "allreduce"), "");
}

TEST(an_option_of_simulations_is_refused_with_a_library)
{
    assert_string_equal(message_of("--library", "nccl", "--chunks", "4"),
                        "--chunks has no effect with --library, whose cost model simulates no "
                        "messages; leave one of them out");
    assert_string_equal(message_of("--chunks", "4", "--library", "nccl"),
                        "--chunks has no effect with --library, whose cost model simulates no "
                        "messages; leave one of them out");
    assert_string_equal(message_of("--library", "nccl", "--ranks", "4"), "");
    assert_string_equal(message_of("--library", "nccl", "--launch", "graph"), "");
    assert_string_equal(message_of("--library", "nccl", "--jobs", "4"), "");
    assert_string_equal(
        message_of("--launch", "graph", NULL, NULL),
        "--launch requires --library: a simulation takes the launch from --transport");
}
