#include "algorithms/schedules/goal_words.h"

#include "sim/base/text.h"
#include "sim/base/units.h"

#include <stdio.h>
#include <string.h>

int cs_goal_unexpected(const struct cs_goal_words *words, const char *expected)
{
    if (words->word[0] == '\0')
        return cs_err_at(words->err, CS_EINPUT, words->file, words->word_line,
                         "unexpected end of file; expected %s", expected);
    return cs_err_at(words->err, CS_EINPUT, words->file, words->word_line,
                     "'%s'; expected %s", words->word, expected);
}

/* Includes - and ., for labels such as a-1.b and for the number -1. */
static bool goal_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

bool cs_goal_is_name(const struct cs_goal_words *words)
{
    return goal_is_letter(words->word[0]);
}

/* An unterminated comment extends to the end of the text. */
static bool goal_skip_comment(struct cs_goal_words *words)
{
    size_t left = (size_t)(words->end - words->at);

    if (left < 2 || words->at[0] != '/')
        return false;
    if (words->at[1] == '/') {
        while (words->at < words->end && *words->at != '\n')
            words->at++;
        return true;
    }
    if (words->at[1] != '*')
        return false;
    for (words->at += 2; words->at < words->end; words->at++) {
        if (*words->at == '\n')
            words->line++;
        if (*words->at == '*' && words->at + 1 < words->end &&
            words->at[1] == '/') {
            words->at += 2;
            break;
        }
    }
    return true;
}

static void goal_skip_space(struct cs_goal_words *words)
{
    while (words->at < words->end) {
        if (*words->at == '\n')
            words->line++;
        if (strchr(" \t\r\n", *words->at) && *words->at)
            words->at++;
        else if (!goal_skip_comment(words))
            return;
    }
}

int cs_goal_advance(struct cs_goal_words *words)
{
    size_t length = 0;

    goal_skip_space(words);
    words->word_line = words->line;
    while (words->at + length < words->end && goal_is_letter(words->at[length]))
        length++;
    if (length == 0 && words->at < words->end)
        length = 1;
    if (length >= CS_GOAL_WORD_MAX)
        return cs_err_at(words->err, CS_EINPUT, words->file, words->line,
                         "word longer than %d characters",
                         CS_GOAL_WORD_MAX - 1);
    memcpy(words->word, words->at, length);
    words->word[length] = '\0';
    if (length && words->word[0] == '\0')
        return cs_err_at(words->err, CS_EINPUT, words->file, words->line,
                         "not a text file: contains a zero byte");
    words->at += length;
    return 0;
}

bool cs_goal_is(const struct cs_goal_words *words, const char *word)
{
    return cs_same(words->word, word);
}

int cs_goal_want(struct cs_goal_words *words, const char *word)
{
    char expected[CS_GOAL_WORD_MAX];

    snprintf(expected, sizeof(expected), "'%.40s'", word);
    return cs_goal_is(words, word) ? cs_goal_advance(words)
                                   : cs_goal_unexpected(words, expected);
}

/* The message names the word of the file, not the digits without suffix. */
static int goal_take_number(struct cs_goal_words *words, const char *text,
                            const char *what, uint64_t most, uint64_t *number)
{
    struct cs_err why = {0};

    if (cs_units_count(text, 0, most, number, &why))
        return cs_goal_unexpected(words, what);
    return cs_goal_advance(words);
}

int cs_goal_want_number(struct cs_goal_words *words, const char *what,
                        uint64_t most, uint64_t *number)
{
    return goal_take_number(words, words->word, what, most, number);
}

int cs_goal_want_bytes(struct cs_goal_words *words, uint64_t most,
                       uint64_t *bytes)
{
    static const char what[] = "a number of bytes, as in 64b";
    char digits[CS_GOAL_WORD_MAX];
    size_t length = strlen(words->word);

    if (length == 0 || words->word[length - 1] != 'b')
        return cs_goal_unexpected(words, what);
    memcpy(digits, words->word, length);
    digits[length - 1] = '\0';
    return goal_take_number(words, digits, what, most, bytes);
}
