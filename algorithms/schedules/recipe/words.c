#include "algorithms/schedules/recipe/words.h"

#include "sim/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const signs[] = {"**", "==", "!=", "<=", ">=", "<<", ">>", "..", "+",
                                    "-",  "*",  "/",  "%",  "^",  "&",  "|",  "<",  ">",
                                    "(",  ")",  ",",  ";",  ":",  "=",  NULL};

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A name may have hyphens in the head, which has no subtraction. */
static size_t word_length(const char *at, const char *end, enum cs_word_kind *kind)
{
    size_t length = 0;

    if (isdigit((unsigned char)*at))
        *kind = CS_WORD_NUMBER;
    else if (is_name_char(*at))
        *kind = CS_WORD_NAME;
    else
        *kind = CS_WORD_SIGN;
    if (*kind == CS_WORD_SIGN) {
        for (size_t i = 0; signs[i]; i++) {
            length = strlen(signs[i]);
            if (length <= (size_t)(end - at) && memcmp(at, signs[i], length) == 0)
                return length;
        }
        return 0;
    }
    while (at + length < end && is_name_char(at[length]))
        length++;
    return length;
}

static int word_number(struct cs_word_reader *reader, struct cs_word *word)
{
    for (const char *at = word->text; *at; at++) {
        if (!isdigit((unsigned char)*at))
            return cs_err_at(reader->err, CS_EINPUT, reader->file, reader->line,
                             "'%s' is not a number; expected digits, or a name that begins with "
                             "a letter",
                             word->text);
        if (__builtin_mul_overflow(word->number, 10, &word->number) ||
            __builtin_add_overflow(word->number, *at - '0', &word->number))
            return cs_err_at(reader->err, CS_EINPUT, reader->file, reader->line,
                             "'%s' is beyond 64 bits", word->text);
    }
    return 0;
}

static int word_add(struct cs_word_reader *reader, const char *at, const char *end, size_t *length)
{
    struct cs_word *word = &reader->words[reader->count];

    *word = (struct cs_word){0};
    *length = word_length(at, end, &word->kind);
    if (*length == 0)
        return cs_err_at(reader->err, CS_EINPUT, reader->file, reader->line,
                         isprint((unsigned char)*at)
                             ? "'%c' has no meaning here; expected names, numbers, operators"
                             : "byte 0x%02x; expected text",
                         (unsigned char)*at);
    if (*length >= sizeof(word->text))
        return cs_err_at(reader->err, CS_EINPUT, reader->file, reader->line,
                         "'%.30s...' is too long for a word", at);
    if (++reader->count > CS_WORDS_MAX)
        return cs_err_at(reader->err, CS_EINPUT, reader->file, reader->line, "more than %d words",
                         CS_WORDS_MAX);
    memcpy(word->text, at, *length);
    return word->kind == CS_WORD_NUMBER ? word_number(reader, word) : 0;
}

int cs_words_cut(struct cs_word_reader *reader, const char *at, const char *end)
{
    enum {
        TAB = 8
    };

    reader->indent = reader->count = reader->at = 0;
    for (; at < end && (*at == ' ' || *at == '\t'); at++)
        reader->indent = *at == ' ' ? reader->indent + 1 : (reader->indent / TAB + 1) * TAB;
    while (at < end && *at != '#') {
        size_t length = 1;

        if (*at != ' ' && *at != '\t' && *at != '\r') {
            int code = word_add(reader, at, end, &length);

            if (code)
                return code;
        }
        at += length;
    }
    reader->words[reader->count] = (struct cs_word){.kind = CS_WORD_END, .text = "end of line"};
    return 0;
}

bool cs_word_is(const struct cs_word_reader *reader, const char *text)
{
    const struct cs_word *word = cs_word_next(reader);

    return word->kind != CS_WORD_END && cs_same(word->text, text);
}

bool cs_word_take(struct cs_word_reader *reader, const char *text)
{
    bool taken = cs_word_is(reader, text);

    reader->at += taken;
    return taken;
}

int cs_word_complain(const struct cs_word_reader *reader, const char *wanted)
{
    return cs_err_at(reader->err, CS_EINPUT, reader->file, reader->line, "'%s'; expected %s",
                     cs_word_next(reader)->text, wanted);
}

int cs_word_expect(struct cs_word_reader *reader, const char *text)
{
    char wanted[48];

    if (cs_word_take(reader, text))
        return 0;
    (void)snprintf(wanted, sizeof(wanted), "'%s'", text);
    return cs_word_complain(reader, wanted);
}

uint32_t cs_name_find(const struct cs_word_reader *reader, const char *name)
{
    uint32_t slot = 0;

    while (slot < reader->name_count && !cs_same(reader->names[slot], name))
        slot++;
    return slot;
}

int cs_name_define(struct cs_word_reader *reader, const char *name, uint32_t *slot)
{
    *slot = cs_name_find(reader, name);
    if (*slot < CS_RECIPE_OWN && *slot < reader->name_count)
        return cs_err_at(reader->err, CS_EINPUT, reader->file, reader->line,
                         "'%s' is given by the call; expected another name", name);
    if (*slot < reader->name_count)
        return 0;
    if (reader->name_count + 1 >= CS_RECIPE_NAMES_MAX)
        return cs_err_at(reader->err, CS_EINPUT, reader->file, reader->line, "more than %d names",
                         CS_RECIPE_NAMES_MAX);
    reader->names[reader->name_count++] = cs_arena_text(reader->arena, name);
    return 0;
}
