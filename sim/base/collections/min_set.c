#include "sim/base/collections/min_set.h"

#include <assert.h>

void cs_min_set_open(struct cs_min_set *set, uint32_t size, struct cs_arena *arena)
{
    uint32_t words = size;

    *set = (struct cs_min_set){0};
    do {
        words = words / 64 + 1;
        set->level[set->levels++] = cs_arena_alloc(arena, words, sizeof(uint64_t));
    } while (words > 1);
}

struct cs_min_set_taken cs_min_set_take(struct cs_min_set *set)
{
    struct cs_min_set_taken taken;
    uint32_t number = 0;

    assert(!cs_min_set_is_empty(set));
    for (uint32_t l = set->levels; l-- > 1;)
        number = number << 6 | (uint32_t)__builtin_ctzll(set->level[l][number]);
    taken.first = number << 6;
    taken.left = set->level[0][number];
    set->level[0][number] = 0;
    for (uint32_t l = 1; l < set->levels; l++) {
        uint64_t *word = &set->level[l][number >> (6 * l)];

        *word &= *word - 1;
        if (*word)
            break;
    }
    return taken;
}
