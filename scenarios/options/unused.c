#include "scenarios/options/unused.h"

#include "sim/base/text.h"

#include <stdio.h>
#include <string.h>

static bool unused_is(const struct cs_unused *check, const struct cs_given *given,
                      const char *value, enum cs_option_answer answer)
{
    return check->answer(check->ctx, (struct cs_option_change){given, value}) == answer;
}

/* A default that is a word differs from what is given. */
static bool unused_by_words(const struct cs_unused *check, const struct cs_given *given)
{
    const struct cs_option *option = given->option;

    for (uint32_t i = 0; option->words[i] && check->tries == CS_TRIES_BOUNDS; i++)
        if (option->standard && cs_same(option->standard, option->words[i]))
            return true;
    for (uint32_t i = 0; option->words[i]; i++)
        if (unused_is(check, given, option->words[i], CS_ANSWER_OTHER))
            return false;
    return true;
}

static bool unused_by_bounds(const struct cs_unused *check, const struct cs_given *given)
{
    const struct cs_option *option = given->option;
    const uint64_t bounds[] = {option->least, option->most};
    char text[32];

    for (size_t i = 0; i < 2 && check->tries == CS_TRIES_BOUNDS; i++) {
        snprintf(text, sizeof(text), option->type == CS_OPTION_BYTES ? "%lluB" : "%llu",
                 (unsigned long long)bounds[i]);
        if (bounds[i] && unused_is(check, given, text, CS_ANSWER_OTHER))
            return false;
    }
    return true;
}

bool cs_option_is_unused(const struct cs_unused *check, const struct cs_given *given)
{
    const struct cs_option *option = given->option;

    if (given->cleared || given->implied)
        return false;
    /* The default, stated. */
    if (option->standard && given->value && cs_same(given->value, option->standard))
        return false;
    /* Devices of a cluster have other names, so that the default is stated, too. */
    if (!unused_is(check, given, NULL, CS_ANSWER_SAME) &&
        !(option->standard && unused_is(check, given, option->standard, CS_ANSWER_SAME)))
        return false;
    switch (option->type) {
    case CS_OPTION_CHOICE:
        return unused_by_words(check, given);
    case CS_OPTION_COUNT:
    case CS_OPTION_NUMBER:
    case CS_OPTION_BYTES:
        return unused_by_bounds(check, given);
    default:
        return true;
    }
}

void cs_unused_print(const struct cs_cli *cli, const struct cs_text *notes)
{
    for (const char *line = cs_text_str(notes); *line; line += strcspn(line, "\n") + 1) {
        const char *at = strstr(line, " has no effect");
        int length = (int)strcspn(line, "\n");

        if (at && at < line + length)
            fprintf(cli->messages, "note: %.*s\n", length, line);
    }
}

static bool unused_is_of(const struct cs_option *table, const struct cs_option *option)
{
    for (; table && !cs_option_is_end(table); table++)
        if (table == option)
            return true;
    return false;
}

int cs_given_words(const struct cs_given *given, const char *value, char *argv[2],
                   struct cs_arena *arena)
{
    argv[0] = given->cleared ? cs_arena_text(arena, cs_options_negation(given->option, arena))
                             : cs_arena_printf(arena, "--%s", given->option->name);
    argv[1] = cs_arena_text(arena, value);
    return given->option->argument ? 2 : 1;
}

int cs_options_read_changed(struct cs_option_tables tables, const struct cs_option_log *log,
                            struct cs_option_change change, void *target)
{
    const struct cs_option_log *given = target;
    struct cs_err ignored = {0};
    int code = 0;

    for (uint32_t i = 0; i < log->count && !code; i++) {
        const struct cs_option *option = log->items[i].option;
        const char *value = &log->items[i] == change.given ? change.value : log->items[i].value;
        char *argv[2];

        if (!value || (!unused_is_of(tables.own, option) && !unused_is_of(tables.shared, option)))
            continue;
        code = cs_options_read(tables, cs_given_words(&log->items[i], value, argv, given->arena),
                               argv, target, &ignored);
    }
    return code;
}
