/*
 * Lower bounds: times that no algorithm can beat on a machine.
 *
 * For element-wise schemes (every message carries sums of contributions, as in
 * all libraries).  V is the vector, p the number of ranks.
 *
 *   cut    the bytes that have to enter or leave a set of ranks (crossing.h),
 *          over the rate into or out of the set.  For broadcast, reduce, gather,
 *          scatter, all-gather and reduce-scatter the set that binds most is
 *          found by maximum flow for any number of ranks (cuts.h).
 *   part   2 (m-1) V over the sum of the rates into m groups of ranks, for an
 *          all-reduce; the partition that binds most by maximum flow, too
 *          (strength.h).  An agent that reduces or copies on the way saves
 *          traffic between groups: with agents the cuts alone hold.
 *   pairs  the distances of all pairs of ranks, with a price on each link, over
 *          the sum of prices, for an all-to-all (pairs.h).
 *   sum    the cuts of all groups together, over the rates of all servers by
 *          which bytes can enter (leave) a group: tighter where groups share a
 *          bus (groups.h).  Groups: each rank alone; the parts into which the
 *          machine falls when all wires up to a rate are cut, for every rate.
 *   reach  every rank is informed of the first rank (of the root; or the root of
 *          every rank), by the quickest route, relays included.
 *   add    (p-1) V bytes have to be reduced by all parties together.
 *
 * The last byte still needs the latency of the link that the byte crosses.
 * Where directions share a server, what enters and what leaves share the
 * server's time.
 *
 * The bound is the greatest of all.  All-gather, reduce-scatter, broadcast and
 * reduce attain the cut's rate on machines whose wires are full duplex and equal
 * in both directions (Zhao et al., ForestColl: Throughput-Optimal Collective
 * Communications on Heterogeneous Network Fabrics, arXiv 2402.06787; Edmonds
 * 1973 for one root), an all-to-all that of the pairs.  The bound is the same to
 * the last bit whether the machine is replicated or in full.
 *
 * Left out: flows of networks with more than CS_BOUND_ARCS arcs, and partitions
 * of more than CS_BOUND_PARTITION_RANKS ranks, once identical hosts are merged;
 * reach and cuts of single groups for more than 2^20 links.
 */
#ifndef CS_ALGORITHMS_BOUNDS_BOUND_H
#define CS_ALGORITHMS_BOUNDS_BOUND_H

#include "algorithms/algo.h"
#include "topo/graph/graph.h"

enum {
    CS_BOUND_ARCS = 1 << 17,
    CS_BOUND_PARTITION_RANKS = 4096,
};

struct cs_bound {
    double time_s;
    const char *why; /* the argument that binds, for people; in the arena */
};

/* The collective and V as in algo.h. */
struct cs_bound_request {
    const struct cs_collective *collective;
    double vector_bytes;
    uint32_t root;
    /* Blocks are cut between elements, so lengths differ by up to an element;
     * 0: all blocks are equal. */
    uint32_t element_bytes;
    /* The network model shares ports alone: no cut inside binds. */
    bool ports_only;
};

/* 0 s for one rank.  Flows: those of cuts.h and strength.h; the rest
 * O((rates + 1) (links + devices)), where identical hosts count as one. */
struct cs_bound cs_bound_of(const struct cs_graph *graph,
                            const struct cs_net *net,
                            const struct cs_bound_request *request,
                            struct cs_arena *arena);

#endif
