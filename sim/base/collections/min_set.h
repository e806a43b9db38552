/*
 * Sets of small numbers, taken out in order.
 *
 * A bit for each number, and above 64 numbers a summary bit for each word; levels
 * of summaries up to a single word.
 *
 *     add          O(1) beside a number of the same word, else O(log64 size)
 *     next         O(1) within a word, O(log64 size) for the next one
 *
 * Memory: size / 63 words of 64 bits, from the arena, and nothing else.
 */
#pragma once

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
void cs_min_set_open(struct cs_min_set *set, uint32_t size, struct cs_arena *arena);

/* A number that is present may be added again, without effect. */
static inline void cs_min_set_add(struct cs_min_set *set, uint32_t number)
{
    for (uint32_t l = 0; l < set->levels; l++, number >>= 6) {
        uint64_t *word = &set->level[l][number >> 6];
        uint64_t others = *word;

        *word |= UINT64_C(1) << (number & 63);
        if (others)
            return;
    }
}

static inline bool cs_min_set_is_empty(const struct cs_min_set *set)
{
    return *set->level[set->levels - 1] == 0;
}

/* Numbers taken out of a set together: a bit for each from `first` on. */
struct cs_min_set_taken {
    uint64_t left;
    uint32_t first;
};

/* Takes the least word out of a set that is not empty. */
struct cs_min_set_taken cs_min_set_take(struct cs_min_set *set);

/* The least of the numbers taken, or where none is left of the next ones; false when
 * the set is empty, too.  A number added meanwhile comes behind those taken. */
static inline bool cs_min_set_next(struct cs_min_set *set, struct cs_min_set_taken *taken,
                                   uint32_t *number)
{
    if (!taken->left) {
        if (cs_min_set_is_empty(set))
            return false;
        *taken = cs_min_set_take(set);
    }
    *number = taken->first + (uint32_t)__builtin_ctzll(taken->left);
    taken->left &= taken->left - 1;
    return true;
}
