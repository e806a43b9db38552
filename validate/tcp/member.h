/*
 * Member: the process of a party of a team, and its talk with the parent.
 *
 * Orders and reports are packets on a socket pair.  The member listens, reports
 * its port, gets all ports, connects, and then prepares and runs programs until
 * the parent closes the pair.
 */
#pragma once

#include "sim/base/err.h"
#include "validate/tcp/buffers.h"
#include "validate/tcp/lab.h"

#include <stdbool.h>
#include <stdint.h>

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

/*
 * Mesh: a TCP connection between every two parties.
 *
 * Each party listens on an address of its own, then connects to the parties
 * before it and accepts those after it.  A hello with the number of the session
 * and of the party opens each connection; a stranger is refused and closed, and
 * the party goes on accepting.
 *
 * Order: listen, exchange of the ports by the caller, connect.
 */

enum {
    CS_TCP_PARTIES_MAX = 32,
};

struct cs_tcp_mesh {
    uint32_t parties, self;
    uint64_t session;
    uint32_t address[CS_TCP_PARTIES_MAX]; /* IPv4, host byte order */
    uint16_t port[CS_TCP_PARTIES_MAX];
    const char *congestion; /* congestion control; NULL: the system's */
    uint32_t buffer_bytes;  /* of sockets, each direction; 0: automatic */
    uint64_t deadline_ns;   /* CLOCK_MONOTONIC */
};

/* A listening socket at the address and port (0: any) of `self`, whose port is
 * set; or CS_ECANNOT, "port 5000 of 127.0.0.1 is in use". */
int cs_tcp_mesh_listen(struct cs_tcp_mesh *mesh, struct cs_err *err);

/* Non-blocking sockets by party, -1 for `self`.  CS_ECANNOT where a party cannot
 * be reached before the deadline; then no socket is open. */
int cs_tcp_mesh_connect(const struct cs_tcp_mesh *mesh, int listener,
                        int sockets[CS_TCP_PARTIES_MAX], struct cs_err *err);

/* Hosts and programs of a team, and how its processes wait and talk. */
struct cs_tcp_team_spec {
    const struct cs_tcp_lab *lab; /* a host for each party */
    uint32_t parties;             /* those beyond the parties of a program look on */
    /* Programs of the runs; they must outlive the team. */
    const struct cs_program *const *programs;
    uint32_t program_count;
    uint16_t port; /* of party 0, and so on; 0: any */
    const char *congestion;
    uint32_t buffer_bytes;
    enum cs_tcp_waiting waiting; /* with CS_TCP_POLL between runs, too */
    bool plain;                  /* without the real-time class of the scheduler */
    double loss;                 /* probability that a party drops an arriving packet */
    uint64_t deadline_ns;        /* of a run */
};

enum cs_tcp_order_kind {
    CS_TCP_ORDER_PORTS,   /* connect */
    CS_TCP_ORDER_PREPARE, /* buffers of a program */
    CS_TCP_ORDER_RUN,     /* from start_ns on */
};

struct cs_tcp_order {
    enum cs_tcp_order_kind kind;
    uint32_t program;
    uint64_t start_ns, deadline_ns;
    uint16_t ports[CS_TCP_PARTIES_MAX];
};

struct cs_tcp_report {
    int code; /* of enum CS_E; 0 without an error */
    uint16_t port;
    bool realtime;
    uint64_t end_ns, cpu_ns, wrong, resent;
    char text[300]; /* of the error */
};

struct cs_tcp_member {
    const struct cs_tcp_team_spec *spec;
    uint32_t party;
    uint64_t session;
    int parent; /* end of the socket pair */
};

/* The life of the process; returns when the parent has closed the pair. */
void cs_tcp_member_live(const struct cs_tcp_member *member);
