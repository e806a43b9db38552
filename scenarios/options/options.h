/*
 * Options: a table of flags, one setter each.
 *
 * A command has a table that ends with a zeroed entry, and a struct that the
 * setters fill.  `--name value` and `--name=value` are the same; a letter
 * ("-b") may stand for a name.  The table is also what --help prints.
 */
#ifndef CS_SCENARIOS_OPTIONS_OPTIONS_H
#define CS_SCENARIOS_OPTIONS_OPTIONS_H

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

/* Takes the value (NULL for a flag without one) into `target`. */
typedef int cs_option_fn(void *target, const char *value, struct cs_err *err);

struct cs_option {
    const char *name;     /* "topo", as in --topo */
    char letter;          /* 'b', as in -b; 0 for none */
    const char *argument; /* "MACHINE" in the help; NULL: takes no value */
    const char *help;
    cs_option_fn *set;
};

/* Options that are told together: the first group of a command fits a screen,
 * the others are told on demand, as --help NAME. */
struct cs_option_group {
    const char *name;
    const char *about; /* one line */
    const struct cs_option *options;
};

/* What a command takes: its own, and groups up to a NULL, but of these not the
 * options named in `refuses`, up to a NULL: they mean nothing there.  Any of the
 * three may be NULL. */
struct cs_option_tables {
    const struct cs_option *own;
    const struct cs_option_group *const *groups;
    const char *const *refuses;
};

/* Reads argv[0 .. argc-1]; CS_EINPUT with the nearest name for an unknown
 * flag, a missing or unwanted value, a refused option or a word that is no flag. */
int cs_options_read(struct cs_option_tables tables, int argc, char **argv,
                    void *target, struct cs_err *err);

/* Calls `take` for each word between commas; the words are in the arena, and
 * an empty one is CS_EINPUT. */
struct cs_option_list {
    struct cs_arena *arena;
    cs_option_fn *take;
    void *target;
};
int cs_options_each(struct cs_option_list list, const char *words,
                    struct cs_err *err);

/* CS_EINPUT: "no model called 'fifa'; did you mean 'fifo'?" */
struct cs_option_names {
    const char *what; /* "model" */
    const char *const *names;
    size_t count;
};
int cs_options_refuse(struct cs_option_names known, const char *value,
                      struct cs_err *err);

/* Appends a line or two for each option but those of the names in `without`, up
 * to a NULL; either may be NULL. */
void cs_options_help(const struct cs_option *option, const char *const *without,
                     struct cs_text *out);

#endif
