#include "sim/mailbox.h"

#include "sim/base/mem.h"

#include <stdlib.h>

void cs_mailbox_init(struct cs_mailbox *box, uint32_t parties)
{
    uint32_t i;

    *box = (struct cs_mailbox){.parties = parties, .unused = CS_NOBODY};
    box->receives = cs_grow(NULL, parties, sizeof(*box->receives));
    box->messages = cs_grow(NULL, parties, sizeof(*box->messages));
    for (i = 0; i < parties; i++) {
        box->receives[i].first = CS_NOBODY;
        box->messages[i].first = CS_NOBODY;
    }
}

void cs_mailbox_free(struct cs_mailbox *box)
{
    free(box->receives);
    free(box->messages);
    free(box->pool);
    *box = (struct cs_mailbox){0};
}

static uint32_t new_entry(struct cs_mailbox *box)
{
    uint32_t i = box->unused;

    if (i != CS_NOBODY) {
        box->unused = box->pool[i].next;
        return i;
    }
    if (box->pool_count == box->pool_capacity) {
        box->pool_capacity = box->pool_capacity ? 2 * box->pool_capacity : 64;
        box->pool = cs_grow(box->pool, box->pool_capacity, sizeof(*box->pool));
    }
    return box->pool_count++;
}

/* Takes the first entry of the same source and channel out of the queue. */
static uint32_t take(struct cs_mailbox *box, struct cs_mail_queue *queue,
                     const struct cs_mail_key *key)
{
    uint32_t before = CS_NOBODY;
    uint32_t i;

    for (i = queue->first; i != CS_NOBODY; i = box->pool[i].next) {
        struct cs_mail *mail = &box->pool[i];

        if (mail->src == key->src && mail->channel == key->channel) {
            if (before == CS_NOBODY)
                queue->first = mail->next;
            else
                box->pool[before].next = mail->next;
            if (queue->last == i)
                queue->last = before;
            mail->next = box->unused;
            box->unused = i;
            return mail->number;
        }
        before = i;
    }
    return CS_NOBODY;
}

static void append(struct cs_mailbox *box, struct cs_mail_queue *queue,
                   const struct cs_mail_key *key, uint32_t number)
{
    uint32_t i = new_entry(box);

    box->pool[i] = (struct cs_mail){key->src, key->channel, number, CS_NOBODY};
    if (queue->first == CS_NOBODY)
        queue->first = i;
    else
        box->pool[queue->last].next = i;
    queue->last = i;
}

uint32_t cs_mailbox_post(struct cs_mailbox *box, const struct cs_mail_key *key,
                         uint32_t number)
{
    uint32_t message = take(box, &box->messages[key->dst], key);

    if (message == CS_NOBODY)
        append(box, &box->receives[key->dst], key, number);
    return message;
}

uint32_t cs_mailbox_arrive(struct cs_mailbox *box,
                           const struct cs_mail_key *key, uint32_t number)
{
    uint32_t receive = take(box, &box->receives[key->dst], key);

    if (receive == CS_NOBODY)
        append(box, &box->messages[key->dst], key, number);
    return receive;
}

static const struct cs_mail *first_of(const struct cs_mailbox *box,
                                      const struct cs_mail_queue *queue)
{
    return queue->first == CS_NOBODY ? NULL : &box->pool[queue->first];
}

const struct cs_mail *cs_mailbox_receive(const struct cs_mailbox *box,
                                         uint32_t dst)
{
    return first_of(box, &box->receives[dst]);
}

const struct cs_mail *cs_mailbox_message(const struct cs_mailbox *box,
                                         uint32_t dst)
{
    return first_of(box, &box->messages[dst]);
}
