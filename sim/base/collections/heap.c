#include "sim/base/collections/heap.h"

#include <assert.h>
#include <stdbool.h>

enum {
    ARITY = 4
};

static bool before(const struct cs_heap_item *a, const struct cs_heap_item *b)
{
    return a->key != b->key ? a->key < b->key : a->tie < b->tie;
}

static void put(struct cs_heap *heap, uint32_t at, struct cs_heap_item item)
{
    heap->items[at] = item;
    if (heap->place)
        heap->place[item.number] = at;
}

static void rise(struct cs_heap *heap, uint32_t at, struct cs_heap_item item)
{
    while (at > 0 && before(&item, &heap->items[(at - 1) / ARITY])) {
        put(heap, at, heap->items[(at - 1) / ARITY]);
        at = (at - 1) / ARITY;
    }
    put(heap, at, item);
}

/* The least of the up to four children from `first` on. */
static uint32_t least_child(const struct cs_heap *heap, uint32_t first)
{
    uint32_t end = first + ARITY;
    uint32_t least = first;
    uint32_t i;

    if (end > heap->count)
        end = heap->count;
    for (i = first + 1; i < end; i++)
        if (before(&heap->items[i], &heap->items[least]))
            least = i;
    return least;
}

static void sink(struct cs_heap *heap, uint32_t at, struct cs_heap_item item)
{
    while (ARITY * (uint64_t)at + 1 < heap->count) {
        uint32_t child = least_child(heap, ARITY * at + 1);

        if (!before(&heap->items[child], &item))
            break;
        put(heap, at, heap->items[child]);
        at = child;
    }
    put(heap, at, item);
}

void cs_heap_add(struct cs_heap *heap, struct cs_heap_item item)
{
    rise(heap, heap->count++, item);
}

/* Puts the item where it belongs, from the hole at `at` up or down. */
static void settle(struct cs_heap *heap, uint32_t at, struct cs_heap_item item)
{
    if (at > 0 && before(&item, &heap->items[(at - 1) / ARITY]))
        rise(heap, at, item);
    else
        sink(heap, at, item);
}

void cs_heap_remove(struct cs_heap *heap, uint32_t at)
{
    struct cs_heap_item last = heap->items[heap->count - 1];

    assert(at < heap->count);
    if (heap->place)
        heap->place[heap->items[at].number] = CS_HEAP_NOWHERE;
    heap->count--;
    if (at < heap->count)
        settle(heap, at, last);
}

void cs_heap_change(struct cs_heap *heap, uint32_t at, uint64_t key)
{
    struct cs_heap_item item = heap->items[at];

    assert(at < heap->count);
    item.key = key;
    settle(heap, at, item);
}

void cs_heap_order(struct cs_heap *heap)
{
    uint32_t i;

    if (heap->place)
        for (i = 0; i < heap->count; i++)
            heap->place[heap->items[i].number] = i;
    if (heap->count < 2)
        return;
    for (i = (heap->count - 2) / ARITY + 1; i-- > 0;)
        sink(heap, i, heap->items[i]);
}
