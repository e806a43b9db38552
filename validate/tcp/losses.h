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
#ifndef CS_VALIDATE_TCP_LOSSES_H
#define CS_VALIDATE_TCP_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
