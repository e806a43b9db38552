/*
 * UTF-8: see utf8.h.
 */
#include "sim/base/utf8.h"

#include <string.h>

#define REPLACEMENT 0xFFFDU

static bool is_tail(unsigned char byte)
{
    return (byte & 0xC0U) == 0x80U;
}

/* The bits of a lead byte and how many bytes follow; 0 for no lead byte. */
static uint32_t utf8_lead(unsigned char byte, uint32_t *bits)
{
    if (byte >= 0xC2 && byte <= 0xDF) {
        *bits = byte & 0x1FU;
        return 1;
    }
    if ((byte & 0xF0U) == 0xE0U) {
        *bits = byte & 0x0FU;
        return 2;
    }
    if (byte >= 0xF0 && byte <= 0xF4) {
        *bits = byte & 0x07U;
        return 3;
    }
    return 0;
}

static bool is_scalar(uint32_t code, uint32_t tail)
{
    if (tail == 2)
        return code >= 0x800 && (code < 0xD800 || code > 0xDFFF);
    if (tail == 3)
        return code >= 0x10000 && code <= 0x10FFFF;
    return true;
}

struct cs_utf8_char cs_utf8_first(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    struct cs_utf8_char bad = {REPLACEMENT, 1, false};
    uint32_t code = 0;
    uint32_t tail;

    if (bytes[0] == 0)
        return (struct cs_utf8_char){0, 0, true};
    if (bytes[0] < 0x80)
        return (struct cs_utf8_char){bytes[0], 1, true};
    tail = utf8_lead(bytes[0], &code);
    if (tail == 0)
        return bad;
    for (uint32_t i = 1; i <= tail; i++) {
        if (!is_tail(bytes[i])) /* the NUL at the end is no tail either */
            return bad;
        code = code << 6 | (bytes[i] & 0x3FU);
    }
    if (!is_scalar(code, tail))
        return bad;
    return (struct cs_utf8_char){code, tail + 1, true};
}

bool cs_utf8_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code <= 0x9F);
}

/* Unicode's East Asian Width W and F, to the block: names of machines are
 * seldom written in anything finer. */
static bool utf8_is_wide(uint32_t code)
{
    return (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
           (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
           (code >= 0xFE30 && code <= 0xFE6F) || (code >= 0xFF00 && code <= 0xFF60) ||
           (code >= 0x1F300 && code <= 0x1FAFF) || (code >= 0x20000 && code <= 0x3FFFD);
}

static bool is_combining(uint32_t code)
{
    return (code >= 0x300 && code <= 0x36F) || (code >= 0x200B && code <= 0x200D) ||
           (code >= 0x20D0 && code <= 0x20FF) || (code >= 0xFE00 && code <= 0xFE0F);
}

size_t cs_utf8_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

size_t cs_utf8_width(const char *text)
{
    struct cs_utf8_char c;
    size_t width = 0;

    for (c = cs_utf8_first(text); c.length != 0; c = cs_utf8_first(text)) {
        if (utf8_is_wide(c.code))
            width += 2;
        else if (!is_combining(c.code))
            width += 1;
        text += c.length;
    }
    return width;
}
