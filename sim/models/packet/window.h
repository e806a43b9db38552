/*
 * Window: how many packets of one message may be under way where packets can
 * be lost, and when they are sent again, as TCP NewReno does it.
 *
 *   - Start: 10 packets (J. Chu et al., RFC 6928), no limit to slow start.
 *   - The receiver keeps what comes, in whatever order, and acknowledges every
 *     packet at once.  An acknowledgement that moves the first packet that is
 *     missing on adds a packet to the window in slow start, and 1 / window beyond
 *     the limit: a packet a round trip (congestion avoidance; M. Allman,
 *     V. Paxson, E. Blanton, RFC 5681).
 *   - Three packets behind the first that is missing have come: that one is lost
 *     and sent again at once (fast retransmit).  The limit and the window become
 *     half of what is not acknowledged, two at least.  Until all is acknowledged
 *     that had been sent by then the window does not grow, each packet that comes
 *     makes room for another, and whenever the first that is missing becomes
 *     another that one is sent again, too: one a round trip (NewReno; T. Henderson
 *     et al., RFC 6582, the slow-but-steady variant).  A slow start that fills a
 *     deep buffer and loses half of a large window takes as many round trips.
 *   - What is sent again and lost again, what is lost of the last three packets
 *     of a message, or of a window of three, is found by a timeout alone.  There
 *     are no selective acknowledgements (RFC 6675) and no timers for tails
 *     (RFC 8985), which today's kernels have.
 *   - Nothing new in order for a timeout: the limit as above, the window 1
 *     packet, and all that has not come is to be sent again, in slow start.  The
 *     timeout is two round trips of the last packet acknowledged, `least_ps` at
 *     least, and twice as long each time it repeats, ten times at most
 *     (V. Paxson et al., RFC 6298, which has a mean and a deviation instead).
 *
 * With no loss a round trip doubles the window, so that one of w packets is
 * open after  ceil(log2(w / 10))  round trips.
 *
 * Numbers are packets of the message, from 0.  Each call is O(1) on average, a
 * timeout O(window).  A window keeps a byte for each packet between the first
 * that is not acknowledged and the last that was sent.
 */
#ifndef CS_SIM_MODELS_PACKET_WINDOW_H
#define CS_SIM_MODELS_PACKET_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_WINDOW_FIRST = 10,     /* RFC 6928 */
    CS_WINDOW_DUPLICATES = 3, /* RFC 5681 */
    CS_WINDOW_DOUBLINGS = 10,
};

struct cs_window {
    uint64_t sent;   /* the next that was never sent */
    uint64_t acked;  /* all before it have come, and the sender knows */
    uint64_t come;   /* all before it have come */
    uint64_t pipe;   /* thought to be under way; 0 in a wide window */
    uint64_t lost;   /* thought lost, and not sent again yet */
    uint64_t resend; /* none before it is to be sent again */
    /* One past the highest that have come, as the sender knows, falling. */
    uint64_t top[CS_WINDOW_DUPLICATES];
    uint64_t recover; /* until these are acknowledged it is not halved again */
    uint64_t size;
    uint64_t limit;  /* of slow start */
    uint64_t growth; /* acknowledgements since the window last grew by one */
    uint64_t trip_ps;
    uint64_t least_ps;
    uint64_t due_ps;  /* the timeout, or UINT64_MAX while none is set */
    uint32_t repeats; /* timeouts in a row */
    bool recovers;    /* from a loss that was found without a timeout */
    bool is_wide;
    bool is_owed;   /* one packet may leave though the window is full */
    uint8_t *marks; /* of packets from acked to sent, in a ring */
    uint64_t room;  /* of the ring: a power of two, or 0 */
};

/* Nothing is sent; `trip_ps` is the round trip until one is measured.  What a
 * window that was open before has allocated is used again: zero it before it is
 * opened first, and close it last. */
void cs_window_open(struct cs_window *window, uint64_t trip_ps,
                    uint64_t least_ps);
void cs_window_close(struct cs_window *window);

/* Without acknowledgements, for networks that lose nothing: never full. */
void cs_window_open_wide(struct cs_window *window);

static inline bool cs_window_is_full(const struct cs_window *window)
{
    return window->pipe >= window->size && !window->is_owed;
}

/* Is there something to send, of so many packets? */
static inline bool cs_window_has_next(const struct cs_window *window,
                                      uint64_t packets)
{
    return window->lost > 0 || window->sent < packets;
}

/* A packet leaves; its number.  Those that were lost come first. */
uint64_t cs_window_send(struct cs_window *window);

/* Its last byte is on the first link at `at_ps`: sets the timeout if none is. */
void cs_window_left(struct cs_window *window, uint64_t at_ps);

/* The packet reaches its receiver. */
void cs_window_receive(struct cs_window *window, uint64_t number);

/* The sender hears that a packet, sent trip_ps ago, has come. */
void cs_window_acknowledge(struct cs_window *window, uint64_t number,
                           uint64_t trip_ps, uint64_t now_ps);

/* due_ps is now. */
void cs_window_time_out(struct cs_window *window, uint64_t now_ps);

#endif
