#include "sim/base/collections/vector.h"

#include <string.h>

enum {
    FIRST_CAPACITY = 16
};

static uint32_t vector_capacity(uint32_t count, uint32_t capacity)
{
    uint64_t wanted = capacity ? capacity : FIRST_CAPACITY;

    while (wanted < count)
        wanted *= 2;
    return wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX;
}

void *cs_vector_grow(void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    *capacity = vector_capacity(count, *capacity);
    return cs_grow(items, *capacity, size);
}

void *cs_vector_room_in(struct cs_arena *arena, void *items, uint32_t count, uint32_t *capacity,
                        size_t size)
{
    uint32_t old = *capacity;
    void *grown;

    if (count <= old)
        return items;
    *capacity = vector_capacity(count, old);
    grown = cs_arena_alloc(arena, *capacity, size);
    if (old)
        memcpy(grown, items, old * size);
    return grown;
}
