#include "scenarios/options/options.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    NAMES_MAX = 256,
    HELP_COLUMN = 24,
    HELP_WIDTH = 79
};

/* The options of all tables that are read. */
struct options {
    const struct cs_option *item[NAMES_MAX];
    size_t count;
    size_t own; /* the first ones, which are never refused */
    const char *const *refuses;
};

static void options_add_options(struct options *all,
                                const struct cs_option *option)
{
    for (; option && option->name; option++) {
        assert(all->count < NAMES_MAX);
        all->item[all->count++] = option;
    }
}

/* One flag as it was written: "--size=1GiB". */
struct options_word {
    const char *text;
    size_t length; /* up to '=' or the end */
    const char *value;
};

static struct options_word options_split(const char *text)
{
    const char *equals = strchr(text, '=');

    if (!equals)
        return (struct options_word){text, strlen(text), NULL};
    return (struct options_word){text, (size_t)(equals - text), equals + 1};
}

static bool options_matches(const struct cs_option *option,
                            const struct options_word *word)
{
    if (word->length == 2)
        return option->letter && word->text[1] == option->letter;
    return strncmp(word->text, "--", 2) == 0 &&
           strlen(option->name) == word->length - 2 &&
           strncmp(word->text + 2, option->name, word->length - 2) == 0;
}

static int refuse_flag(const struct options *options,
                       const struct options_word *word, struct cs_err *err)
{
    const char *names[NAMES_MAX];
    char flag[40];
    const char *near;
    size_t count = 0;

    snprintf(flag, sizeof(flag), "%.*s", (int)word->length, word->text);
    for (; count < options->count; count++)
        names[count] = options->item[count]->name;
    near = cs_nearest(flag + strspn(flag, "-"), names, count);
    if (near)
        return cs_err_set(err, CS_EINPUT,
                          "unknown option '%s'; did you mean '--%s'?", flag,
                          near);
    return cs_err_set(err, CS_EINPUT, "unknown option '%s'; --help lists all",
                      flag);
}

/* Puts the flag in front of a setter's message. */
static int options_named(const struct cs_option *option,
                         const struct options_word *word, int code,
                         struct cs_err *err)
{
    struct cs_err inner = *err;

    if (!code || inner.code == CS_OK)
        return code;
    *err = (struct cs_err){0};
    if (word->length == 2)
        return cs_err_set(err, code, "-%c: %s", option->letter, inner.text);
    return cs_err_set(err, code, "--%s: %s", option->name, inner.text);
}

static bool options_is_in(const char *const *names, const char *name)
{
    while (names && *names && !cs_same(*names, name))
        names++;
    return names && *names;
}

static int options_read_one(const struct options *options, char ***argv,
                            char **end, void *target, struct cs_err *err)
{
    struct options_word word = options_split(*(*argv)++);
    const struct cs_option *option;
    size_t i = 0;

    if (word.text[0] != '-' || word.text[1] == '\0')
        return cs_err_set(err, CS_EINPUT,
                          "'%.40s' is not an option; options begin with --",
                          word.text);
    while (i < options->count && !options_matches(options->item[i], &word))
        i++;
    if (i == options->count)
        return refuse_flag(options, &word, err);
    option = options->item[i];
    if (i >= options->own && options_is_in(options->refuses, option->name))
        return cs_err_set(err, CS_EINPUT,
                          "--%s belongs to 'collsim run' and has no effect "
                          "here; leave it out",
                          option->name);
    if (!option->argument && word.value)
        return cs_err_set(err, CS_EINPUT, "--%s takes no value", option->name);
    if (option->argument && !word.value) {
        if (*argv == end)
            return cs_err_set(err, CS_EINPUT, "--%s needs a value: --%s %s",
                              option->name, option->name, option->argument);
        word.value = *(*argv)++;
    }
    return options_named(option, &word, option->set(target, word.value, err),
                         err);
}

int cs_options_read(struct cs_option_tables tables, int argc, char **argv,
                    void *target, struct cs_err *err)
{
    const struct cs_option_group *const *group = tables.groups;
    struct options all = {.refuses = tables.refuses};
    char **end = argv + argc;
    int code = 0;

    options_add_options(&all, tables.own);
    all.own = all.count;
    for (; group && *group; group++)
        options_add_options(&all, (*group)->options);
    while (argv < end && !code)
        code = options_read_one(&all, &argv, end, target, err);
    return code;
}

int cs_options_each(struct cs_option_list list, const char *words,
                    struct cs_err *err)
{
    int code = 0;

    while (!code) {
        size_t length = strcspn(words, ",");

        if (length == 0)
            return cs_err_set(err, CS_EINPUT,
                              "there is an empty entry in a list");
        code = list.take(list.target,
                         cs_arena_text_n(list.arena, words, length), err);
        if (words[length] == '\0')
            break;
        words += length + 1;
    }
    return code;
}

int cs_options_refuse(struct cs_option_names known, const char *value,
                      struct cs_err *err)
{
    struct cs_text list = {0};
    const char *near = cs_nearest(value, known.names, known.count);
    size_t i;
    int code;

    for (i = 0; i < known.count; i++)
        cs_text_printf(&list, "%s%s", i ? ", " : "", known.names[i]);
    if (near)
        code = cs_err_set(err, CS_EINPUT,
                          "no %s called '%.40s'; did you mean '%s'?",
                          known.what, value, near);
    else
        code = cs_err_set(err, CS_EINPUT, "no %s called '%.40s'; there is: %s",
                          known.what, value, cs_text_str(&list));
    cs_text_free(&list);
    return code;
}

/* Appends the words of `help` in lines up to HELP_WIDTH, from HELP_COLUMN on;
 * the first line begins where the text so far ends. */
static void options_add_wrapped(const char *help, struct cs_text *out)
{
    size_t column = HELP_COLUMN;

    while (*help) {
        size_t length = strcspn(help, " ");

        if (column + length > HELP_WIDTH && column > HELP_COLUMN) {
            while (out->data[out->length - 1] == ' ')
                out->data[--out->length] = '\0';
            cs_text_printf(out, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        cs_text_add_n(out, help, length);
        help += length;
        column += length;
        for (; *help == ' '; help++, column++)
            cs_text_add(out, " ");
    }
    cs_text_add(out, "\n");
}

void cs_options_help(const struct cs_option *option, const char *const *without,
                     struct cs_text *out)
{
    struct cs_text left = {0};

    for (; option && option->name; option++) {
        if (options_is_in(without, option->name))
            continue;
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
        options_add_wrapped(option->help, out);
        cs_text_free(&left);
    }
}
