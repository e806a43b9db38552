#include "sim/engine/order.h"

#include "sim/base/hash.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    FIRST_ROOM = 64
};

void cs_order_free(struct cs_order *order)
{
    free(order->entries);
    free(order->buckets);
    *order = (struct cs_order){0};
}

static bool order_is_same(struct cs_order_key a, struct cs_order_key b)
{
    return a.src == b.src && a.dst == b.dst && a.channel == b.channel;
}

static uint32_t *bucket_of(const struct cs_order *order, struct cs_order_key key)
{
    uint64_t hash = cs_hash_mix(cs_hash_mix(0, key.src), key.dst);

    hash = cs_hash_mix(hash, key.channel);
    return &order->buckets[cs_hash_slot(hash) & (order->room - 1)];
}

static void order_enter(struct cs_order *order, uint32_t number)
{
    uint32_t *bucket = bucket_of(order, order->entries[number].key);

    order->entries[number].chain = *bucket;
    *bucket = number;
}

static void order_make_room(struct cs_order *order, uint32_t number)
{
    const uint32_t *old = order->buckets;
    uint32_t old_room = order->room;
    uint32_t room = old_room ? old_room : FIRST_ROOM;

    while (room <= number)
        room *= 2;
    order->room = room;
    order->entries = cs_grow(order->entries, room, sizeof(*order->entries));
    order->buckets = cs_grow(NULL, room, sizeof(*order->buckets));
    for (uint32_t i = 0; i < room; i++)
        order->buckets[i] = CS_ORDER_NONE;
    for (uint32_t i = 0; i < old_room; i++) {
        uint32_t at = old[i];

        while (at != CS_ORDER_NONE) {
            uint32_t chain = order->entries[at].chain;

            order_enter(order, at);
            at = chain;
        }
    }
    free((void *)old);
}

/* The head of the queue of the key, or CS_ORDER_NONE. */
static uint32_t turn_of(const struct cs_order *order, struct cs_order_key key)
{
    uint32_t turn = *bucket_of(order, key);

    while (turn != CS_ORDER_NONE && !order_is_same(order->entries[turn].key, key))
        turn = order->entries[turn].chain;
    return turn;
}

uint32_t cs_order_begin(struct cs_order *order, struct cs_order_key key, uint32_t number)
{
    struct cs_order_entry *entry;
    uint32_t turn;
    uint32_t before;

    if (number >= order->room)
        order_make_room(order, number);
    entry = &order->entries[number];
    *entry = (struct cs_order_entry){.key = key, .after = CS_ORDER_NONE, .last = number};
    turn = turn_of(order, key);
    if (turn == CS_ORDER_NONE) {
        order_enter(order, number);
        return CS_ORDER_NONE;
    }
    before = order->entries[turn].last;
    order->entries[before].after = number;
    order->entries[turn].last = number;
    return before;
}

uint32_t cs_order_end(struct cs_order *order, uint32_t number)
{
    const struct cs_order_entry *entry = &order->entries[number];
    uint32_t *link = bucket_of(order, entry->key);
    uint32_t after = entry->after;

    while (*link != number)
        link = &order->entries[*link].chain;
    *link = entry->chain;
    if (after != CS_ORDER_NONE) {
        order->entries[after].last = entry->last;
        order_enter(order, after);
    }
    return after;
}

uint32_t cs_order_leave(struct cs_order *order, uint32_t number)
{
    const struct cs_order_entry *entry = &order->entries[number];
    uint32_t turn = turn_of(order, entry->key);
    uint32_t before = turn;

    if (turn == number)
        return cs_order_end(order, number);
    while (order->entries[before].after != number)
        before = order->entries[before].after;
    order->entries[before].after = entry->after;
    if (order->entries[turn].last == number)
        order->entries[turn].last = before;
    return CS_ORDER_NONE;
}
