/*
 * Lower bounds: what no algorithm can beat on that machine.
 *
 * For element-wise schemes (every message carries sums of contributions, as
 * all libraries do).  With groups S_1 .. S_m of devices that hold all ranks
 * between them, s of p ranks in S:
 *
 *   sum    (m-1) V bytes have to leave the groups in a reduce-scatter or
 *          all-gather and 2 (m-1) V in an all-reduce, and as many to enter;
 *          over the rates of all servers that they can leave (enter) by.
 *          An all-reduce with a parameter server: only V by each group.
 *   cut    out of (into) one group go V in an all-reduce, (p-s)/p V (s/p V) in
 *          a reduce-scatter, s/p V ((p-s)/p V) in an all-gather.
 *   reach  every rank hears of rank 0, by the quickest way, relays included.
 *   add    (p-1) V bytes have to be added up by all parties together.
 *
 * The last byte still needs the latency of the link it leaves by.  Where
 * directions share a server, leaving and entering share its time.
 *
 * Groups tried: each rank alone, and the parts into which the machine falls
 * when all wires up to a rate are cut, for every rate there is.  Any groups give a
 * true bound; more of them could only raise it.
 *
 * P. Patarasuk and X. Yuan, JPDC 69(2), 2009, for the 2 (p-1) V of all-reduce;
 * groups contracted to one rank each give the rest.
 */
#ifndef CS_ALGORITHMS_BOUND_H
#define CS_ALGORITHMS_BOUND_H

#include "algorithms/algo.h"
#include "topo/graph.h"

struct cs_bound {
    double time_s;
    const char *why; /* the argument that binds, for people; in the arena */
};

/* O((rates + 1) (links + devices)).  0 s for one rank. */
struct cs_bound cs_bound_of(const struct cs_graph *graph,
                            const struct cs_net *net,
                            const struct cs_collective *collective,
                            double vector_bytes, struct cs_arena *arena);

#endif
