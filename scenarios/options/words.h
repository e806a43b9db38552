/*
 * Words in the value of an option: lists between commas, and unknown names.
 *
 *     each     O(length of the list)
 *     refuse   O(names times length)
 */
#pragma once

#include "scenarios/options/option.h"
#include "sim/base/text.h"

/* Calls `take` for every word between commas; CS_EINPUT for an empty word.  A word
 * with commas is in brackets.  The words are in the arena. */
struct cs_option_list {
    struct cs_arena *arena;
    cs_option_fn *take;
    void *target;
};
int cs_options_each(struct cs_option_list list, const char *words, struct cs_err *err);

/* CS_EINPUT: "no model called 'fifa'; did you mean 'fifo'?" */
struct cs_option_names {
    const char *what; /* "model" */
    const char *const *names;
    size_t count;
};
int cs_options_refuse(struct cs_option_names known, const char *value, struct cs_err *err);

/* ---- shells ---- */

/* Appends a blank and the word, in quotes where a shell needs them. */
void cs_shell_add(struct cs_text *out, const char *word);
