/*
 * The parameters of model `loggp` (loggp.c), and the bounds that follow.
 */
#pragma once

#include "sim/engine/model.h"

/*
 * The cost of a message in place of links: L, o, g, G of LogGP, O of LogGOPS and
 * S of LogGPS.
 *
 * A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, LogGP, SPAA 1995;
 * F. Ino, N. Fujimoto, K. Hagihara, LogGPS, PPoPP 2001; T. Hoefler,
 * T. Schneider, A. Lumsdaine, LogGOPSim, LSAP 2010.
 */
struct cs_loggp_params {
    uint64_t latency_ps;         /* L */
    uint64_t overhead_ps;        /* o: of the processor, each side */
    uint64_t gap_ps;             /* g: between messages of a port */
    double gap_ps_per_byte;      /* G */
    double overhead_ps_per_byte; /* O */
    uint64_t eager_bytes;        /* S: a longer message waits for its receive */
};

/* L = 2.5 us, o = 1.5 us, g = 1 us, G = 6 ns/B, O = 0, S = 65535 B: what
 * the defaults of LogGOPSim (simulator.ggo). */
extern const struct cs_loggp_params cs_loggp_typical;

/* One message alone: 2o + L - max(G, O) and max(G, O) a byte. */
struct cs_model_line cs_loggp_line(const struct cs_loggp_params *loggp);

/*
 * A net for lower bounds: the model is never faster than the links of this net.
 * Each party has a link to a hub and a link back, without routes.
 *
 *   in    a receive takes o + (m-1) max(G, O) of the processor, so at least
 *         min(o, max(G, O)) a byte;
 *   out   sends begin max(o + (m-1) O, g + (m-1) G) apart, and the last one
 *         needs L + o and its bytes more;
 *   both  a message takes 2o + L at least.
 */
void cs_loggp_bound_net(const struct cs_net *net, const struct cs_loggp_params *loggp,
                        struct cs_net *bound, struct cs_arena *arena);
