/*
 * Values of options by their type: reading, printing, comparing.
 *
 * A value stands at option->place of a target and has option->size bytes.
 */
#pragma once

#include "scenarios/options/words.h"

/* Reads `text` into the target; CS_EINPUT for an invalid value or a value out of
 * bounds. */
int cs_option_store(const struct cs_option *option, void *target, const char *text,
                    struct cs_err *err);

/* Takes a flag back. */
void cs_option_clear(const struct cs_option *option, void *target);

/* Reads "8", "8k" and the like as a whole number in the bounds of the option. */
int cs_option_count(const struct cs_option *option, const char *text, uint64_t *count,
                    struct cs_err *err);

/* Whether the target has the value of the flag. */
bool cs_option_is_set(const struct cs_option *option, const void *target);

bool cs_option_equal(const struct cs_option *option, const void *a, const void *b);

/* Copies the value from one target to another. */
void cs_option_copy(const struct cs_option *option, const void *from, void *to);

/*
 * Calls `take` for the options with this part in the key, if the value in the
 * target differs from the default in `standard`; in the order of the table, once
 * per value of an option that repeats.  The target begins with a struct
 * cs_option_log.
 */
struct cs_option_visit {
    void (*take)(void *ctx, const struct cs_option *option, const char *value);
    void *ctx;
};
struct cs_option_values {
    const struct cs_option *table;
    const void *target;
    const void *standard;
};
void cs_options_each_of_key(struct cs_option_values values, enum cs_option_key key,
                            struct cs_option_visit visit);
