/*
 * Rings: in which order the ranks stand in each ring of a multi-ring.
 *
 * Of a machine whose ranks are joined by wires of their own (NVLink bridges, a
 * cube mesh, a torus) they are circuits that share no lane (ring_search.h).  A
 * lane is so much of a wire's rate as the narrowest wire has that counts, and
 * which those are is tried: of 20 and 40 GB/s, six rings of 20 or two of 40;
 * most bytes per second win.  A wire counts that joins two ranks, is their way,
 * and serves each direction apart.
 *
 *     DGX-1 (V100): 0-3-2-1-5-6-7-4 over double links, each way twice, and
 *     over single links one ring each way
 *
 * On several nodes alike the rings are those of one node, cut open and joined,
 * each where the routes to the next node are the least busy, so that rings leave
 * by different adapters.  There are as many rings as carry the most, up to twice
 * those of a node (or again twice, while that helps): with one adapter of eight
 * lost, seven rings over the seven rails that are whole.  Where the ranks of a
 * node have no wires to each other its rings are strides (pattern.h) or, where
 * adapters are left over then, strides with any two ranks as ends; unless strides
 * over all ranks carry more.
 *
 * Bytes that go round in step pass the busiest link at `crowd` times what they
 * would take alone on the slowest link there is: 1 where every ring has lanes
 * of its own on the narrowest wires, the number of rings where they share a port.
 */
#ifndef CS_ALGORITHMS_SHARED_RINGS_H
#define CS_ALGORITHMS_SHARED_RINGS_H

#include "sim/net/net.h"

enum {
    CS_RINGS_MAX = 32,           /* that are looked for */
    CS_RINGS_GROUP_MAX = 128,    /* ranks among which they are */
    CS_RINGS_RANKS_MAX = 1 << 12 /* of all computers */
};

struct cs_rings {
    uint32_t ranks;
    uint32_t count;        /* at least 1 */
    const uint32_t *order; /* ring c: order[c * ranks], and so on, and back */
    const uint32_t *place; /* of rank r in it: place[c * ranks + r] */
    /* When rings 0 to c are used: the busiest link's seconds per byte that each
     * ring sends over it, and the slowest link. */
    const double *load_s_per_byte, *slowest_Bps;
    bool direct; /* each step is a single wire */
};

/* Those of a machine, whose ranks come in computers of `group` (0, 1 or all: they
 * are looked at as one); NULL where any order serves or none is found, and on
 * machines beyond the limits.  O(ranks x group) routes a number of rings, for up
 * to 32 of them, and up to eight searches. */
const struct cs_rings *cs_rings_of_machine(const struct cs_net *net,
                                           uint32_t ranks, uint32_t group,
                                           struct cs_arena *arena);

/* Rings in given orders, each of which names every rank once; they are kept. */
const struct cs_rings *cs_rings_of_orders(const struct cs_net *net,
                                          uint32_t ranks, uint32_t count,
                                          const uint32_t *order,
                                          struct cs_arena *arena);

/* With so many channels, which go round the rings; at least 1. */
double cs_rings_contention(const struct cs_rings *rings, uint32_t channels);

#endif
