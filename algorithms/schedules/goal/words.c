#include "algorithms/schedules/goal/words.h"

#include <stdio.h>

int cs_goal_unexpected(const struct cs_goal_words *words, const char *expected)
{
    const char *file = words->stream->file;

    if (words->length == 0)
        return cs_err_at(words->err, CS_EINPUT, file, words->word_line,
                         "unexpected end of file; expected %s", expected);
    return cs_err_at(words->err, CS_EINPUT, file, words->word_line, "'%.*s'; expected %s",
                     (int)words->length, words->word, expected);
}

/* A bit per character: digits, letters and _, and - and . for labels such as
 * a-1.b and for the number -1. */
static bool goal_is_letter(char c)
{
    static const uint64_t letters[4] = {0x03ff600000000000, 0x07fffffe87fffffe};
    unsigned char byte = (unsigned char)c;

    return letters[byte >> 6] >> (byte & 63) & 1;
}

bool cs_goal_is_name(const struct cs_goal_words *words)
{
    return words->length > 0 && goal_is_letter(words->word[0]);
}

/* ---- space ---- */

/* A comment to the end of the line, which stays, or to the end mark.  An
 * unterminated comment extends to the end of the text. */
static int goal_skip_comment(struct cs_goal_words *words)
{
    struct cs_stream *stream = words->stream;
    bool is_line = stream->at[1] == '/';
    int code = 0;

    for (stream->at += 2; !code; stream->at++) {
        code = cs_stream_more(stream, 2, words->err);
        if (code || stream->at == stream->end)
            return code;
        if (*stream->at == '\n') {
            if (is_line)
                return 0;
            words->line++;
        }
        if (!is_line && stream->at[0] == '*' && stream->at[1] == '/') {
            stream->at += 2;
            return 0;
        }
    }
    return code;
}

/* Up to the first byte of a word, or the end of the text. */
static int goal_skip_space(struct cs_goal_words *words)
{
    struct cs_stream *stream = words->stream;
    int code = 0;

    while (!code) {
        char c = *stream->at;

        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            words->line += c == '\n';
            stream->at++;
        } else if (c == '/') {
            code = cs_stream_more(stream, 2, words->err);
            if (stream->at[1] != '/' && stream->at[1] != '*')
                return code;
            if (!code)
                code = goal_skip_comment(words);
        } else if (stream->at < stream->end) {
            return 0;
        } else {
            code = cs_stream_more(stream, 1, words->err);
            if (stream->at == stream->end)
                return code;
        }
    }
    return code;
}

/* ---- words ---- */

/* The length of the run of letters at `at`, which may end with the window. */
static uint32_t goal_run(const struct cs_goal_words *words)
{
    const char *at = words->stream->at;
    uint32_t length = 0;

    while (length <= CS_GOAL_WORD_MAX && goal_is_letter(at[length]))
        length++;
    return length;
}

int cs_goal_advance(struct cs_goal_words *words)
{
    struct cs_stream *stream = words->stream;
    int code = goal_skip_space(words);

    words->word_line = words->line;
    words->length = goal_run(words);
    if (!code && stream->at + words->length == stream->end) {
        code = cs_stream_more(stream, CS_GOAL_WORD_MAX + 1, words->err);
        words->length = goal_run(words);
    }
    if (!code && words->length > CS_GOAL_WORD_MAX)
        code = cs_err_at(words->err, CS_EINPUT, stream->file, words->line,
                         "word longer than %d characters", CS_GOAL_WORD_MAX);
    if (words->length == 0 && stream->at < stream->end)
        words->length = 1;
    if (!code && words->length == 1 && *stream->at == '\0')
        code = cs_err_at(words->err, CS_EINPUT, stream->file, words->line,
                         "not a text file: contains a zero byte");
    words->word = stream->at;
    stream->at += words->length;
    return code;
}

int cs_goal_want(struct cs_goal_words *words, const char *word)
{
    char expected[CS_GOAL_WORD_MAX];

    if (cs_goal_is(words, word))
        return cs_goal_advance(words);
    snprintf(expected, sizeof(expected), "'%.40s'", word);
    return cs_goal_unexpected(words, expected);
}

/* ---- numbers ---- */

/* Reads `length` digits; 19 digits fit in 64 bits. */
static int goal_take_number(struct cs_goal_words *words, uint32_t length, const char *what,
                            uint64_t most, uint64_t *number)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < length; i++) {
        if (words->word[i] < '0' || words->word[i] > '9')
            return cs_goal_unexpected(words, what);
        value = 10 * value + (uint64_t)(words->word[i] - '0');
    }
    if (length == 0 || length > 19 || value > most)
        return cs_goal_unexpected(words, what);
    *number = value;
    return cs_goal_advance(words);
}

int cs_goal_want_number(struct cs_goal_words *words, const char *what, uint64_t most,
                        uint64_t *number)
{
    return goal_take_number(words, words->length, what, most, number);
}

int cs_goal_want_bytes(struct cs_goal_words *words, uint64_t most, uint64_t *bytes)
{
    static const char what[] = "a number of bytes, as in 64b";

    if (words->length == 0 || words->word[words->length - 1] != 'b')
        return cs_goal_unexpected(words, what);
    return goal_take_number(words, words->length - 1, what, most, bytes);
}
