/*
 * Words of a recipe: the tokens of a line, and expressions as terms.
 *
 * Expressions end at the first word that cannot continue them, so that `0 0 send` are
 * two numbers and a word.  Errors are CS_EINPUT, "file:line: what, expected".
 */
#pragma once

#include "algorithms/schedules/recipe/recipe.h"

enum {
    CS_WORDS_MAX = 512 /* of a line */
};

enum cs_word_kind {
    CS_WORD_END,
    CS_WORD_NAME,
    CS_WORD_NUMBER,
    CS_WORD_SIGN,
};

struct cs_word {
    enum cs_word_kind kind;
    char text[40];
    int64_t number;
};

struct cs_word_reader {
    const char *file;
    uint32_t line;
    struct cs_err *err;
    uint32_t indent;
    uint32_t count, at;
    struct cs_word words[CS_WORDS_MAX + 1]; /* the last is the end */
    /* Names by slot, and the terms of all expressions. */
    const char *names[CS_RECIPE_NAMES_MAX];
    uint32_t name_count;
    struct cs_recipe_term *terms;
    uint32_t term_count, term_room;
    struct cs_arena *arena;
    bool reads_bytes;
};

/* Cuts a line into words; an empty line has none. */
int cs_words_cut(struct cs_word_reader *reader, const char *at, const char *end);

static inline const struct cs_word *cs_word_next(const struct cs_word_reader *reader)
{
    return &reader->words[reader->at];
}

/* Whether the next word is the text; cs_word_take() then moves behind it. */
bool cs_word_is(const struct cs_word_reader *reader, const char *text);
bool cs_word_take(struct cs_word_reader *reader, const char *text);

/* Moves behind the text, or says what was expected. */
int cs_word_expect(struct cs_word_reader *reader, const char *text);

/* "'found'; expected WANTED" of the next word. */
int cs_word_complain(const struct cs_word_reader *reader, const char *wanted);

/* The slot of a name, or `name_count`; and a new one, or that of before. */
uint32_t cs_name_find(const struct cs_word_reader *reader, const char *name);
int cs_name_define(struct cs_word_reader *reader, const char *name, uint32_t *slot);

int cs_expression_read(struct cs_word_reader *reader, struct cs_recipe_expression *x);
