#include "sim/base/collections/vector.h"

#include "sim/base/mem.h"

enum {
    FIRST_CAPACITY = 16
};

void *cs_vector_grow(void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    uint64_t wanted = *capacity ? *capacity : FIRST_CAPACITY;

    while (wanted < count)
        wanted *= 2;
    *capacity = wanted < UINT32_MAX ? (uint32_t)wanted : UINT32_MAX;
    return cs_grow(items, *capacity, size);
}
