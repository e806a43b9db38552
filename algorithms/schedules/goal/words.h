/*
 * GOAL words: a GOAL text as words and numbers.
 *
 * A word is a run of letters, digits, `_`, `-` and `.`, or a single other
 * character.  White space and C comments separate words.  The scanner holds
 * the next word; its length is 0 at the end of the text.  The word is in the
 * window of the stream and valid until the next advance.
 *
 * Functions return 0 and advance, or CS_EINPUT with "file:line: ...".
 * cs_goal_advance() must be called before the first word is used.
 *
 *     advance   O(characters of the word and the space before)
 */
#pragma once

#include "sim/base/stream.h"

#include <stdbool.h>
#include <string.h>

enum {
    CS_GOAL_WORD_MAX = 63
};

struct cs_goal_words {
    struct cs_stream *stream;
    uint32_t line; /* of the text behind the word, from 1 */
    const char *word;
    uint32_t length;
    uint32_t word_line;
    struct cs_err *err;
};

int cs_goal_advance(struct cs_goal_words *words);

static inline bool cs_goal_is(const struct cs_goal_words *words, const char *word)
{
    size_t length = strlen(word);

    return words->length == length && memcmp(words->word, word, length) == 0;
}

/* Whether the word is an identifier or a number rather than punctuation. */
bool cs_goal_is_name(const struct cs_goal_words *words);

/* CS_EINPUT: the word in quotes, or the end of the file, and `expected`. */
int cs_goal_unexpected(const struct cs_goal_words *words, const char *expected);

/* Skips a required word. */
int cs_goal_want(struct cs_goal_words *words, const char *word);

/* Reads a whole number up to `most`; `what` describes the number in the
 * message. */
int cs_goal_want_number(struct cs_goal_words *words, const char *what, uint64_t most,
                        uint64_t *number);

/* Reads a size: a whole number with the suffix b, as in "64b". */
int cs_goal_want_bytes(struct cs_goal_words *words, uint64_t most, uint64_t *bytes);
