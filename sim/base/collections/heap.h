/*
 * A heap of numbered items, the least key on top.
 *
 * Items are in the order of (key, tie), which the caller makes total.  A caller
 * who changes or removes items below the top gives `place`, an array for the
 * position of each number in the heap; otherwise `place` is NULL.
 *
 *     add, remove, change   O(log n); adding a greatest item O(1)
 *     order                 O(n), after keys were written or items appended
 *
 * The arrays, with sufficient room, are the caller's.
 */
#pragma once

#include <stdint.h>
#include <string.h>

enum {
    CS_HEAP_NOWHERE = UINT32_MAX
};

struct cs_heap_item {
    uint64_t key;
    uint64_t tie;
    uint32_t number;
    uint32_t kind; /* the caller's */
};

/* A number >= 0 as a key of equal order, and back. */
static inline uint64_t cs_heap_key(double number)
{
    uint64_t key;

    memcpy(&key, &number, sizeof(key));
    return key;
}

static inline double cs_heap_number(uint64_t key)
{
    double number;

    memcpy(&number, &key, sizeof(number));
    return number;
}

struct cs_heap {
    struct cs_heap_item *items; /* items[0] is the top */
    uint32_t count;
    uint32_t *place; /* number -> index in items, or CS_HEAP_NOWHERE; or NULL */
};

void cs_heap_add(struct cs_heap *heap, struct cs_heap_item item);

/* Takes out items[at]; `at` 0 is the top. */
void cs_heap_remove(struct cs_heap *heap, uint32_t at);

/* Gives items[at] another key. */
void cs_heap_change(struct cs_heap *heap, uint32_t at, uint64_t key);

/* Puts the items in order, whatever they were. */
void cs_heap_order(struct cs_heap *heap);
