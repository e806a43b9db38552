/*
 * Options: one entry each, from which everything else is read.
 *
 * An entry says how the option is written (name, letter, argument), what its
 * value is (a type, bounds and the place in a struct, or a function), what
 * help, man page and completion print, which commands and models take it, what
 * it requires and excludes, and whether it is part of a run's key.
 *
 * Options of one command stand in the command's file; options that describe a
 * run stand in options.def.  A table ends with a zeroed entry.  An entry
 * without a name opens a group (see CS_OPTION_GROUP).
 *
 * `--name value` and `--name=value` are equal; a letter ("-b") is an
 * abbreviation.
 */
#ifndef CS_SCENARIOS_OPTIONS_OPTIONS_H
#define CS_SCENARIOS_OPTIONS_OPTIONS_H

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stddef.h>
#include <stdint.h>

/* Takes the value (NULL for a flag) into `target`. */
typedef int cs_option_fn(void *target, const char *value, struct cs_err *err);

/* The i-th value that the target holds, as text in the user's words; NULL behind
 * the last. */
typedef const char *cs_option_show_fn(const void *target, uint32_t i);

enum cs_option_type {
    CS_OPTION_SPECIAL, /* `set` reads and stores the value */
    CS_OPTION_FLAG,    /* no argument; stores `value`, or 1 */
    CS_OPTION_TEXT,    /* const char * */
    CS_OPTION_COUNT,   /* uint32_t or uint64_t, least to most */
    CS_OPTION_BYTES,   /* the same, with a unit; most 0: no limit */
    CS_OPTION_TIME,    /* uint64_t, picoseconds, at least `least` */
    CS_OPTION_RATE,    /* double, bytes per second */
    CS_OPTION_CHOICE, /* an enum: `least` for the first of `words`, and so on */
};

/* Commands that take options of options.def, as bits. */
enum cs_option_command {
    CS_FOR_RUN = 1,
    CS_FOR_EXPLAIN = 2,
    CS_FOR_CHECK = 4,
    CS_FOR_EXPORT = 8,
    CS_FOR_MEASURE = 16,
    CS_FOR_TOPO = 32,
};

/* How an option belongs to the key of a run in the database. */
enum cs_option_key {
    CS_KEY_NONE,      /* changes no result, or has a column of its own */
    CS_KEY_PARAMETER, /* printed among the run's parameters */
    CS_KEY_HIDDEN,    /* changes what is known of a run, not printed */
};

/* Another option, as "loss" or with a value "loss=drop"; and the reason. */
struct cs_option_rule {
    const char *other;
    const char *why;
};

enum {
    CS_OPTION_RULES = 2
};

struct cs_option {
    const char *name;     /* "topo", as in --topo */
    char letter;          /* 'b', as in -b; 0: none */
    const char *argument; /* "MACHINE" in the help; NULL: a flag */
    const char *help;     /* a phrase: one line where possible */
    cs_option_fn *set;    /* CS_OPTION_SPECIAL */

    enum cs_option_type type;
    size_t place, size; /* of the value in the target; see CS_OPTION_AT */
    uint64_t least, most, value;
    const char *const *words; /* CS_OPTION_CHOICE; up to a NULL */

    const char *standard; /* the default, as help prints it; NULL: none */
    const char *more;     /* sentences for the man page and --help GROUP */
    /* What the shell completes: words, "@algorithms" for a listing, "file",
     * "dir"; in front of them "list:" for several with commas, "open:" where
     * more follows.  NULL: the words of a choice, or nothing. */
    const char *complete;
    const char *group; /* of an entry that opens a group: its name */

    unsigned commands; /* enum cs_option_command; in options.def only */
    bool needs_links;  /* no effect in models without links */
    bool repeats;      /* may be given several times */
    enum cs_option_key key;
    cs_option_show_fn
        *show; /* values for the key; NULL: by type, or as given */
    struct cs_option_rule requires;
    struct cs_option_rule excludes[CS_OPTION_RULES];
};

/* Where a typed value stands. */
#define CS_OPTION_AT(type_of_target, member)   \
    .place = offsetof(type_of_target, member), \
    .size = sizeof(((type_of_target *)0)->member)

/* Opens a group in a table: its options follow. */
#define CS_OPTION_GROUP(name_of_group, about)      \
    {                                              \
        .group = (name_of_group), .help = (about), \
    }

static inline bool cs_option_is_end(const struct cs_option *option)
{
    return !option->name && !option->group;
}

/* What the user gave of the shared options, in the order of the command line.
 * An option that does not repeat stands here once, with the last value. */
struct cs_given {
    const struct cs_option *option;
    const char *value; /* "" for a flag */
};

struct cs_option_log {
    struct cs_arena *arena;
    struct cs_given *items;
    uint32_t count, room;
};

/* What a command takes: its own options, and of a shared table those whose
 * `commands` have its bit.  Either table may be NULL.  The target of shared
 * options begins with a struct cs_option_log; the log's arena may not be NULL. */
struct cs_option_tables {
    const struct cs_option *own;
    const struct cs_option *shared;
    enum cs_option_command command;
};

/* Whether the command takes that shared option; an own one of the same name
 * replaces it. */
bool cs_options_takes(struct cs_option_tables tables,
                      const struct cs_option *shared);

/* Reads argv[0 .. argc-1]; CS_EINPUT with the nearest name for an unknown
 * option, a missing or unwanted value, an option of other commands, or a word
 * that is not an option. */
int cs_options_read(struct cs_option_tables tables, int argc, char **argv,
                    void *target, struct cs_err *err);

/* The value that was given, "" for a flag; NULL: not given. */
const char *cs_options_given(const struct cs_option_log *log, const char *name);

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

#endif
