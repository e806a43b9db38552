/*
 * Matching: the receive of each message.
 *
 * Messages match in order per (source, destination, channel), as MPI does without
 * tags and wildcards.  Receives and messages are numbers of the caller's.  For
 * one (source, destination, channel) only messages or only receives wait.
 *
 *     post, arrive   O(1) expected
 *     first          O(most that ever waited); for error messages
 *
 * A hash table with open addressing over the (source, destination, channel) for
 * which a number waits, and a list behind the first number.  No result depends on
 * the order in the table.  Memory O(most that ever waited), kept: nothing is
 * allocated in the long run.
 *
 * Most lanes hear from one source at a time.  With cs_mailbox_give_slots() each
 * (destination, channel) has a slot of its own, for the source that finds it empty,
 * and the table serves the rest.  Higher channels share slots: channels modulo their
 * count.
 */
#pragma once

#include "sim/base/collections/pool.h"
#include "sim/base/mem.h"

enum {
    CS_WAITS = 4, /* named in an error message behind the first */
    CS_NONE = UINT32_MAX
};

/* Messages and receives of equal keys match. */
struct cs_mail_key {
    uint32_t dst;
    uint32_t src;
    uint32_t channel;
};

enum cs_mail_kind {
    CS_MAIL_NONE,
    CS_MAIL_RECEIVES,
    CS_MAIL_MESSAGES,
};

/* The queue of one key; 32 bytes, two to a cache line. */
struct cs_mail {
    struct cs_mail_key key;
    uint32_t kind;        /* enum cs_mail_kind; CS_MAIL_NONE: an empty slot */
    uint32_t number;      /* the first */
    uint32_t first, last; /* list behind the first number, or CS_NONE */
    union {
        uint32_t hash;      /* of the key, in the table */
        uint32_t elsewhere; /* of an own slot: its keys that are in the table */
    };
};

/* Receives of one number one behind the other share an entry. */
struct cs_mail_behind {
    uint32_t number, count;
    uint32_t next;
};

struct cs_mailbox {
    struct cs_mail *own; /* by destination and channel, below `channels` */
    uint32_t own_count, channels;
    struct cs_mail *slots;
    uint32_t slot_room, slot_count; /* room: a power of two */
    struct cs_mail_behind *behind;
    struct cs_pool pool; /* of behind */
};

void cs_mailbox_init(struct cs_mailbox *box);
void cs_mailbox_free(struct cs_mailbox *box);

/* Own slots for `parties` destinations and `channels` channels, in the arena. */
void cs_mailbox_give_slots(struct cs_mailbox *box, uint32_t parties, uint32_t channels,
                           struct cs_arena *arena);

/* All slots, empty ones too: of 0 .. cs_mailbox_room() - 1. */
static inline uint32_t cs_mailbox_room(const struct cs_mailbox *box)
{
    return box->own_count + box->slot_room;
}

static inline const struct cs_mail *cs_mailbox_at(const struct cs_mailbox *box, uint32_t slot)
{
    return slot < box->own_count ? &box->own[slot] : &box->slots[slot - box->own_count];
}

/* The slot of the key's destination and channel, or NULL. */
static inline struct cs_mail *cs_mailbox_own(const struct cs_mailbox *box,
                                             const struct cs_mail_key *key)
{
    uint32_t channel = key->channel;

    if (box->channels == 0)
        return NULL;
    if (channel >= box->channels)
        channel %= box->channels;
    return &box->own[(size_t)key->dst * box->channels + channel];
}

/* Whether the slot, in use, is that of the key. */
static inline bool cs_mail_is_of(const struct cs_mail *own, const struct cs_mail_key *key)
{
    return own->key.src == key->src && own->key.channel == key->channel;
}

/* Where the search for the key in the table begins; NULL: no table. */
const struct cs_mail *cs_mailbox_home(const struct cs_mailbox *box, const struct cs_mail_key *key);

/* The key will be asked for soon: its slot is brought into the cache. */
static inline void cs_mailbox_prefetch(const struct cs_mailbox *box, const struct cs_mail_key *key)
{
    const struct cs_mail *own = cs_mailbox_own(box, key);

    __builtin_prefetch(own ? own : cs_mailbox_home(box, key), 1);
}

/* Number `number` of that kind meets the first of the other kind, or waits. */
uint32_t cs_mailbox_search(struct cs_mailbox *box, const struct cs_mail_key *key,
                           enum cs_mail_kind kind, uint32_t number);

/* The same: mostly the own slot is empty, or the other one waits there alone. */
static inline uint32_t cs_mailbox_meet(struct cs_mailbox *box, const struct cs_mail_key *key,
                                       enum cs_mail_kind kind, uint32_t number)
{
    struct cs_mail *own = cs_mailbox_own(box, key);

    if (own && own->kind == CS_MAIL_NONE && own->elsewhere == 0) {
        own->key = *key;
        own->kind = kind;
        own->number = number;
        own->first = CS_NONE;
        return CS_NONE;
    }
    if (own && own->kind != CS_MAIL_NONE && own->kind != kind && own->first == CS_NONE &&
        cs_mail_is_of(own, key)) {
        own->kind = CS_MAIL_NONE;
        return own->number;
    }
    return cs_mailbox_search(box, key, kind, number);
}

/* Posts receive `number`: returns the first matching message, which is removed,
 * or CS_NONE, and the receive waits. */
static inline uint32_t cs_mailbox_post(struct cs_mailbox *box, const struct cs_mail_key *key,
                                       uint32_t number)
{
    return cs_mailbox_meet(box, key, CS_MAIL_RECEIVES, number);
}

/* The same for message `number`, with the receives. */
static inline uint32_t cs_mailbox_arrive(struct cs_mailbox *box, const struct cs_mail_key *key,
                                         uint32_t number)
{
    return cs_mailbox_meet(box, key, CS_MAIL_MESSAGES, number);
}

/* Takes the first waiting message of the key, or CS_NONE. */
uint32_t cs_mailbox_take(struct cs_mailbox *box, const struct cs_mail_key *key);

/* The queue of that kind with the least (destination, source, channel), or NULL;
 * for error messages in an order that does not depend on the table. */
const struct cs_mail *cs_mailbox_first(const struct cs_mailbox *box, enum cs_mail_kind kind);

/* What a deadlock waits for: the receives of the source of `first`, those of their
 * source, and so on; up to CS_WAITS of them are set.  *end is what to say behind: ""
 * where the last source has no receive, or ": a circle of waits". */
uint32_t cs_mailbox_waits(const struct cs_mailbox *box, const struct cs_mail *first,
                          const struct cs_mail *waits[], const char **end);
