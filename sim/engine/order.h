/*
 * Order: whose turn it is among things of one (source, destination, channel).
 *
 * Numbers, which are the caller's, queue up behind those of the same key that
 * came before and have not ended.  Different keys know nothing of each other.
 *
 *     begin, end   O(1) expected
 *
 * A hash table over the numbers whose turn it is; a list behind each of them.
 * Nothing depends on the order in the table.  Memory O(greatest number), kept.
 */
#ifndef CS_SIM_ENGINE_ORDER_H
#define CS_SIM_ENGINE_ORDER_H

#include <stdint.h>

enum {
    CS_ORDER_NONE = UINT32_MAX
};

struct cs_order_key {
    uint32_t src, dst, channel;
};

struct cs_order_entry {
    struct cs_order_key key;
    uint32_t chain; /* next in the same bucket; of whose turn it is */
    uint32_t after; /* who has to wait for this one */
    uint32_t last;  /* of all that wait; of whose turn it is */
};

struct cs_order {
    struct cs_order_entry *entries; /* by number */
    uint32_t *buckets;
    uint32_t room; /* entries and buckets; a power of two */
};

/* A struct zeroed with {0} is empty. */
void cs_order_free(struct cs_order *order);

/* `number` joins: the one it queues up behind, or CS_ORDER_NONE if it is its
 * turn at once. */
uint32_t cs_order_begin(struct cs_order *order, struct cs_order_key key,
                        uint32_t number);

/* Who queues up right behind `number`, which has not ended, or CS_ORDER_NONE. */
static inline uint32_t cs_order_after(const struct cs_order *order,
                                      uint32_t number)
{
    return order->entries[number].after;
}

/* `number`, whose turn it was, is through: whose turn it is now, or
 * CS_ORDER_NONE. */
uint32_t cs_order_end(struct cs_order *order, uint32_t number);

/* `number` gives up, whether it is its turn or not: whose turn it is now, if it
 * was its turn, or CS_ORDER_NONE.  O(those before it). */
uint32_t cs_order_leave(struct cs_order *order, uint32_t number);

#endif
