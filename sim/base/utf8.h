/*
 * UTF-8: text of unknown origin, one character at a time.
 *
 * Names of machines come from users and files; for arbitrary bytes the functions
 * return characters and never read past the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_utf8_char {
    uint32_t code;   /* U+FFFD where the bytes are not UTF-8 */
    uint32_t length; /* bytes it takes, at least 1; 0 at the end of the text */
    bool valid;
};

/* The first character of a text that ends in NUL.  Overlong forms, halves of
 * surrogates and codes above U+10FFFF are not valid; an invalid byte is one
 * character. */
struct cs_utf8_char cs_utf8_first(const char *text);

/* Length of a byte order mark at the start of a text of the given length
 * (without final NUL): 3, or 0 if absent. Editors of Windows write byte order
 * marks. */
size_t cs_utf8_mark(const char *text, size_t length);

/* Columns that a terminal gives the text: 0 for combining marks, 2 for wide
 * East Asian characters, otherwise 1. */
size_t cs_utf8_width(const char *text);

/* True for C0, DEL and C1: what must not reach a terminal or a file format
 * unescaped. */
bool cs_utf8_is_control(uint32_t code);
