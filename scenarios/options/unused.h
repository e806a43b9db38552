/*
 * Options without effect: given, but the answer is that without them.
 *
 * The check compares: the option is left out, and set to its default, and the command
 * says whether its answer is the same.  What the user fixed to the value that it would
 * have anyway has an effect, which shows at other values.
 */
#pragma once

#include "scenarios/options/command.h"
#include "scenarios/options/options.h"

/* A given option, an item of the log or alone, with another value; NULL: left out. */
struct cs_option_change {
    const struct cs_given *given;
    const char *value;
};

/* Which other values are tried where the answer is the same without the option. */
enum cs_option_tries {
    CS_TRIES_WORDS,  /* those of a choice */
    CS_TRIES_BOUNDS, /* of a choice without a fixed default, and the bounds of numbers */
};

enum cs_option_answer {
    CS_ANSWER_SAME,
    CS_ANSWER_OTHER,
    CS_ANSWER_NONE, /* the command refuses the change */
};

struct cs_unused {
    /* The answer with the change, beside that of the command line. */
    enum cs_option_answer (*answer)(void *ctx, struct cs_option_change change);
    void *ctx;
    enum cs_option_tries tries;
};

bool cs_option_is_unused(const struct cs_unused *check, const struct cs_given *given);

/* Prints the notes of a run that name what has no effect: of commands that leave its other
 * notes out. */
void cs_unused_print(const struct cs_cli *cli, const struct cs_text *notes);

/* The words of the option with this value, in the arena; returns their number. */
int cs_given_words(const struct cs_given *given, const char *value, char *argv[2],
                   struct cs_arena *arena);

/* Reads the options of the log that the tables have again with the change into a target that
 * is as before any option. */
int cs_options_read_changed(struct cs_option_tables tables, const struct cs_option_log *log,
                            struct cs_option_change change, void *target);
