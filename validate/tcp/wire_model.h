/*
 * A model of hosts on shaped wires, calibrated by patterns alone.
 *
 * Figures of a calibration, and the patterns they come from:
 *
 *   alpha    of a message, while k pairs exchange: `pingpongs` less `pairs-both`
 *            of short messages
 *   work     of all processors for a message: the growth of alpha by a pair, from
 *            two pairs on, which keep the processors busy (0: not measured).  The
 *            messages of a program take no less one after another: 8 ranks in a
 *            ring wait for 2 processors
 *   start    of a run beyond its messages: `pairs-both` less alpha
 *   rate     of a wire: the slope of `one` between its two largest sizes
 *   burst    of the token bucket: bytes that `one` passes beyond the rate, at
 *            the peak rate of messages within the bucket
 *   both     slowdown of k pairs that exchange: the processors serve both
 *            directions of every wire, and the timers of the buckets; a bucket
 *            that is full before its timer runs loses what it cannot hold
 *   fan      slowdown of k messages to one host, or from one
 *   gamma    of a sum, by the number of parties that add at once
 *
 * The simulated network has a port out and a port in for each party.  Flows of
 * TCP share a port (model fluid); the gain of the token buckets is that of messages in
 * order (model fifo with rate, burst and peak, and without burst).  A program whose
 * parties send and receive in one round has the rate over `both`, of half as many
 * pairs as parties; streams in one direction are as fast as the wire.
 *
 * Evidence that exchanges cost processor time, and neither acknowledgements nor
 * socket buffers (validate/data/tcp): with buckets of 128 KiB 64 MiB take 0.561 s in
 * one direction and 0.565 s in both, and 18 ms of processor time for 16 MiB.  A
 * bucket of 64 KiB is smaller than a large segment, so the kernel cuts segments into
 * packets: 158 ms of processor time for 16 MiB, and two pairs that exchange take
 * 480 ms of two processors in 247 ms.
 *
 * A program that adds to a block which the same round sends adds after the
 * message (gamma); other sums run while their message arrives.
 *
 * Where packets are lost, a flow of a loss-based congestion control has a lower
 * rate, of a round trip of two latencies as a wire that is not full has no queue,
 * and waits for timeouts (losses.h).
 *
 *     make      O(lines)
 *     predict   a simulation
 */
#ifndef CS_VALIDATE_TCP_WIRE_MODEL_H
#define CS_VALIDATE_TCP_WIRE_MODEL_H

#include "algorithms/algo.h"
#include "validate/tcp/lines.h"

enum {
    CS_TCP_MODEL_PARTIES = 33,
};

struct cs_tcp_model {
    double rate_Bps, peak_Bps;
    double burst_bytes;
    double fan;
    double work_s;
    /* By pairs, from 1; 0: not measured. */
    double start_s[CS_TCP_MODEL_PARTIES];
    double alpha_s[CS_TCP_MODEL_PARTIES];
    double both[CS_TCP_MODEL_PARTIES];
    double gamma_s[CS_TCP_MODEL_PARTIES]; /* of a byte, by parties */
};

/* The model of the lines of kind "pattern"; CS_EINPUT where a pattern is
 * missing. */
int cs_tcp_model_make(const struct cs_tcp_lines *lines, struct cs_tcp_model *model,
                      struct cs_err *err);

/* A collective to predict. */
struct cs_tcp_query {
    const char *algorithm, *collective;
    uint32_t ranks;
    uint64_t bytes;
    double shaped_Bps; /* of a wire, for chunks that depend on it */
    /* Rate of party 0's wire from that time on; 0: unchanged. */
    double change_Bps, change_s;
    double loss; /* probability, of a packet */
};

struct cs_tcp_prediction {
    double time_s;
    double bound_s; /* bytes of the busiest port at the rate */
};

/* CS_EINPUT for an unknown algorithm or a call that it refuses. */
int cs_tcp_model_predict(const struct cs_tcp_model *model, const struct cs_tcp_query *query,
                         struct cs_tcp_prediction *prediction, struct cs_err *err);

#endif
