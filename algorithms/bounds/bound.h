/*
 * Lower bounds: what no algorithm can beat on that machine.
 *
 * For element-wise schemes (every message carries sums of contributions, as
 * all libraries do).  With groups S_1 .. S_m of devices that hold all ranks
 * between them, s of p ranks in S:
 *
 *   cut    what has to go out of (into) one group: V in an all-reduce,
 *          (p-s)/p V (s/p V) in a reduce-scatter, s/p V ((p-s)/p V) in an
 *          all-gather, s (p-s)/p V in an all-to-all; V where a broadcast's or
 *          reduction's root is on the other side.
 *   sum    the cuts of all groups together, over the rates of all servers by
 *          which bytes can leave (enter) a group.  What leaves one group
 *          enters another, unless an agent sums or copies it on the way; without
 *          agents an all-reduce moves 2 (m-1) V.
 *   reach  every rank hears of the first rank (of the root; or the root of
 *          every rank), by the quickest way, relays included.
 *   add    (p-1) V bytes have to be added up by all parties together.
 *
 * The last byte still needs the latency of the link it leaves by.  Where
 * directions share a server, leaving and entering share its time.
 *
 * Groups tried: each rank alone; the parts into which the machine falls when
 * all wires up to a rate are cut, for every rate there is; and, for up to
 * CS_MINCUT_RANKS_MAX ranks, every set of ranks and every partition, with
 * switches where they bind most (mincut.h, partition.h).  Any groups give a true
 * bound; more of them could only raise it.  Of a machine with more than 2^20
 * links, `reach` and the cuts of single groups are left out.  The bound is the
 * same to the last bit whether the machine is replicated or in full.
 *
 * P. Patarasuk and X. Yuan, JPDC 69(2), 2009, for the 2 (p-1) V of all-reduce;
 * groups contracted to one rank each give the rest.
 */
#ifndef CS_ALGORITHMS_BOUNDS_BOUND_H
#define CS_ALGORITHMS_BOUNDS_BOUND_H

#include "algorithms/algo.h"
#include "topo/graph/graph.h"

struct cs_bound {
    double time_s;
    const char *why; /* the argument that binds, for people; in the arena */
};

/* What is asked for: V as in algo.h. */
struct cs_bound_request {
    const struct cs_collective *collective;
    double vector_bytes;
    uint32_t root;
    /* Blocks are cut between elements, so some are longer; 0: all are equal. */
    uint32_t element_bytes;
    /* The network model shares ports alone: no cut inside binds. */
    bool ports_only;
};

/* O((rates + 1) (links + devices)), where computers alike count as one, and
 * O(ranks) a rate.  0 s for one rank. */
struct cs_bound cs_bound_of(const struct cs_graph *graph,
                            const struct cs_net *net,
                            const struct cs_bound_request *request,
                            struct cs_arena *arena);

#endif
