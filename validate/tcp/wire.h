/*
 * Wire format between parties: a hello on each connection, then frames.
 *
 * A hello names the session and the sending party, so that a stranger at the port
 * is refused.  A frame is a head of 16 bytes and the bytes of one message, in
 * order per connection.  Numbers are little endian.
 *
 *     hello   "CSH1"  party u32  session u64
 *     head    "CSM1"  channel u32  bytes u64
 */
#pragma once

#include "sim/base/err.h"

#include <stdint.h>

enum {
    CS_TCP_HEAD = 16, /* bytes of a hello, and of the head of a frame */
};

struct cs_tcp_hello {
    uint32_t party;
    uint64_t session;
};

struct cs_tcp_head {
    uint32_t channel;
    uint64_t bytes;
};

void cs_tcp_hello_write(const struct cs_tcp_hello *hello, uint8_t out[CS_TCP_HEAD]);
void cs_tcp_head_write(const struct cs_tcp_head *head, uint8_t out[CS_TCP_HEAD]);

/* CS_EANSWER for bytes that are no hello (no head). */
int cs_tcp_hello_read(const uint8_t in[CS_TCP_HEAD], struct cs_tcp_hello *hello,
                      struct cs_err *err);
int cs_tcp_head_read(const uint8_t in[CS_TCP_HEAD], struct cs_tcp_head *head, struct cs_err *err);
