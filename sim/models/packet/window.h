/*
 * Window: how many packets of a message may be in flight where packets can be
 * lost, and when packets are sent again, as TCP NewReno does.
 *
 *   - Start: 10 packets (J. Chu et al., RFC 6928), no limit to slow start.
 *   - The receiver keeps every packet, in arbitrary order, and acknowledges
 *     every packet at once.  An acknowledgement that advances the first missing
 *     packet adds a packet to the window in slow start, and 1 / window beyond
 *     the limit: a packet a round trip (congestion avoidance; M. Allman,
 *     V. Paxson, E. Blanton, RFC 5681).
 *   - When three packets behind the first missing packet have arrived, the
 *     missing packet is lost and sent again at once (fast retransmit).  The
 *     limit and the window become half of the unacknowledged packets, two at
 *     least.  Until the packets sent by then are acknowledged the window does
 *     not grow, an arrival makes room for a further packet, and whenever the
 *     first missing packet changes, the new packet is sent again, too: a packet
 *     a round trip (NewReno; T. Henderson et al., RFC 6582, the slow-but-steady
 *     variant).  A slow start with overflow of a deep buffer and loss of half
 *     of a large window takes as many round trips.
 *   - A second loss of a packet, and a loss among the last three packets of a
 *     message or in a window of three, is found by a timeout alone. Selective
 *     acknowledgements (RFC 6675) and tail timers (RFC 8985), as in today's
 *     kernels, are not modelled.
 *   - No new packet in order until a timeout: the limit as above, the window 1
 *     packet, and the missing packets are sent again, in slow start.  The
 *     timeout is two round trips of the last acknowledged packet, `least_ps` at
 *     least, and twice as long each time the timeout repeats, ten times at most
 *     (V. Paxson et al., RFC 6298, with a mean and a deviation instead).
 *
 * Without loss a round trip doubles the window, so that a window of w packets
 * is open after  ceil(log2(w / 10))  round trips.
 *
 * Numbers are packets of the message, from 0.  Each call is O(1) on average, a
 * timeout O(window).  A window keeps a byte for each packet between the first
 * unacknowledged packet and the last packet sent.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_WINDOW_FIRST = 10,     /* RFC 6928 */
    CS_WINDOW_DUPLICATES = 3, /* RFC 5681 */
    CS_WINDOW_DOUBLINGS = 10,
};

struct cs_window {
    uint64_t sent;   /* the next unsent packet */
    uint64_t acked;  /* earlier packets are acknowledged */
    uint64_t come;   /* earlier packets have arrived */
    uint64_t pipe;   /* presumed in flight; 0 in a wide window */
    uint64_t lost;   /* presumed lost, and not sent again yet */
    uint64_t resend; /* no earlier packet is to be sent again */
    /* One past the highest acknowledged packets, descending. */
    uint64_t top[CS_WINDOW_DUPLICATES];
    /* The window is not halved again before this packet is acknowledged. */
    uint64_t recover;
    uint64_t size;
    uint64_t limit;  /* of slow start */
    uint64_t growth; /* acknowledgements since the last growth of the window */
    uint64_t trip_ps;
    uint64_t least_ps;
    uint64_t due_ps;  /* the timeout, or UINT64_MAX while unset */
    uint32_t repeats; /* timeouts in a row */
    bool recovers;    /* from a loss found without a timeout */
    bool is_wide;
    bool is_owed;   /* a packet may leave though the window is full */
    uint8_t *marks; /* of packets from acked to sent, in a ring */
    uint64_t room;  /* of the ring: a power of two, or 0 */
};

/* An empty window; `trip_ps` is the round trip until the first measurement.
 * The memory of an earlier opening is used again: zero the window before the
 * first opening, and close the window last. */
void cs_window_open(struct cs_window *window, uint64_t trip_ps, uint64_t least_ps);
void cs_window_close(struct cs_window *window);

/* Without acknowledgements, for networks without loss: never full. */
void cs_window_open_wide(struct cs_window *window);

static inline bool cs_window_is_full(const struct cs_window *window)
{
    return window->pipe >= window->size && !window->is_owed;
}

/* Is a packet left to send, of so many packets? */
static inline bool cs_window_has_next(const struct cs_window *window, uint64_t packets)
{
    return window->lost > 0 || window->sent < packets;
}

/* A packet leaves: returns the number; lost packets first. */
uint64_t cs_window_send(struct cs_window *window);

/* The last byte is on the first link at `at_ps`: sets the timeout if unset. */
void cs_window_left(struct cs_window *window, uint64_t at_ps);

/* The packet reaches the receiver. */
void cs_window_receive(struct cs_window *window, uint64_t number);

/* The sender gets the acknowledgement of a packet sent trip_ps ago. */
void cs_window_acknowledge(struct cs_window *window, uint64_t number, uint64_t trip_ps,
                           uint64_t now_ps);

/* due_ps is now. */
void cs_window_time_out(struct cs_window *window, uint64_t now_ps);
