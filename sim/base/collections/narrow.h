/*
 * Many numbers that are mostly small, kept in one, two or four bytes each: as many as the
 * greatest of them needs.  Read-only.
 *
 *     of    O(count)
 *     get   O(1)
 */
#pragma once

#include "sim/base/mem.h"

#include <stdint.h>

struct cs_narrow {
    uint32_t bytes; /* of a number */
    uint32_t numbers[];
};

static inline uint32_t cs_narrow_get(const struct cs_narrow *narrow, uint32_t i)
{
    if (narrow->bytes == 1)
        return ((const uint8_t *)narrow->numbers)[i];
    return narrow->bytes == 2 ? ((const uint16_t *)narrow->numbers)[i] : narrow->numbers[i];
}

/* A copy of the numbers, in the arena. */
static inline struct cs_narrow *cs_narrow_of(const uint32_t *numbers, uint32_t count,
                                             struct cs_arena *arena)
{
    uint32_t all = 0, bytes;
    struct cs_narrow *narrow;

    for (uint32_t i = 0; i < count; i++)
        all |= numbers[i];
    bytes = all > UINT16_MAX ? 4 : 1 + (all > UINT8_MAX);
    narrow = cs_arena_alloc(arena, 1, sizeof(*narrow) + (size_t)count * bytes);
    narrow->bytes = bytes;
    for (uint32_t i = 0; i < count; i++) {
        if (bytes == 1)
            ((uint8_t *)narrow->numbers)[i] = (uint8_t)numbers[i];
        else if (bytes == 2)
            ((uint16_t *)narrow->numbers)[i] = (uint16_t)numbers[i];
        else
            narrow->numbers[i] = numbers[i];
    }
    return narrow;
}
