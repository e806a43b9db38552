#include "sim/program/matching.h"

#include "sim/base/hash.h"
#include "sim/base/mem.h"

#include <stdlib.h>

enum {
    MATCHING_ROOM = 64
};

void cs_mailbox_init(struct cs_mailbox *box)
{
    *box = (struct cs_mailbox){0};
}

void cs_mailbox_free(struct cs_mailbox *box)
{
    free(box->slots);
    free(box->behind);
    *box = (struct cs_mailbox){0};
}

void cs_mailbox_give_slots(struct cs_mailbox *box, uint32_t parties, uint32_t channels,
                           struct cs_arena *arena)
{
    box->own_count = parties * channels;
    box->channels = channels;
    box->own = cs_arena_alloc(arena, box->own_count, sizeof(*box->own));
}

/* ---- the table ---- */

static uint32_t hash_of(struct cs_mail_key key)
{
    uint64_t pair = (uint64_t)key.dst << 32 | key.src;

    return cs_hash_slot(cs_hash_mix(cs_hash_mix(0, pair), key.channel));
}

static bool matching_is_same(struct cs_mail_key a, struct cs_mail_key b)
{
    return a.dst == b.dst && a.src == b.src && a.channel == b.channel;
}

/* The slot of the key, or the empty slot for it. */
static inline struct cs_mail *matching_find(const struct cs_mailbox *box, struct cs_mail_key key,
                                            uint32_t hash)
{
    uint32_t mask = box->slot_room - 1;
    uint32_t i = hash & mask;

    while (box->slots[i].kind && !matching_is_same(box->slots[i].key, key))
        i = (i + 1) & mask;
    return &box->slots[i];
}

/* At most half of the slots are taken. */
static void matching_make_room(struct cs_mailbox *box)
{
    struct cs_mail *old = box->slots;
    uint32_t old_room = box->slot_room;

    box->slot_room = old_room ? 2 * old_room : MATCHING_ROOM;
    box->slots = cs_grow(NULL, box->slot_room, sizeof(*box->slots));
    for (uint32_t i = 0; i < box->slot_room; i++)
        box->slots[i].kind = CS_MAIL_NONE;
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i].kind)
            *matching_find(box, old[i].key, old[i].hash) = old[i];
    free(old);
}

/* Empties slot `hole`; later entries of the probe sequence move up. */
static inline void matching_empty(struct cs_mailbox *box, uint32_t hole)
{
    uint32_t mask = box->slot_room - 1;
    uint32_t i = hole;

    for (;;) {
        i = (i + 1) & mask;
        if (!box->slots[i].kind)
            break;
        /* Whether the entry may move to the hole, closer to its home slot. */
        if (((i - box->slots[i].hash) & mask) < ((i - hole) & mask))
            continue;
        box->slots[hole] = box->slots[i];
        hole = i;
    }
    box->slots[hole].kind = CS_MAIL_NONE;
    box->slot_count--;
}

/* ---- those behind the first ---- */

static uint32_t new_entry(struct cs_mailbox *box)
{
    if (cs_pool_is_full(&box->pool))
        box->behind = cs_grow(box->behind, cs_pool_enlarge(&box->pool), sizeof(*box->behind));
    return cs_pool_take(&box->pool, &box->behind->next, sizeof(*box->behind));
}

static void matching_append(struct cs_mailbox *box, struct cs_mail *mail, uint32_t number)
{
    uint32_t i;

    if (mail->first != CS_NONE && box->behind[mail->last].number == number) {
        box->behind[mail->last].count++;
        return;
    }
    i = new_entry(box);
    box->behind[i] = (struct cs_mail_behind){number, 1, CS_NONE};
    if (mail->first == CS_NONE)
        mail->first = i;
    else
        box->behind[mail->last].next = i;
    mail->last = i;
}

/* Takes the first out, where others are behind. */
static uint32_t matching_take(struct cs_mailbox *box, struct cs_mail *mail)
{
    uint32_t number = mail->number;
    uint32_t i = mail->first;

    mail->number = box->behind[i].number;
    if (--box->behind[i].count > 0)
        return number;
    mail->first = box->behind[i].next;
    cs_pool_give(&box->pool, i, &box->behind[i].next);
    return number;
}

/* ---- the mailbox ---- */

/* The slot of the key in the table, which has room for it. */
static struct cs_mail *matching_table(struct cs_mailbox *box, struct cs_mail_key key)
{
    uint32_t hash = hash_of(key);
    struct cs_mail *mail;

    if (2 * (uint64_t)box->slot_count >= box->slot_room)
        matching_make_room(box);
    mail = matching_find(box, key, hash);
    if (!mail->kind)
        mail->hash = hash;
    return mail;
}

uint32_t cs_mailbox_search(struct cs_mailbox *box, const struct cs_mail_key *key,
                           enum cs_mail_kind kind, uint32_t number)
{
    struct cs_mail *own = cs_mailbox_own(box, key);
    struct cs_mail *mail = own;

    if (!own || (own->kind ? !cs_mail_is_of(own, key) : own->elsewhere > 0))
        mail = matching_table(box, *key);
    if (mail->kind == CS_MAIL_NONE) {
        mail->key = *key;
        mail->kind = kind;
        mail->number = number;
        mail->first = CS_NONE;
        if (mail == own)
            return CS_NONE;
        box->slot_count++;
        if (own)
            own->elsewhere++;
        return CS_NONE;
    }
    if (mail->kind == kind) {
        matching_append(box, mail, number);
        return CS_NONE;
    }
    if (mail->first != CS_NONE)
        return matching_take(box, mail);
    number = mail->number;
    if (mail == own) {
        mail->kind = CS_MAIL_NONE;
        return number;
    }
    matching_empty(box, (uint32_t)(mail - box->slots));
    if (own)
        own->elsewhere--;
    return number;
}

uint32_t cs_mailbox_take(struct cs_mailbox *box, const struct cs_mail_key *key)
{
    const struct cs_mail *mail = cs_mailbox_own(box, key);

    if (!mail || (mail->kind ? !cs_mail_is_of(mail, key) : mail->elsewhere > 0)) {
        if (box->slot_count == 0)
            return CS_NONE;
        mail = matching_find(box, *key, hash_of(*key));
    }
    return mail->kind == CS_MAIL_MESSAGES ? cs_mailbox_search(box, key, CS_MAIL_RECEIVES, 0)
                                          : CS_NONE;
}

const struct cs_mail *cs_mailbox_home(const struct cs_mailbox *box, const struct cs_mail_key *key)
{
    return box->slots ? &box->slots[hash_of(*key) & (box->slot_room - 1)] : NULL;
}

static bool is_before(struct cs_mail_key a, struct cs_mail_key b)
{
    if (a.dst != b.dst)
        return a.dst < b.dst;
    return a.src != b.src ? a.src < b.src : a.channel < b.channel;
}

/* CS_NONE: of any destination. */
static const struct cs_mail *least_mail(const struct cs_mailbox *box, enum cs_mail_kind kind,
                                        uint32_t dst)
{
    const struct cs_mail *least = NULL;

    for (uint32_t i = 0; i < cs_mailbox_room(box); i++) {
        const struct cs_mail *mail = cs_mailbox_at(box, i);

        if (mail->kind == kind && (dst == CS_NONE || mail->key.dst == dst) &&
            (!least || is_before(mail->key, least->key)))
            least = mail;
    }
    return least;
}

const struct cs_mail *cs_mailbox_first(const struct cs_mailbox *box, enum cs_mail_kind kind)
{
    return least_mail(box, kind, CS_NONE);
}

uint32_t cs_mailbox_waits(const struct cs_mailbox *box, const struct cs_mail *first,
                          const struct cs_mail *waits[], const char **end)
{
    const struct cs_mail *mail = first;
    uint32_t count = 0;

    *end = "";
    while ((mail = least_mail(box, CS_MAIL_RECEIVES, mail->key.src))) {
        if (mail->key.dst == first->key.dst)
            *end = ": a circle of waits";
        else if (count == CS_WAITS)
            *end = ", and so on";
        if (**end)
            break;
        waits[count++] = mail;
    }
    return count;
}
