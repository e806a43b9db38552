/*
 * Mailboxes: which message goes with which receive.
 *
 * Messages match in order per (source, destination, channel), as MPI does without
 * tags and wildcards.  Receives and messages are numbers of the caller's.  Of
 * one (source, destination, channel) only messages or only receives ever wait.
 *
 *     post, arrive   O(what waits at that destination); usually 1 or 2
 *
 * Entries come from a pool that grows to the most that ever waited.
 */
#ifndef CS_SIM_MAILBOX_H
#define CS_SIM_MAILBOX_H

#include <stdint.h>

enum {
    CS_NOBODY = UINT32_MAX
};

struct cs_mail {
    uint32_t src;
    uint32_t channel;
    uint32_t number;
    uint32_t next;
};

/* A queue of one destination: first and last entry. */
struct cs_mail_queue {
    uint32_t first;
    uint32_t last;
};

struct cs_mailbox {
    struct cs_mail_queue *receives; /* posted, by destination */
    struct cs_mail_queue *messages; /* arrived, by destination */
    uint32_t parties;
    struct cs_mail *pool;
    uint32_t pool_count, pool_capacity;
    uint32_t unused; /* list of free entries */
};

/* Who meets whom. */
struct cs_mail_key {
    uint32_t dst;
    uint32_t src;
    uint32_t channel;
};

void cs_mailbox_init(struct cs_mailbox *box, uint32_t parties);
void cs_mailbox_free(struct cs_mailbox *box);

/* Posts receive `number`: the first waiting message it matches, which is
 * taken out, or CS_NOBODY and the receive waits. */
uint32_t cs_mailbox_post(struct cs_mailbox *box, const struct cs_mail_key *key,
                         uint32_t number);

/* The same the other way round for message `number`. */
uint32_t cs_mailbox_arrive(struct cs_mailbox *box,
                           const struct cs_mail_key *key, uint32_t number);

/* The first receive (message) that waits at `dst`, or NULL. */
const struct cs_mail *cs_mailbox_receive(const struct cs_mailbox *box,
                                         uint32_t dst);
const struct cs_mail *cs_mailbox_message(const struct cs_mailbox *box,
                                         uint32_t dst);

#endif
