/*
 * Rings: the order of the ranks in each ring of several concurrent rings.
 *
 * A table of orders with the inverse (the position of each rank) and the load
 * on the machine's links.  The orders come from the machine (machine_rings.h)
 * or from a file.
 *
 * The contention of c channels is the time that the busiest link needs for one
 * byte of each channel, relative to one byte alone on the slowest link in use:
 * 1 where every ring has wires of the narrowest rate for itself, c where all
 * rings share a port.
 */
#pragma once

#include "sim/net/net.h"

enum {
    CS_RINGS_MAX = 32 /* rings that a search returns */
};

struct cs_rings {
    uint32_t ranks;
    uint32_t count;        /* at least 1 */
    const uint32_t *order; /* ring c: order[c * ranks] and the next ranks - 1 */
    const uint32_t *place; /* position of rank r in ring c: [c * ranks + r] */
    /* With rings 0 to c in use: the load of the busiest link, in seconds per
     * byte of a ring, and the rate of the slowest link. */
    const double *load_s_per_byte, *slowest_Bps;
    uint32_t switched; /* steps that are not a single wire, of all rings */
    bool direct;       /* every step is a single wire */
    uint32_t wanted;   /* rings that a torus has; 0: unknown */
};

/* The table of `count` orders of all ranks; keeps `order`.  O(count x ranks)
 * routes. */
struct cs_rings *cs_rings_of_orders(const struct cs_net *net, uint32_t ranks, uint32_t count,
                                    const uint32_t *order, struct cs_arena *arena);

/* Contention of `channels` channels, at least 1, on rings in turn. */
double cs_rings_contention(const struct cs_rings *rings, uint32_t channels);

/* Bytes per second that all rings together pass on. */
double cs_rings_rate_Bps(const struct cs_rings *rings);
