/*
 * Growing arrays: a common rule of growth for arrays of the caller.
 *
 *     *CS_VECTOR_NEXT(items, count, capacity) = item;
 *
 * The capacity doubles, so that n items cost O(n) copies in total, and capacity
 * is kept: a loop that reuses its array allocates nothing in the steady state.
 * New room is not zeroed.  The caller frees the array with free().
 */
#pragma once

#include "sim/base/mem.h"

#include <stdint.h>

/* The array, moved, with a capacity of at least `count`. */
void *cs_vector_grow(void *items, uint32_t count, uint32_t *capacity, size_t size);

/* The same where the capacity may suffice. */
static inline void *cs_vector_room(void *items, uint32_t count, uint32_t *capacity, size_t size)
{
    return count <= *capacity ? items : cs_vector_grow(items, count, capacity, size);
}

/* The same for an array in an arena, which is not freed; the room is zeroed. */
void *cs_vector_room_in(struct cs_arena *arena, void *items, uint32_t count, uint32_t *capacity,
                        size_t size);

/* The item behind the last of an array, counted, with room for it. */
#define CS_VECTOR_NEXT(items, count, capacity)                                      \
    ((items) = cs_vector_room((items), (count) + 1, &(capacity), sizeof(*(items))), \
     &(items)[(count)++])
#define CS_VECTOR_NEXT_IN(arena, items, count, capacity)                                        \
    ((items) = cs_vector_room_in((arena), (items), (count) + 1, &(capacity), sizeof(*(items))), \
     &(items)[(count)++])
