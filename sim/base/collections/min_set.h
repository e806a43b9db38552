/*
 * Sets of small numbers that give the least first.
 *
 * A bit for each number, and above 64 of them a bit that one of them is set;
 * so on, up to one word.
 *
 *     add, take     O(log64 size), without branches that depend on the count
 *
 * Memory: size / 63 words of 64 bits, from the arena.  Nothing else is
 * allocated.
 */
#ifndef CS_SIM_BASE_COLLECTIONS_MIN_SET_H
#define CS_SIM_BASE_COLLECTIONS_MIN_SET_H

#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_LEAST_LEVELS = 6 /* 64^6: more than 32 bits */
};

struct cs_least {
    uint64_t *level[CS_LEAST_LEVELS]; /* [0]: the numbers themselves */
    uint32_t levels;
};

/* An empty set for numbers below `size`. */
void cs_least_open(struct cs_least *set, uint32_t size, struct cs_arena *arena);

/* Adding what is there changes nothing. */
static inline void cs_least_add(struct cs_least *set, uint32_t number)
{
    uint32_t l;

    for (l = 0; l < set->levels; l++, number >>= 6)
        set->level[l][number >> 6] |= UINT64_C(1) << (number & 63);
}

static inline bool cs_least_is_empty(const struct cs_least *set)
{
    return *set->level[set->levels - 1] == 0;
}

/* Takes the least out of a set that is not empty. */
uint32_t cs_least_take(struct cs_least *set);

#endif
