/*
 * Numbers of few bytes: seven bits a byte, the least first; the highest bit says that
 * more follow.  No sequence is the begin of another, so that equal bytes are equal
 * numbers.
 *
 *     put, get   O(bytes), 1 to 10
 */
#pragma once

#include <stdint.h>

enum {
    CS_VARINT_BYTES = 10 /* of the longest */
};

/* Writes the number; the place behind it. */
static inline uint8_t *cs_varint_put(uint8_t *at, uint64_t value)
{
    for (; value > 127; value >>= 7)
        *at++ = (uint8_t)(value | 128);
    *at++ = (uint8_t)value;
    return at;
}

/* Reads the number, and steps behind it. */
static inline uint64_t cs_varint_get(const uint8_t **at)
{
    uint64_t value = *(*at)++;
    uint32_t shift = 7;

    if (value < 128)
        return value;
    for (value &= 127;; shift += 7) {
        uint64_t byte = *(*at)++;

        value |= (byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

/* Small numbers of both signs, modulo 2^64, as small numbers; and back. */
static inline uint64_t cs_varint_of_signed(uint64_t value)
{
    return value << 1 ^ -(value >> 63);
}

static inline uint64_t cs_varint_to_signed(uint64_t value)
{
    return value >> 1 ^ -(value & 1);
}
