/*
 * Options: the reader of a command line.
 *
 * The options of a single command are in the file of the command, the options
 * that describe a run in options.def; option.h describes an entry.
 *
 * `--name value` and `--name=value` are equal; a letter ("-b") is an
 * abbreviation.  `--no-name` takes back a flag of the command.
 */
#pragma once

#include "scenarios/options/option.h"
#include "scenarios/options/words.h"

/* The options of a command: a table of the command, a table of another command whose
 * options the command takes as well, and the entries of a shared table with the
 * command's bit.  Each table may be NULL; the first entry of a name counts.  The
 * target of shared options begins with a struct cs_option_log, whose arena may not
 * be NULL. */
struct cs_option_tables {
    const struct cs_option *own;
    const struct cs_option *also;
    const struct cs_option *shared;
    enum cs_option_command command;
    /* The option whose value a word without option is; NULL: no command line has any. */
    const char *(*alone)(const char *word);
    /* Takes a list with commas where the option has one number; NULL: refused. */
    int (*list)(void *target, const struct cs_option *option, const char *value,
                struct cs_err *err);
};

/* Whether the command has the shared option; an own option of the same name
 * replaces a shared option. */
bool cs_options_takes(struct cs_option_tables tables, const struct cs_option *shared);

/* Of struct cs_option_tables: a word alone is the value of --log. */
const char *cs_options_log(const char *word);

/* Whether a word of a command line is the option, with a value or without. */
bool cs_options_is(const struct cs_option *option, const char *word);

/* "--no-negotiated" takes back --negotiated, "--overlap" takes back --no-overlap. */
const char *cs_options_negation(const struct cs_option *option, struct cs_arena *arena);

/* Whether a word of a command line is an option of the tables; --jobs is taken, without
 * effect, where no table has it.  *name is what the option is called here, if another
 * command has it by that name; or NULL. */
bool cs_options_know(struct cs_option_tables tables, const char *word, const char **name);

/* The words of a command line but the options of the output (CS_KEY_OUTPUT). */
const char *cs_options_request(struct cs_option_tables tables, int argc, char **argv,
                               struct cs_arena *arena);

/* Reads argv[0 .. argc-1]: `--size 1GiB`, `--size=1GiB`, `-s 1GiB`, `-s1GiB`.
 * CS_EINPUT for an unknown option (with the nearest
 * name), a missing or superfluous value, an option of other commands, or a word
 * that is not an option. */
int cs_options_read(struct cs_option_tables tables, int argc, char **argv, void *target,
                    struct cs_err *err);

/* Whether the text is a list where the option has a number. */
bool cs_options_is_list(const struct cs_option *option, const char *value);

/* The given value of a shared option, "" for a flag; NULL: not given. */
const char *cs_options_given(const struct cs_option_log *log, const char *name);
