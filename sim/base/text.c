#include "sim/base/text.h"

#include "sim/base/mem.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEAREST_LETTERS = 64,
    SHORT_LETTERS = 3
};

/* Room for `more` bytes and the NUL; doubles, so that adding is amortised. */
static void text_reserve(struct cs_text *text, size_t more)
{
    size_t needed = text->length + more + 1;

    if (needed <= text->capacity)
        return;
    if (needed < 2 * text->capacity)
        needed = 2 * text->capacity;
    if (needed < 64)
        needed = 64;
    text->data = cs_grow(text->data, needed, 1);
    text->capacity = needed;
}

void cs_text_add_n(struct cs_text *text, const char *more, size_t length)
{
    text_reserve(text, length);
    if (length > 0)
        memcpy(text->data + text->length, more, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void cs_text_add(struct cs_text *text, const char *more)
{
    cs_text_add_n(text, more, strlen(more));
}

void cs_text_vprintf(struct cs_text *text, const char *format, va_list args)
{
    size_t room = text->capacity - text->length; /* 0 at first */
    va_list again;
    int length;

    va_copy(again, args);
    length = vsnprintf(room ? text->data + text->length : NULL, room, format, args);
    if (length >= 0 && (size_t)length >= room) {
        text_reserve(text, (size_t)length);
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    }
    text->length += length > 0 ? (size_t)length : 0;
    va_end(again);
}

void cs_text_add_number(struct cs_text *text, uint64_t number)
{
    char digits[20];
    size_t at = sizeof(digits);

    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    cs_text_add_n(text, digits + at, sizeof(digits) - at);
}

void cs_text_printf(struct cs_text *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cs_text_vprintf(text, format, args);
    va_end(args);
}

void cs_text_free(struct cs_text *text)
{
    free(text->data);
    *text = (struct cs_text){0};
}

const char *cs_text_str(const struct cs_text *text)
{
    return text->data ? text->data : "";
}

char *cs_text_keep(struct cs_text *text, struct cs_arena *arena)
{
    char *kept = cs_arena_text(arena, cs_text_str(text));

    cs_text_free(text);
    return kept;
}

bool cs_text_take_number(const char **at, const char *before, uint32_t *number)
{
    size_t length = strlen(before);
    unsigned long value;
    const char *digits;
    char *end;

    if (strncmp(*at, before, length) != 0)
        return false;
    digits = *at + length + strspn(*at + length, " ");
    if (!isdigit((unsigned char)*digits))
        return false;
    value = strtoul(digits, &end, 10);
    *at = end;
    *number = (uint32_t)value;
    return value <= UINT32_MAX;
}

static size_t text_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * Edits from one word to another: insert, delete, replace, swap of two
 * neighbours (optimal string alignment).  Both have at most NEAREST_LETTERS
 * letters.  Three rows of the usual table are alive at a time.
 */
static size_t text_edits(const char *a, const char *b)
{
    size_t rows[3][NEAREST_LETTERS + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    size_t columns = strlen(b);

    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t *oldest = before;

        before = above;
        above = row;
        row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t replace = above[j - 1] + (a[i - 1] != b[j - 1]);

            row[j] = text_least(replace, text_least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = text_least(row[j], before[j - 2] + 1);
        }
    }
    return row[columns];
}

static void text_fold(char *folded, const char *word)
{
    do {
        bool upper = *word >= 'A' && *word <= 'Z';

        *folded++ = (char)(upper ? *word - 'A' + 'a' : *word);
    } while (*word++);
}

/* As text_edits(), with capitals and small letters the same. */
static size_t folded_edits(const char *a, const char *b)
{
    char folded_a[NEAREST_LETTERS + 1], folded_b[NEAREST_LETTERS + 1];

    text_fold(folded_a, a);
    text_fold(folded_b, b);
    return text_edits(folded_a, folded_b);
}

static const char *nearest_by(size_t (*distance)(const char *, const char *), size_t allowed,
                              const char *word, const char *const *names, size_t count)
{
    size_t length = strlen(word);
    size_t best = allowed + 1;
    const char *nearest = NULL;

    for (size_t i = 0; i < count; i++) {
        size_t letters = strlen(names[i]), far;

        /* The difference in length is a lower bound of the edits. */
        if (letters > NEAREST_LETTERS || letters > length + allowed || length > letters + allowed)
            continue;
        far = distance(word, names[i]);
        /* A name that has no letter in common was not meant. */
        if (far < best && (far == 0 || far < (letters > length ? letters : length))) {
            best = far;
            nearest = names[i];
        }
    }
    return nearest;
}

/* The unique name with the word as prefix: "expo" for "exponential", but not
 * "reduce" for "reduce-scatter"; NULL for no name or several. */
static const char *short_for(const char *word, const char *const *names, size_t count)
{
    size_t length = strlen(word);
    const char *found = NULL;

    for (size_t i = 0; i < count && length >= SHORT_LETTERS; i++) {
        if (strncmp(word, names[i], length) != 0 || !isalpha((unsigned char)names[i][length]))
            continue;
        if (found)
            return NULL;
        found = names[i];
    }
    return found;
}

/* "dgx1" and "DGX 1" are "dgx-1" but for what joins their parts. */
static bool same_parts(const char *a, const char *b)
{
    static const char joints[] = "-_ ";

    do {
        a += strspn(a, joints);
        b += strspn(b, joints);
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    } while (*a++ && *b++);
    return true;
}

const char *cs_nearest(const char *word, const char *const *names, size_t count)
{
    size_t length = strlen(word);
    size_t allowed = length / 3 > 1 ? length / 3 : 1;
    const char *nearest = NULL;

    for (size_t i = 0; i < count; i++)
        if (cs_same(word, names[i]))
            return names[i];
    for (size_t i = 0; i < count; i++)
        if (same_parts(word, names[i]))
            return names[i];
    if (length <= NEAREST_LETTERS) {
        nearest = nearest_by(text_edits, allowed, word, names, count);
        if (!nearest)
            nearest = nearest_by(folded_edits, allowed, word, names, count);
        if (!nearest)
            nearest = short_for(word, names, count);
    }
    return nearest;
}

const char *cs_slip(const char *word, const char *const *names, size_t count)
{
    return strlen(word) <= NEAREST_LETTERS ? nearest_by(text_edits, 1, word, names, count) : NULL;
}

bool cs_same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

bool cs_ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);

    return length >= end_length && cs_same(text + length - end_length, end);
}
