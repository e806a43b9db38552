/*
 * Sets of small numbers with access to the minimum.
 *
 * A bit for each number, and above 64 numbers a summary bit for each word; levels
 * of summaries up to a single word.
 *
 *     add, take     O(log64 size), without branches that depend on the count
 *
 * Memory: size / 63 words of 64 bits, from the arena, and nothing else.
 */
#ifndef CS_SIM_BASE_COLLECTIONS_MIN_SET_H
#define CS_SIM_BASE_COLLECTIONS_MIN_SET_H

#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_MIN_SET_LEVELS = 6 /* 64^6: more than 32 bits */
};

struct cs_min_set {
    uint64_t *level[CS_MIN_SET_LEVELS]; /* [0]: the numbers themselves */
    uint32_t levels;
};

/* An empty set for numbers below `size`. */
void cs_min_set_open(struct cs_min_set *set, uint32_t size,
                     struct cs_arena *arena);

/* A number that is present may be added again, without effect. */
static inline void cs_min_set_add(struct cs_min_set *set, uint32_t number)
{
    uint32_t l;

    for (l = 0; l < set->levels; l++, number >>= 6)
        set->level[l][number >> 6] |= UINT64_C(1) << (number & 63);
}

static inline bool cs_min_set_is_empty(const struct cs_min_set *set)
{
    return *set->level[set->levels - 1] == 0;
}

/* Takes the least out of a set that is not empty. */
uint32_t cs_min_set_take(struct cs_min_set *set);

#endif
