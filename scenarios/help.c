#include "scenarios/help.h"

#include "scenarios/commands.h"

#include <assert.h>
#include <string.h>

enum {
    HELP_COLUMN = 24,
    HELP_WIDTH = 79,
    HELP_OPTIONS_MAX = 256,
    HELP_GROUPS_LISTED = 6, /* with a line each */
};

/* Not in tables: main handles both before a command reads its options. */
static const struct cs_option help_option = {
    .name = "help", .argument = "[GROUP]", .help = "print help"};
static const struct cs_option version_option = {.name = "version", .help = "print the version"};

/* ---- options of a command ---- */

/* The options of a command, each behind the entry that opens its group; a table of a
 * single command may begin without a group. */
struct help_list {
    const struct cs_option *item[HELP_OPTIONS_MAX];
    size_t count;
};

static void help_add(struct help_list *list, const struct cs_option *option)
{
    assert(list->count < HELP_OPTIONS_MAX);
    /* A group without options goes. */
    if (option->group && list->count && list->item[list->count - 1]->group)
        list->count--;
    list->item[list->count++] = option;
}

static bool help_has(const struct help_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i]->name && cs_same(list->item[i]->name, name))
            return true;
    return false;
}

static void help_list(const struct cs_command *command, struct help_list *list)
{
    const struct cs_option *option = command->options.own;

    list->count = 0;
    for (; option && !cs_option_is_end(option); option++)
        help_add(list, option);
    option = command->options.also;
    for (; option && !cs_option_is_end(option); option++)
        if (option->group || !help_has(list, option->name))
            help_add(list, option);
    option = command->options.shared;
    for (; option && !cs_option_is_end(option); option++)
        if (option->group || cs_options_takes(command->options, option))
            help_add(list, option);
    if (list->count && list->item[list->count - 1]->group)
        list->count--;
}

/* On the first screen: what the command has no group for, or its first group, and the
 * main group of all. */
static bool help_is_first(const struct cs_command *command, const struct cs_option *group)
{
    return !group || group == command->options.own || cs_same(group->group, "main");
}

/* ---- text ---- */

/* Appends the words in lines up to HELP_WIDTH, from HELP_COLUMN on; the first
 * line begins at `column`.  Returns the column behind the last word. */
static size_t help_wrap(const char *words, size_t column, struct cs_text *out)
{
    while (*words) {
        size_t length = strcspn(words, " ");

        if (column + length > HELP_WIDTH && column > HELP_COLUMN) {
            while (out->data[out->length - 1] == ' ')
                out->data[--out->length] = '\0';
            cs_text_printf(out, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        cs_text_add_n(out, words, length);
        words += length;
        column += length;
        for (; *words == ' '; words++, column++)
            cs_text_add(out, " ");
    }
    return column;
}

static void help_put_name(const struct cs_option *option, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text left = {0};

    if (option->letter)
        cs_text_printf(&left, "  -%c, --%s", option->letter, option->name);
    else
        cs_text_printf(&left, "  --%s", option->name);
    if (option->argument)
        cs_text_printf(&left, " %s", option->argument);
    if (left.length >= HELP_COLUMN)
        cs_text_printf(out, "%s\n%*s", left.data, HELP_COLUMN, "");
    else
        cs_text_printf(out, "%-*s", HELP_COLUMN, left.data);
}

static void help_put_option(const struct cs_option *option, bool full, struct cs_text *out)
{
    struct cs_text text = {0};

    help_put_name(option, out);
    cs_text_add(&text, option->help);
    if (option->standard)
        cs_text_printf(&text, "  [%s]", option->standard);
    help_wrap(cs_text_str(&text), HELP_COLUMN, out);
    cs_text_free(&text);
    cs_text_add(out, "\n");
    if (!full || !option->more)
        return;
    cs_text_printf(out, "%*s", HELP_COLUMN, "");
    help_wrap(option->more, HELP_COLUMN, out);
    cs_text_add(out, "\n");
}

/* The groups off the first screen: a line each, or only names where they are many. */
static void help_put_groups(const struct cs_command *command, const struct help_list *list,
                            struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text names = {0}, lines = {0};
    uint32_t count = 0;

    for (size_t i = 0; i < list->count; i++) {
        const struct cs_option *group = list->item[i];

        if (!group->group || help_is_first(command, group))
            continue;
        cs_text_printf(&names, "%s%s", count++ ? ", " : "", group->group);
        cs_text_printf(&lines, "  --help %-15s%s\n", group->group, group->help);
    }
    if (count)
        cs_text_add(out, "\nmore options (--help all lists them):\n");
    if (count > HELP_GROUPS_LISTED) {
        cs_text_printf(out, "%-*s", HELP_COLUMN, "  --help GROUP");
        help_wrap(cs_text_str(&names), HELP_COLUMN, out);
        cs_text_add(out, "\n");
    } else if (count) {
        cs_text_add(out, cs_text_str(&lines));
    }
}

static void help_put_first(const struct cs_command *command, const struct help_list *list,
                           struct cs_text *out)
{
    const struct cs_option *group = NULL;

    for (size_t i = 0; i < list->count; i++)
        if (list->item[i]->group)
            group = list->item[i];
        else if (help_is_first(command, group))
            help_put_option(list->item[i], false, out);
    help_put_option(&help_option, false, out);
    if (command == cs_commands[0])
        help_put_option(&version_option, false, out);
}

static void help_put_others(const struct cs_command *command, const struct help_list *list,
                            struct cs_text *out)
{
    const struct cs_option *group = NULL;

    for (size_t i = 0; i < list->count; i++) {
        if (list->item[i]->group)
            group = list->item[i];
        if (help_is_first(command, group))
            continue;
        if (group == list->item[i])
            cs_text_printf(out, "\n%s: %s\n", group->group, group->help);
        else
            help_put_option(list->item[i], false, out);
    }
}

static void help_put_commands(struct cs_text *out)
{
    cs_text_add(out, "\ncommands (collsim NAME --help):\n");
    for (size_t i = 0; i < cs_command_count; i++)
        cs_text_printf(out, "  %-10s %s\n", cs_commands[i]->name, cs_commands[i]->about);
}

void cs_help_command(const struct cs_command *command, enum cs_help_extent extent,
                     struct cs_text *out)
{
    struct help_list list;

    help_list(command, &list);
    cs_text_printf(out, "usage: %s\n\n%s\n\n", command->usage, command->about);
    help_put_first(command, &list, out);
    if (extent == CS_HELP_SCREEN)
        help_put_groups(command, &list, out);
    else
        help_put_others(command, &list, out);
    if (command->add_help && (extent == CS_HELP_ALL || !command->help_is_long))
        command->add_help(out);
    if (command->notes)
        cs_text_printf(out, "\n%s", command->notes);
}

void cs_help_program(struct cs_text *out)
{
    const struct cs_command *run = cs_commands[0];
    struct help_list list;

    help_list(run, &list);
    cs_text_printf(out, "usage: %s\n       collsim COMMAND [OPTION ...]\n", run->usage);
    help_put_commands(out);
    cs_text_add(out, "\noptions of a run: collsim run --help\n");
    help_put_groups(run, &list, out);
    cs_text_printf(out, "\n%s", run->notes);
}

int cs_help_group(const struct cs_command *command, const char *name, struct cs_text *out,
                  struct cs_err *err)
{
    const char *names[HELP_OPTIONS_MAX];
    struct help_list list;
    size_t count = 0, i;

    help_list(command, &list);
    for (i = 0; i < list.count; i++) {
        if (!list.item[i]->group)
            continue;
        names[count++] = list.item[i]->group;
        if (!cs_same(list.item[i]->group, name))
            continue;
        cs_text_printf(out, "%s: %s\n", list.item[i]->group, list.item[i]->help);
        for (i++; i < list.count && !list.item[i]->group; i++)
            help_put_option(list.item[i], true, out);
        return 0;
    }
    return cs_options_refuse((struct cs_option_names){"group of options", names, count}, name, err);
}

/* ---- roff ---- */

/* Escapes for roff: a literal hyphen is \-, a backslash \e; \& protects
 * control characters at the beginning of a line. */
static void help_put_roff(const char *text, struct cs_text *out)
{
    cs_text_add(out, *text == '.' || *text == '\'' ? "\\&" : "");
    for (; *text; text++)
        if (*text == '-')
            cs_text_add(out, "\\-");
        else if (*text == '\\')
            cs_text_add(out, "\\e");
        else if (*text != ' ' || text[1] != '\'')
            cs_text_add_n(out, text, 1);
        else
            cs_text_add(out, " \\&");
}

/* "Commands: run, explain.", unless every command that runs algorithms takes the
 * option. */
static void help_put_takers(const struct cs_option *option, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text takers = {0};
    bool all = true;

    for (size_t i = 0; i < cs_command_count; i++) {
        const struct cs_option_tables *tables = &cs_commands[i]->options;

        if (!tables->shared)
            continue;
        if (option->commands & tables->command)
            cs_text_printf(&takers, "%s%s", takers.length ? ", " : "", cs_commands[i]->name);
        else if (!(tables->command & CS_FOR_OTHERS))
            all = false;
    }
    if (!all)
        cs_text_printf(out, "Commands: %s.\n", cs_text_str(&takers));
}

static void help_put_entry(const struct cs_option *option, struct cs_text *out)
{
    cs_text_add(out, ".TP\n");
    if (option->letter)
        cs_text_printf(out, "\\fB\\-%c\\fR, ", option->letter);
    cs_text_add(out, "\\fB");
    help_put_roff("--", out);
    help_put_roff(option->name, out);
    cs_text_add(out, "\\fR");
    if (option->argument)
        cs_text_printf(out, " \\fI%s\\fR", option->argument);
    cs_text_add(out, "\n");
    help_put_roff(option->help, out);
    if (option->standard) {
        cs_text_add(out, " (default: ");
        help_put_roff(option->standard, out);
        cs_text_add(out, ")");
    }
    cs_text_add(out, ".\n");
    if (option->more) {
        help_put_roff(option->more, out);
        cs_text_add(out, "\n");
    }
    if (option->commands)
        help_put_takers(option, out);
}

void cs_help_synopsis(struct cs_text *out)
{
    for (size_t i = 0; i < cs_command_count; i++) {
        help_put_roff(cs_commands[i]->usage, out);
        cs_text_add(out, "\n.br\n");
    }
    cs_text_add(out, "collsim help [COMMAND|GROUP]\n.br\ncollsim version\n");
}

void cs_help_manual(struct cs_text *out)
{
    const struct cs_option *option = cs_commands[0]->options.shared;

    cs_text_add(out, ".SH OPTIONS OF A RUN\n");
    for (; !cs_option_is_end(option); option++)
        if (option->name)
            help_put_entry(option, out);
        else
            cs_text_printf(out, ".SS %s: %s\n", option->group, option->help);
    help_put_entry(&help_option, out);
    help_put_entry(&version_option, out);
    cs_text_add(out, ".SH OPTIONS OF SINGLE COMMANDS\n");
    for (size_t i = 0; i < cs_command_count; i++) {
        option = cs_commands[i]->options.own;
        if (option && !option->group && !cs_option_is_end(option))
            cs_text_printf(out, ".SS %s\n", cs_commands[i]->name);
        for (; option && !cs_option_is_end(option); option++)
            if (option->name)
                help_put_entry(option, out);
            else
                cs_text_printf(out, ".SS %s, %s\n", cs_commands[i]->name, option->help);
    }
}

/* ---- completion ---- */

static void help_put_completes(const struct cs_option *option, struct cs_text *out)
{
    const char *const *word = option->words;

    if (!option->argument) {
        cs_text_add(out, "!");
    } else if (option->complete) {
        cs_text_add(out, option->complete);
    } else if (word) {
        for (; *word; word++)
            cs_text_printf(out, "%s%s", word == option->words ? "" : " ", *word);
    } else if (cs_same(option->argument, "FILE") || cs_same(option->argument, "PATH")) {
        cs_text_add(out, "file");
    } else if (cs_same(option->argument, "DIR")) {
        cs_text_add(out, "dir");
    }
}

static void help_put_line(const struct cs_command *command, const struct cs_option *option,
                          struct cs_text *out)
{
    cs_text_printf(out, "%s --%s ", command->name, option->name);
    if (option->letter)
        cs_text_printf(out, "-%c ", option->letter);
    else
        cs_text_add(out, "- ");
    help_put_completes(option, out);
    cs_text_add(out, "\n");
}

static void help_put_lines(const struct cs_command *command, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text groups = {0};
    struct help_list list;

    help_list(command, &list);
    for (size_t i = 0; i < list.count; i++)
        if (list.item[i]->name)
            help_put_line(command, list.item[i], out);
        else
            cs_text_printf(&groups, "%s ", list.item[i]->group);
    /* --help takes a group or "all". */
    if (groups.length)
        cs_text_add(&groups, "all");
    cs_text_printf(out, "%s --help - %s\n", command->name,
                   groups.length ? cs_text_str(&groups) : "!");
}

void cs_help_completion(struct cs_text *out)
{
    cs_text_add(out, "_collsim_commands='");
    for (size_t i = 0; i < cs_command_count; i++)
        cs_text_printf(out, "%s ", cs_commands[i]->name);
    cs_text_add(out, "help version'\n_collsim_options='");
    for (size_t i = 0; i < cs_command_count; i++)
        help_put_lines(cs_commands[i], out);
    cs_text_add(out, "run --version - !'\n");
}
