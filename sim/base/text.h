/*
 * Text: a growing string, and the nearest of some names.
 *
 * A struct cs_text that was zeroed is empty and valid.  `data` is NUL-ended
 * once anything was appended; the owner frees it with cs_text_free.
 */
#pragma once

#include "sim/base/scope.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_text {
    char *data;
    size_t length;
    size_t capacity;
};

void cs_text_add(struct cs_text *text, const char *more);
void cs_text_add_n(struct cs_text *text, const char *more, size_t length);
void cs_text_add_number(struct cs_text *text, uint64_t number);
void cs_text_printf(struct cs_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void cs_text_vprintf(struct cs_text *text, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
void cs_text_free(struct cs_text *text);
/* The text so far, "" when nothing was added; valid until the next call. */
const char *cs_text_str(const struct cs_text *text);

struct cs_arena;

/* A copy in the arena; frees the text. */
char *cs_text_keep(struct cs_text *text, struct cs_arena *arena);

/* Takes `before` and the whole number behind it, spaces between; false where *at has others. */
bool cs_text_take_number(const char **at, const char *before, uint32_t *number);

/* The name nearest to `word` (edits: insert, delete, replace, swap of two
 * neighbours), or NULL when every name is too different: at least one edit is
 * allowed, at most a third of the word's length; what differs by joints alone, as
 * "dgx1" from "dgx-1", comes first. Without a near name the search ignores case;
 * then `word` may be the unique prefix, three letters or longer and followed by a
 * letter, of a name. The first of equals. O(words x letters^2); words over 64
 * letters match by joints alone. */
const char *cs_nearest(const char *word, const char *const *names, size_t count);

/* The name that is one edit from `word`, or is `word`; NULL without one.  Words over 64
 * letters have none. */
const char *cs_slip(const char *word, const char *const *names, size_t count);

/* True when the two texts are equal. */
bool cs_same(const char *a, const char *b);

/* True when the last letters of the text are `end`. */
bool cs_ends_in(const char *text, const char *end);
