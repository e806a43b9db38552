/*
 * Window: how many packets of one message may be under way where packets can
 * be lost, and when they are sent again; as TCP does it, in few words.
 *
 *   - Start: 10 packets (J. Chu et al., RFC 6928), no limit to slow start.
 *   - Every packet is acknowledged at once, with the number of packets that
 *     have come in order.  An acknowledgement of a new one adds a packet to the
 *     window in slow start, and 1 / window beyond the limit: a packet a round
 *     trip (congestion avoidance; M. Allman, V. Paxson, E. Blanton, RFC 5681).
 *   - Three that bring no news: the limit and the window become half of what
 *     is under way, two at least (fast retransmit, RFC 5681), once for all that
 *     was under way then.
 *   - Nothing new for a timeout: the limit as above, the window 1 packet.  The
 *     timeout is two round trips of the last packet acknowledged, `least_ps` at
 *     least, and twice as long each time it repeats, ten times at most
 *     (V. Paxson et al., RFC 6298, which has a mean and a deviation instead).
 *   - Go-back-N: a receiver keeps no packet that comes before its turn, and the
 *     sender begins anew with the first that is not acknowledged.  That is
 *     simpler than selective acknowledgement, and wastes more where much is lost.
 *
 * With no loss a round trip doubles the window, so that one of w packets is
 * open after  ceil(log2(w / 10))  round trips.
 *
 * Numbers are packets of the message, from 0.  Each call is O(1).
 */
#ifndef CS_SIM_WINDOW_H
#define CS_SIM_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_WINDOW_FIRST = 10,     /* RFC 6928 */
    CS_WINDOW_DUPLICATES = 3, /* RFC 5681 */
    CS_WINDOW_DOUBLINGS = 10,
};

struct cs_window {
    uint64_t sent;    /* the next to be sent */
    uint64_t acked;   /* all before it have come */
    uint64_t highest; /* all before it have been sent once */
    uint64_t recover; /* until these have come no other loss is seen */
    uint64_t size;
    uint64_t limit;  /* of slow start */
    uint64_t growth; /* acknowledgements since the window last grew by one */
    uint64_t trip_ps;
    uint64_t least_ps;
    uint64_t due_ps; /* the timeout, or UINT64_MAX while none is set */
    uint32_t duplicates;
    uint32_t repeats; /* timeouts in a row */
};

/* Nothing is sent; `trip_ps` is the round trip until one is measured. */
void cs_window_open(struct cs_window *window, uint64_t trip_ps,
                    uint64_t least_ps);

/* Without acknowledgements, for networks that lose nothing: never full. */
void cs_window_open_wide(struct cs_window *window);

static inline bool cs_window_is_full(const struct cs_window *window)
{
    return window->sent - window->acked >= window->size;
}

/* A packet leaves; the number it has.  The one behind it is the next. */
static inline uint64_t cs_window_send(struct cs_window *window)
{
    uint64_t number = window->sent++;

    if (window->highest < window->sent)
        window->highest = window->sent;
    return number;
}

/* Its last byte is on the first link at `at_ps`: sets the timeout if none is. */
void cs_window_left(struct cs_window *window, uint64_t at_ps);

/* The receiver has `come` packets, says a packet sent trip_ps ago. */
void cs_window_acknowledge(struct cs_window *window, uint64_t come,
                           uint64_t trip_ps, uint64_t now_ps);

/* due_ps is now. */
void cs_window_time_out(struct cs_window *window, uint64_t now_ps);

#endif
