/*
 * Order: queues of messages or receives by (source, destination, channel).
 *
 * Numbers, allocated by the caller, queue behind earlier numbers of the same key
 * until those end.  Different keys are independent.
 *
 *     begin, end   O(1) expected
 *
 * A hash table over the heads of the queues; a list behind each head.  No result
 * depends on the order in the table.  Memory O(greatest number), kept.
 */
#pragma once

#include <stdint.h>

enum {
    CS_ORDER_NONE = UINT32_MAX
};

struct cs_order_key {
    uint32_t src, dst, channel;
};

struct cs_order_entry {
    struct cs_order_key key;
    uint32_t chain; /* of a head: next head in the bucket */
    uint32_t after; /* next in the queue */
    uint32_t last;  /* of a head: tail of the queue */
};

struct cs_order {
    struct cs_order_entry *entries; /* by number */
    uint32_t *buckets;
    uint32_t room; /* entries and buckets; a power of two */
};

/* A struct zeroed with {0} is empty. */
void cs_order_free(struct cs_order *order);

/* Appends `number`: returns its predecessor in the queue, or CS_ORDER_NONE when
 * `number` is the head. */
uint32_t cs_order_begin(struct cs_order *order, struct cs_order_key key, uint32_t number);

/* The successor of `number`, which has not ended, or CS_ORDER_NONE. */
static inline uint32_t cs_order_after(const struct cs_order *order, uint32_t number)
{
    return order->entries[number].after;
}

/* Removes the head `number`: returns the new head, or CS_ORDER_NONE. */
uint32_t cs_order_end(struct cs_order *order, uint32_t number);

/* Removes `number` from any position: returns the new head if `number` was the
 * head, or CS_ORDER_NONE. O(predecessors). */
uint32_t cs_order_leave(struct cs_order *order, uint32_t number);
