/*
 * Party: a rank (or parameter server) of a program, over TCP connections.
 *
 * The executor follows program.h: the ops of a round start together, messages
 * match in order per (source, channel), and sends of a round read before sums of
 * the round are added.  A send is done when the kernel has taken the last byte.
 * A message without a posted receive is read into memory of its own, so a stream
 * never blocks behind it.  Messages leave at once: the handshake of programs that
 * have one is not performed.  Ops that compute (WORK) are refused.
 *
 * Sockets are non-blocking and belong to the caller, one for each peer.
 *
 *     run   until the last op, the deadline, or the end of a peer
 */
#ifndef CS_VALIDATE_TCP_PARTY_H
#define CS_VALIDATE_TCP_PARTY_H

#include "sim/base/err.h"
#include "validate/tcp/buffers.h"

struct cs_tcp_party;

/* How a party waits for its sockets. */
enum cs_tcp_waiting {
    CS_TCP_SLEEP, /* in the kernel, until a socket is ready */
    CS_TCP_POLL,  /* asking without pause, as MPI libraries do */
};

/* `sockets` by party, -1 for the party itself. */
struct cs_tcp_links {
    const int *sockets;
    uint32_t count;
    uint32_t self;
    enum cs_tcp_waiting waiting;
};

/* NULL with an error; freed by cs_tcp_party_free. */
struct cs_tcp_party *cs_tcp_party_new(const struct cs_tcp_links *links, struct cs_err *err);
void cs_tcp_party_free(struct cs_tcp_party *party);

/* Buffers for a program, filled with the state before it.  Messages of the
 * program may arrive from now on. */
void cs_tcp_party_prepare(struct cs_tcp_party *party, const struct cs_program *program);

/* Runs the program once.  CS_EANSWER: a peer has closed its connection (named
 * in the error) or sent bytes that are no message of the program; the deadline
 * (CLOCK_MONOTONIC, ns) has passed. */
int cs_tcp_party_run(struct cs_tcp_party *party, uint64_t deadline_ns, struct cs_err *err);

/* Wrong elements of the promised result. */
uint64_t cs_tcp_party_check(const struct cs_tcp_party *party);

/* The parts of a run without sockets, for tests: the first rounds, and the bytes
 * of a frame stream as if read from the socket of `peer`. */
int cs_tcp_party_start(struct cs_tcp_party *party, struct cs_err *err);
int cs_tcp_party_feed(struct cs_tcp_party *party, uint32_t peer, const uint8_t *bytes, size_t count,
                      struct cs_err *err);

#endif
