/*
 * Inbox: the bytes of one connection, as frames into memory.
 *
 * The reader asks for room, reads into it from a socket, and reports the number
 * of bytes:
 *
 *     run = cs_tcp_inbox_room(&inbox);
 *     cs_tcp_inbox_took(&inbox, read(socket, run.at, run.bytes), &err);
 *
 * At the head of each frame the receives decide where the message goes: to the
 * memory of a posted receive, through a stage that adds, or to a buffer of the
 * inbox for a message without a receive, which they get at the end.  Nothing is
 * allocated before the head has passed all checks.
 *
 *     room, took   O(1), and the bytes of a sum
 */
#ifndef CS_VALIDATE_TCP_INBOX_H
#define CS_VALIDATE_TCP_INBOX_H

#include "validate/tcp/receives.h"

struct cs_tcp_inbox {
    struct cs_tcp_receives *receives;
    uint32_t peer;
    uint32_t head_bytes; /* of the head that arrived */
    uint8_t head[CS_TCP_HEAD];
    struct cs_tcp_target target;
    uint64_t bytes, arrived; /* of the message */
    uint8_t *stage;          /* of sums; kept */
    size_t staged;
    uint8_t *held;
};

void cs_tcp_inbox_open(struct cs_tcp_inbox *inbox, uint32_t peer, struct cs_tcp_receives *receives);
void cs_tcp_inbox_free(struct cs_tcp_inbox *inbox);

/* The memory for the next bytes; never empty. */
struct cs_tcp_run cs_tcp_inbox_room(struct cs_tcp_inbox *inbox);

/* Accounts for bytes in that memory; the error of the receives, or CS_EANSWER for
 * bytes that are no frame. */
int cs_tcp_inbox_took(struct cs_tcp_inbox *inbox, size_t bytes, struct cs_err *err);

#endif
