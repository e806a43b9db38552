#include "sim/base/collections/min_set.h"

#include <assert.h>

void cs_min_set_open(struct cs_min_set *set, uint32_t size,
                     struct cs_arena *arena)
{
    uint32_t words = size;

    *set = (struct cs_min_set){0};
    do {
        words = words / 64 + 1;
        set->level[set->levels++] =
            cs_arena_alloc(arena, words, sizeof(uint64_t));
    } while (words > 1);
}

uint32_t cs_min_set_take(struct cs_min_set *set)
{
    uint32_t number = 0;
    uint32_t l;

    assert(!cs_min_set_is_empty(set));
    for (l = set->levels; l-- > 0;)
        number = number << 6 | (uint32_t)__builtin_ctzll(set->level[l][number]);
    for (l = 0; l < set->levels; l++) {
        uint64_t *word = &set->level[l][number >> (6 * l) >> 6];

        *word &= *word - 1;
        if (*word)
            break;
    }
    return number;
}
