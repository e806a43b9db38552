#include "sim/base/collections/heap.h"

#include <assert.h>
#include <stdbool.h>

enum {
    ARITY = 4
};

static bool heap_before(const struct cs_heap_item *a, const struct cs_heap_item *b)
{
    return a->key != b->key ? a->key < b->key : a->tie < b->tie;
}

static void collections_heap_put(struct cs_heap *heap, uint32_t at, struct cs_heap_item item)
{
    heap->items[at] = item;
    if (heap->place)
        heap->place[item.number] = at;
}

static void heap_rise(struct cs_heap *heap, uint32_t at, struct cs_heap_item item)
{
    while (at > 0 && heap_before(&item, &heap->items[(at - 1) / ARITY])) {
        collections_heap_put(heap, at, heap->items[(at - 1) / ARITY]);
        at = (at - 1) / ARITY;
    }
    collections_heap_put(heap, at, item);
}

/* The least of the up to four children from `first` on. */
static uint32_t least_child(const struct cs_heap *heap, uint32_t first)
{
    uint32_t end = first + ARITY;
    uint32_t least = first;

    if (end > heap->count)
        end = heap->count;
    for (uint32_t i = first + 1; i < end; i++)
        if (heap_before(&heap->items[i], &heap->items[least]))
            least = i;
    return least;
}

static void heap_sink(struct cs_heap *heap, uint32_t at, struct cs_heap_item item)
{
    while (ARITY * (uint64_t)at + 1 < heap->count) {
        uint32_t child = least_child(heap, ARITY * at + 1);

        if (!heap_before(&heap->items[child], &item))
            break;
        collections_heap_put(heap, at, heap->items[child]);
        at = child;
    }
    collections_heap_put(heap, at, item);
}

void cs_heap_add(struct cs_heap *heap, struct cs_heap_item item)
{
    heap_rise(heap, heap->count++, item);
}

/* Puts the item where it belongs, from the hole at `at` up or down. */
static void heap_settle(struct cs_heap *heap, uint32_t at, struct cs_heap_item item)
{
    if (at > 0 && heap_before(&item, &heap->items[(at - 1) / ARITY]))
        heap_rise(heap, at, item);
    else
        heap_sink(heap, at, item);
}

void cs_heap_remove(struct cs_heap *heap, uint32_t at)
{
    struct cs_heap_item last = heap->items[heap->count - 1];

    assert(at < heap->count);
    if (heap->place)
        heap->place[heap->items[at].number] = CS_HEAP_NOWHERE;
    heap->count--;
    if (at < heap->count)
        heap_settle(heap, at, last);
}

void cs_heap_change(struct cs_heap *heap, uint32_t at, uint64_t key)
{
    struct cs_heap_item item = heap->items[at];

    assert(at < heap->count);
    item.key = key;
    heap_settle(heap, at, item);
}

void cs_heap_order(struct cs_heap *heap)
{
    if (heap->place)
        for (uint32_t i = 0; i < heap->count; i++)
            heap->place[heap->items[i].number] = i;
    if (heap->count < 2)
        return;
    for (uint32_t i = (heap->count - 2) / ARITY + 1; i-- > 0;)
        heap_sink(heap, i, heap->items[i]);
}
