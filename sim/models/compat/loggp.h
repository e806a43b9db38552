/*
 * The numbers of model `loggp` (sim/models/compat/loggp.c), and what follows from them.
 */
#ifndef CS_SIM_MODELS_COMPAT_LOGGP_H
#define CS_SIM_MODELS_COMPAT_LOGGP_H

#include "sim/net/net.h"

/* L = 2.5 us, o = 1.5 us, g = 1 us, G = 6 ns/B, O = 0, S = 65535 B: what
 * LogGOPSim takes where nothing else is said (its simulator.ggo). */
extern const struct cs_net_loggp cs_loggp_typical;

/* One message alone takes fixed + bytes * per_byte: 2o + L - max(G, O) and
 * max(G, O).  The fixed part may be negative. */
struct cs_loggp_line {
    double fixed_ps;
    double ps_per_byte;
};
struct cs_loggp_line cs_loggp_line(const struct cs_net_loggp *loggp);

/*
 * A net for lower bounds: what its links cannot do in a time, the model cannot
 * do in it.  Each party has one link to a hub and one back, without routes.
 *
 *   in    a receive takes o + (m-1) max(G, O) of the processor, so at least
 *         min(o, max(G, O)) a byte;
 *   out   sends begin max(o + (m-1) O, g + (m-1) G) apart, and the last one
 *         needs L + o and its bytes more;
 *   both  one message takes 2o + L at least.
 */
void cs_loggp_bound_net(const struct cs_net *net, struct cs_net *bound,
                        struct cs_arena *arena);

#endif
