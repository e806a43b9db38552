/*
 * The parameters of model `packet` (packet.c): how messages are cut into
 * packets, how large buffers are and what happens when a buffer is full.
 */
#pragma once

#include <stdint.h>

enum {
    CS_PACKET_PAYLOAD_BYTES = 4096, /* the largest MTU of InfiniBand */
};

/* What happens to a packet that finds the next buffer full. */
enum cs_packet_loss {
    CS_PACKET_CREDITS, /* the packet waits: the sender counts free places */
    CS_PACKET_PFC,     /* the packet waits: the buffer sends pause frames (IEEE
                          802.1Qbb) */
    CS_PACKET_DROP,    /* the packet is dropped and sent again (window.h) */
    CS_PACKET_LOSSES
};

/* Zeroed: the defaults. */
struct cs_packet_params {
    uint32_t payload_bytes; /* of a message in a packet, at most; 0: the
                               default, CS_PACKET_PAYLOAD_BYTES */
    uint32_t header_bytes;  /* of each packet, in addition to the payload */
    /*
     * The buffer at the far end of each link (with drop: at the near end, of
     * each output), rounded down to whole packets, at least one packet.  0 with
     * credits: every message has places of its own, enough for the full rate.
     * 0 with drop: 64 packets plus the bytes that the link sends in twice its
     * latency; 64 of 4 KiB are a port's part of 16 MB for 54 ports (Trident
     * II+, after blog.ipspace.net, June 2019).  With PFC: the bytes that the
     * buffer holds before the link is paused, default 64 packets; the headroom
     * is in addition.
     */
    uint64_t buffer_bytes;
    enum cs_packet_loss loss;
    uint64_t timeout_ps; /* the shortest retransmission timeout; 0: 1 ms, the
                            longest that V. Vasudevan et al., "Safe and
                            Effective Fine-grained TCP Retransmissions for
                            Datacenter Communication", SIGCOMM 2009, allow */
};
