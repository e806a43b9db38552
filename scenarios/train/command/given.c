#include "scenarios/train/command/given.h"

#include "scenarios/commands.h"
#include "scenarios/train/command/framework.h"

#include <string.h>

enum {
    READ_WORDS_MAX = 64,
};

/* The options of the framework, as implied ones. */
static int read_implied(struct cs_train_options *given, struct cs_err *err)
{
    struct cs_arena *arena = given->scenario.arena;
    char *words = cs_arena_text(arena, given->framework_entry->options);
    char *argv[READ_WORDS_MAX], *rest = NULL;
    struct cs_train_options *implied = cs_arena_alloc(arena, 1, sizeof(*implied));
    int argc = 0, code;

    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[argc++] = word;
    given->scenario.given.implies = true;
    code = cs_options_read(cs_command_train.options, argc, argv, given, err);
    given->scenario.given.implies = false;
    *implied = *given;
    given->implied = implied;
    return code ? cs_err_prefix(err, "%s", given->framework_entry->name), code : 0;
}

/* The user's options come last, so that they win. */
int cs_train_read_into(struct cs_option_tables tables, int argc, char **argv,
                       struct cs_train_options *given, size_t size, struct cs_err *err)
{
    void *nothing = memcpy(cs_arena_alloc(given->scenario.arena, 1, size), given, size);
    int code = cs_options_read(tables, argc, argv, given, err);
    const struct cs_framework *entry = NULL;

    if (!code && given->framework)
        code = cs_framework_find(given->framework, &entry, err);
    if (!code && entry) {
        memcpy(given, nothing, size);
        given->framework_entry = entry;
        code = read_implied(given, err);
        if (!code)
            code = cs_options_read(tables, argc, argv, given, err);
    }
    given->argc = argc;
    given->argv = argv;
    return code;
}

int cs_train_read(int argc, char **argv, struct cs_arena *arena, struct cs_train_options *given,
                  struct cs_err *err)
{
    cs_train_options_init(given, arena);
    return cs_train_read_into(cs_command_train.options, argc, argv, given, sizeof(*given), err);
}
