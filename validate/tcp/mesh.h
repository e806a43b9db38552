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
#ifndef CS_VALIDATE_TCP_MESH_H
#define CS_VALIDATE_TCP_MESH_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif
