/*
 * Receives of a party: posted receives, messages without a receive, and sums that
 * wait for the sends of their round.
 *
 * Order: open, then post (the party's ops) and the inboxes' calls in any order.
 * A receive that is complete is reported to `finished` with its lane.
 *
 *     post, place, done   O(1) expected, and the bytes of a copy
 */
#pragma once

#include "sim/program/matching.h"
#include "validate/tcp/buffers.h"
#include "validate/tcp/wire.h"

/* Where a message goes. */
struct cs_tcp_target {
    struct cs_tcp_runs runs; /* without `hold` */
    uint32_t number;
    bool adds; /* to the runs */
    bool hold; /* in a buffer of the message's own */
};

/* A posted receive; or a message whose head arrived before its receive was posted,
 * which has runs of bytes alone, and becomes that receive. */
struct cs_tcp_receive {
    struct cs_tcp_runs runs;
    uint8_t *held; /* complete: waits for the receive, or for sends of the round */
    uint32_t lane; /* CS_NONE: no receive yet, or unused */
    bool adds;
    bool waits; /* the sum may not be added before the lane's sends are over */
    bool complete;
    uint32_t next; /* of the pool */
};

struct cs_tcp_receives {
    struct cs_mailbox box;
    struct cs_tcp_receive *receive;
    struct cs_pool pool;
    uint64_t stray_bytes, stray_bytes_max; /* without a receive; above: refused */
    uint32_t self;
    void (*finished)(void *ctx, uint32_t lane);
    void *ctx;
};

void cs_tcp_receives_init(struct cs_tcp_receives *receives, uint32_t self);
void cs_tcp_receives_free(struct cs_tcp_receives *receives);

/* Drops all receives and messages. */
void cs_tcp_receives_clear(struct cs_tcp_receives *receives);

/* Posts a receive; its lane may finish at once. */
int cs_tcp_receives_post(struct cs_tcp_receives *receives, uint32_t peer, uint32_t channel,
                         const struct cs_tcp_receive *what, struct cs_err *err);

/* A receive whose message is in `held` already: a copy within the party. */
void cs_tcp_receives_keep(struct cs_tcp_receives *receives, const struct cs_tcp_receive *what,
                          uint8_t *held);

/* Adds the complete sums of a lane whose sends of the round are over. */
void cs_tcp_receives_release(struct cs_tcp_receives *receives, uint32_t lane);

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
