#include "sim/base/utf8.h"

#include "tests/test.h"

enum {
    PLANE = 0x10000,
    PLANES = 17,
    SURROGATES = 0xE000 - 0xD800
};

/* The bytes of a code by the definition: six bits a byte behind the first. */
static uint32_t encode(uint32_t code, char text[5])
{
    uint32_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < PLANE ? 3 : 4;
    static const uint32_t leads[] = {0, 0x00, 0xC0, 0xE0, 0xF0};

    memset(text, 0, 5);
    for (uint32_t i = length; i-- > 1; code /= 64)
        text[i] = (char)(0x80 + code % 64);
    text[0] = (char)(leads[length] + code);
    return length;
}

TEST(every_character_is_read_as_it_is_encoded)
{
    char text[5];

    for (uint32_t code = 1; code < PLANES * PLANE; code++) {
        uint32_t length = encode(code, text);
        struct cs_utf8_char read = cs_utf8_first(text);
        bool surrogate = code >= 0xD800 && code < 0xD800 + SURROGATES;

        if (read.valid == surrogate || read.length != (surrogate ? 1 : length) ||
            read.code != (surrogate ? 0xFFFD : code))
            fail_msg("U+%04X is read as U+%04X of %u bytes", code, read.code, read.length);
    }
}

/* Of bytes in three nested loops: as many are a character as the standard has codes,
 * so that overlong forms and lone bytes are none. */
TEST(no_other_bytes_are_a_character)
{
    uint64_t valid[5] = {0};

    for (uint32_t n = 0; n < 1U << 24; n++) {
        const char text[] = {(char)(n >> 16), (char)(n >> 8), (char)n, 0};
        struct cs_utf8_char read = cs_utf8_first(text);

        if (read.valid)
            valid[read.length]++;
        else if (read.length != 1 || read.code != 0xFFFD)
            fail_msg("%06X is no character of %u bytes", n, read.length);
    }
    assert_int_equal(valid[0], PLANE);
    assert_int_equal(valid[1], 0x7F * PLANE);
    assert_int_equal(valid[2], (0x800 - 0x80) * 0x100);
    assert_int_equal(valid[3], PLANE - 0x800 - SURROGATES);
    assert_int_equal(valid[4], 0);
    for (uint32_t n = 0; n < 1U << 24; n++) {
        const char text[] = {(char)(0xF0 + (n >> 20)), (char)(n >> 12),
                             (char)(0x80 + (n >> 6) % 64), (char)(0x80 + n % 64), 0};

        valid[4] += cs_utf8_first(text).valid;
    }
    assert_int_equal(valid[4], (PLANES - 1) * PLANE);
}

TEST(a_text_that_ends_within_a_character_is_read_to_its_end_only)
{
    static const uint32_t codes[] = {0x80, 0x7FF, 0x800, 0xFFFD, 0x10000, 0x10FFFF};
    char text[5], cut[10];

    assert_true(cs_utf8_first("").valid);
    assert_int_equal(cs_utf8_first("").code, 0);
    assert_int_equal(cs_utf8_first("").length, 0);
    for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
        uint32_t length = encode(codes[i], text);

        for (uint32_t kept = 1; kept < length; kept++) {
            /* Behind the end stands what would complete the character. */
            memset(cut, 0, sizeof(cut));
            memcpy(cut, text, kept);
            memcpy(cut + kept + 1, text + kept, length - kept);
            assert_false(cs_utf8_first(cut).valid);
            assert_int_equal(cs_utf8_first(cut).length, 1);
        }
    }
}
