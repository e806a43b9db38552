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
 * and waits for timeouts (below).
 *
 *     make      O(lines)
 *     predict   a simulation
 */
#pragma once

#include "algorithms/algo.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Lines of `measure tcp`, read back.
 *
 * A line is a JSON object whose keys are the fields of struct cs_tcp_line; further
 * keys are provenance and ignored.  Errors are CS_EINPUT, "file:line: ...".
 *
 *     read   O(bytes)
 */

/* Missing texts are "", missing numbers 0. */
/* A wire, as shaped. */
struct cs_tcp_wire {
    double rate_Bps;
    uint64_t burst_bytes;
    double delay_s, loss, change_Bps, change_s, load;
};

struct cs_tcp_line {
    const char *file;
    uint32_t line;
    const char *kind;      /* pattern, run, calibrated */
    const char *algorithm; /* or pattern */
    const char *collective;
    const char *lab; /* namespaces, loopback */
    const char *congestion, *waiting;
    uint64_t ranks, parties, k, bytes, runs, wrong, resent, packets;
    double time_s;       /* the median */
    double time_least_s; /* the least */
    struct cs_tcp_wire wire;
};

struct cs_tcp_lines {
    struct cs_tcp_line *items;
    size_t count;
    uint32_t room;
};

/* Appends the lines of a text of a file; empty lines are skipped.  Texts are in
 * the arena, as is `items` afterwards. */
int cs_tcp_lines_read_text(const char *file, const char *text, size_t length,
                           struct cs_arena *arena, struct cs_tcp_lines *lines, struct cs_err *err);

/* The same from a file. */
int cs_tcp_lines_read(const char *path, struct cs_arena *arena, struct cs_tcp_lines *lines,
                      struct cs_err *err);

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

/*
 * Losses of packets as TCP meets them: a lower rate, and timeouts.
 *
 * Fast retransmit finds a lost packet by later packets that arrive (RFC 5681; with
 * selective acknowledgements and RACK, RFC 8985, as in Linux): the window shrinks,
 * which is the rate below.  A retransmission that is lost as well is found in the
 * same way, unless fewer than three packets follow in a window of w: then the
 * sender waits for the retransmission timer (RFC 6298; 200 ms at least in Linux,
 * TCP_RTO_MIN), twice as long each time.  Formulas, for a packet loss probability p:
 *
 *   rate       MSS / RTT sqrt(3/2) / sqrt(p)       Mathis et al., 1997, "The
 *              macroscopic behavior of the TCP congestion avoidance algorithm"
 *   window     w = sqrt(8 / (3 p)); few packets follow with probability 3 / w
 *   timeout    T0 (1 + p + 2 p^2 + ... + 32 p^6) / (1 - p), with the doubling
 *              Padhye et al., 1998, "Modeling TCP throughput", eq. 24 and 27
 *   of a packet that is lost, 3 / w times the probability that no answer to the
 *   retransmission arrives: p where data flow both ways and each packet repeats
 *   the acknowledgement, 1 - (1 - p)^2 where acknowledgements alone flow back
 *   of a message, p for its last packet, after which none arrives; a probe by the
 *   tail timer waits as long where a single packet is unacknowledged (Linux,
 *   tcp_schedule_loss_probe).  Where data flow both ways the next message follows.
 *
 * Timeouts of a message are a Poisson number.  A round of flows ends with the
 * slowest, so its timeouts are the mean of the largest number of its flows; the time
 * of a run has the median of the Poisson number with the sum of the rounds as its
 * mean (Choi, 1994: the floor of mean + 1/3 - .02 / mean), as measured times are
 * medians.
 *
 * Pure functions.
 */

/* Bytes of a packet's data: 1,500 less IPv4, TCP and its timestamps. */
#define CS_TCP_SEGMENT_BYTES 1448.0

/* The rate of a flow; `loss` above 0. */
double cs_tcp_loss_rate_Bps(double trip_s, double loss);

/* Mean number of timeouts of a message. */
double cs_tcp_loss_timeouts(double loss, double bytes, bool both_ways);

/* Mean of the largest of `flows` Poisson numbers with the mean. */
double cs_tcp_loss_most(double mean, uint32_t flows);

/* Seconds of the median number of timeouts with the mean. */
double cs_tcp_loss_wait_s(double loss, double mean);
