/*
 * An option: an entry of a table.
 *
 * An entry has the spelling of an option (name, letter, argument), its value (a
 * type with bounds and the place in a struct, or a function), the texts of help,
 * man page and completion, the commands with the option, the required and
 * excluded options, and the part in the key of a run.  A table ends with a zeroed
 * entry.  An entry without a name opens a group (CS_OPTION_GROUP).
 *
 * value.h reads and prints values by their type, options.h reads a command line.
 */
#pragma once

#include "scenarios/options/number.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stores the value (NULL for a flag) in `target`. */
typedef int cs_option_fn(void *target, const char *value, struct cs_err *err);

/* The i-th value in the target, as typed by the user; NULL after the last. */
typedef const char *cs_option_show_fn(const void *target, uint32_t i);

enum cs_option_type {
    CS_OPTION_SPECIAL, /* `set` reads and stores the value */
    CS_OPTION_FLAG,    /* no argument; stores `value`, or 1; taken back `least` */
    CS_OPTION_TEXT,    /* const char * */
    CS_OPTION_COUNT,   /* uint32_t or uint64_t, least to most */
    CS_OPTION_BYTES,   /* integers with a unit; most 0: no limit; `words`, if any, are
                          UINT64_MAX and the numbers below */
    CS_OPTION_TIME,    /* uint64_t, picoseconds, at least `least` */
    CS_OPTION_SECONDS, /* double; as CS_OPTION_TIME */
    CS_OPTION_NUMBER,  /* double, least to most, in units of `kind` */
    CS_OPTION_PERCENT, /* double, a share: "9" or "9%", least to most of a hundred */
    CS_OPTION_RATE,    /* double, bytes per second */
    CS_OPTION_CHOICE,  /* an enum: `least` for the first of `words`, and so on */
    CS_OPTION_WORDS,   /* struct cs_option_words: with commas, at most `most` */
    CS_OPTION_COUNTS,  /* struct cs_option_counts: each `least` to `most` */
};

/* The different values of a list, of which brackets hold one with commas. */
enum {
    CS_OPTION_LIST_MAX = 16
};
struct cs_option_words {
    const char *item[CS_OPTION_LIST_MAX];
    uint32_t count;
    const char *repeated; /* a value that was given twice; NULL: none */
};
struct cs_option_counts {
    uint32_t item[CS_OPTION_LIST_MAX];
    uint32_t count;
    const char *repeated;
};

/* Commands with options of options.def, as bits. */
enum cs_option_command {
    CS_FOR_RUN = 1,
    CS_FOR_EXPLAIN = 2,
    CS_FOR_CHECK = 4,
    CS_FOR_EXPORT = 8,
    CS_FOR_MEASURE = 16,
    CS_FOR_TOPO = 32,
    CS_FOR_TRAIN = 64,
    CS_FOR_COMPARE = 128,
    CS_FOR_TUNE = 256,
    CS_FOR_PLAN = 512,
    CS_FOR_SYNTH = 1024,
    /* Commands that run no algorithm of the user's. */
    CS_FOR_OTHERS =
        CS_FOR_TOPO | CS_FOR_TRAIN | CS_FOR_COMPARE | CS_FOR_TUNE | CS_FOR_PLAN | CS_FOR_SYNTH,
};

/* The part of an option in the key of a run in the database. */
enum cs_option_key {
    CS_KEY_NONE,      /* no effect on results, or a column in the record */
    CS_KEY_PARAMETER, /* printed among the run's parameters */
    CS_KEY_HIDDEN,    /* not printed */
    CS_KEY_OUTPUT,    /* the form or the place of the answer */
};

/* A second option, as "loss" or with a value "loss=drop"; and the reason. */
struct cs_option_rule {
    const char *other;
    const char *why;
};

enum {
    CS_OPTION_RULES = 2
};

/* What others call a word. */
struct cs_option_alias {
    const char *other, *word;
};

/* How an option without effect is found. */
enum cs_option_use {
    CS_USE_COMPARED, /* the answer is the same without it */
    CS_USE_ASKED,    /* never: the question, as the machine or the size, is what the user means */
    CS_USE_FORM,     /* never: where, how or by what work the same answer is given */
    CS_USE_RULED,    /* refused wherever it has none, by a rule of its own */
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
    bool positive;                     /* CS_OPTION_NUMBER: above 0 */
    const struct cs_number_kind *kind; /* of a number or count; NULL: of counts */
    /* Of CS_OPTION_CHOICE, and for the completion; up to a NULL. */
    const char *const *words;
    const struct cs_option_alias *aliases; /* other names of words; up to a NULL */

    const char *standard; /* the default, as help prints it; NULL: none */
    const char *more;     /* sentences for the man page and --help GROUP */
    /* For the completion of the shell: words, "@algorithms" for a listing, "file",
     * "dir"; with the prefix "list:" for several values with commas, "open:" if
     * text follows the word.  NULL: the words of a choice, or nothing. */
    const char *complete;
    const char *group; /* entry that opens a group: the group's name */

    unsigned commands; /* enum cs_option_command; in options.def only */
    bool needs_links;  /* no effect in models without links */
    bool for_library;  /* has an effect with --library, too */
    bool repeats;      /* may be given several times */
    enum cs_option_use use;
    bool for_replay; /* of train: has an effect on a replayed trace */
    bool expands;    /* stands for other options, which are read in its place */
    enum cs_option_key key;
    cs_option_show_fn *show; /* values for the key; NULL: by type, or as given */
    struct cs_option_rule requires;
    struct cs_option_rule excludes[CS_OPTION_RULES];
};

/* The place of a typed value in the target. */
#define CS_OPTION_AT(type_of_target, member) \
    .place = offsetof(type_of_target, member), .size = sizeof(((type_of_target *)0)->member)

/* Opens a group in a table: the options of the group follow. */
#define CS_OPTION_GROUP(name_of_group, about)      \
    {                                              \
        .group = (name_of_group), .help = (about), \
    }

static inline bool cs_option_is_end(const struct cs_option *option)
{
    return !option->name && !option->group;
}

/* The options on the command line, in order; those of a command have no `commands`.  Options that do not repeat
 * have a single item, with the last value. */
struct cs_given {
    const struct cs_option *option;
    const char *value; /* "" for a flag */
    bool cleared;      /* a flag taken back: "--no-negotiated" */
    bool implied;      /* by another option, not by the user */
    bool is_alone;     /* a word without the option's name */
};

struct cs_option_log {
    struct cs_arena *arena;
    struct cs_given *items;
    uint32_t count, room;
    bool implies; /* what is read now is implied by an option */
};
