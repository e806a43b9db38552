/*
 * Pools: numbered items with reuse, in an array of the caller.
 *
 *     if (cs_pool_is_full(&pool))
 *         items = cs_grow(items, cs_pool_enlarge(&pool), sizeof(*items));
 *     number = cs_pool_take(&pool, &items->next, sizeof(*items));
 *     ...
 *     cs_pool_give(&pool, number, &items[number].next);
 *
 * The pool keeps the numbers; unused items form a list through a field of the
 * item, which the caller names and may use otherwise while the item is taken.
 * Items do not move until the array grows, so a number is a lasting name and a
 * pointer is not.  The item given back last is taken first, as it is in the
 * cache.
 *
 *     take, give   O(1)
 *     enlarge      amortised O(1) per item; memory is kept
 *
 * A struct zeroed with {0} is an empty pool.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_pool {
    uint32_t count; /* items that were ever taken */
    uint32_t capacity;
    uint32_t unused; /* 1 + the first of the list; 0: none */
};

static inline bool cs_pool_is_full(const struct cs_pool *pool)
{
    return pool->unused == 0 && pool->count == pool->capacity;
}

/* Doubles the capacity and returns it; the caller enlarges the array. */
static inline uint32_t cs_pool_enlarge(struct cs_pool *pool)
{
    pool->capacity = pool->capacity ? 2 * pool->capacity : 64;
    return pool->capacity;
}

/* A number for an item.  `link` is the field of items[0], `size` that of an
 * item. */
static inline uint32_t cs_pool_take(struct cs_pool *pool, const uint32_t *link, size_t size)
{
    uint32_t number = pool->unused - 1;

    if (pool->unused == 0)
        return pool->count++;
    pool->unused = *(const uint32_t *)(const void *)((const char *)link + number * size);
    return number;
}

/* `link` is the field of the item itself. */
static inline void cs_pool_give(struct cs_pool *pool, uint32_t number, uint32_t *link)
{
    *link = pool->unused;
    pool->unused = number + 1;
}
