/*
 * Options: a table of flags, one setter each.
 *
 * A command has a table that ends with a zeroed entry, and a struct that the
 * setters fill.  `--name value` and `--name=value` are the same; a letter
 * ("-b") may stand for a name.  The table is also what --help prints.
 */
#ifndef CS_SCENARIOS_OPTIONS_H
#define CS_SCENARIOS_OPTIONS_H

#include "sim/base/err.h"
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

/* Reads argv[0 .. argc-1]; CS_EINPUT with the nearest name for an unknown
 * flag, a missing or unwanted value, or a word that is no flag. */
int cs_options_read(const struct cs_option *options, int argc, char **argv,
                    void *target, struct cs_err *err);

/* The same with two tables; `shared` may be NULL. */
struct cs_option_tables {
    const struct cs_option *shared;
    const struct cs_option *own;
};
int cs_options_read_both(struct cs_option_tables tables, int argc, char **argv,
                         void *target, struct cs_err *err);

/* Appends a line or two for each option; NULL has none. */
void cs_options_help(const struct cs_option *option, struct cs_text *out);

#endif
