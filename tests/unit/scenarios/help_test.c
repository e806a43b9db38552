#include "scenarios/commands.h"
#include "scenarios/help.h"

#include "scenarios/run/request/scenario.h"
#include "tests/fixture.h"

enum {
    SCREEN_LINES = 44,
    SCREEN_COLUMNS = 79
};

static size_t line_count(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == '\n';
    return count;
}

TEST(the_help_of_each_command_fits_a_screen)
{
    struct cs_text text = {0};

    cs_help_program(&text);
    assert_true(line_count(cs_text_str(&text)) <= SCREEN_LINES);
    cs_text_free(&text);
    for (size_t i = 0; i < cs_command_count; i++) {
        cs_help_command(cs_commands[i], CS_HELP_SCREEN, &text);
        if (line_count(cs_text_str(&text)) > SCREEN_LINES)
            fail_msg("%s --help has %zu lines", cs_commands[i]->name,
                     line_count(cs_text_str(&text)));
        cs_text_free(&text);
    }
}

static bool names(const struct cs_option *option, const char *name)
{
    for (; option && !cs_option_is_end(option); option++)
        if (option->name && cs_same(option->name, name))
            return true;
    return false;
}

TEST(help_lists_only_options_that_the_command_takes)
{
    for (size_t i = 0; i < cs_command_count; i++) {
        const struct cs_command *command = cs_commands[i];
        const struct cs_option *option = cs_scenario_options;
        CS_AT_END(cs_text_free) struct cs_text text = {0};

        if (!command->options.shared)
            continue;
        cs_help_command(command, CS_HELP_ALL, &text);
        for (; !cs_option_is_end(option); option++) {
            bool taken = option->commands & command->options.command;
            char name[64];

            if (!option->name || names(command->options.own, option->name) ||
                names(command->options.also, option->name))
                continue;
            if (option->letter)
                snprintf(name, sizeof(name), "\n  -%c, --%s ", option->letter, option->name);
            else
                snprintf(name, sizeof(name), "\n  --%s ", option->name);
            if ((strstr(cs_text_str(&text), name) != NULL) != taken)
                fail_msg("%s --help and --%s", command->name, option->name);
        }
    }
}

TEXT_TEST(manual_and_completion_have_every_option)
{
    const struct cs_option *option = cs_scenario_options;
    CS_AT_END(cs_text_free) struct cs_text completion = {0};
    char name[64];

    cs_help_manual(out);
    cs_help_completion(&completion);
    for (; !cs_option_is_end(option); option++) {
        if (!option->name || strchr(option->name, '-'))
            continue;
        snprintf(name, sizeof(name), "\\-\\-%s\\fR", option->name);
        assert_non_null(strstr(cs_text_str(out), name));
        snprintf(name, sizeof(name), " --%s ", option->name);
        assert_non_null(strstr(cs_text_str(&completion), name));
    }
}

TEXT_TEST(an_unknown_group_is_refused_with_the_nearest)
{
    assert_refused(cs_help_group(&cs_command_run, "nois", out, &err), CS_EINPUT,
                   "no group of options called 'nois'; did you mean 'noise'?");
}
