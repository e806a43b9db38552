/*
 * Ring load: the bytes that several rings put on each link.
 *
 * All rings send the same number of bytes per step, so that the load of a
 * resource is the sum of 1/rate over the steps that pass the resource: seconds
 * per byte of a ring.  The resource with the largest load bounds the rate of
 * all rings together.
 *
 *     add, with   O(links of the route)
 */
#pragma once

#include "sim/net/net.h"

/* Rates come from divisions: equal rates differ by less than this factor. */
#define CS_RING_ROUNDING (1 + 1e-9)

/* A step of a ring, from rank to rank. */
struct cs_ring_step {
    uint32_t from, to;
};

struct cs_ring_tally {
    const struct cs_net *net;
    uint32_t *links;             /* room for a route, */
    struct cs_ring_route *route; /* and for what it passes */
    struct cs_ring_route **kept; /* of kept_parties x kept_parties; NULL: not yet */
    uint32_t kept_parties;       /* 0 on large machines */
    struct cs_arena *arena;
    double *resource_s_per_byte; /* by resource */
    double busiest_s_per_byte;   /* the largest of them so far */
    double slowest_Bps;          /* the slowest link of all steps so far */
    uint32_t switched;           /* steps so far that are not a single wire */
};

/* An empty tally; the arrays live in the arena. */
struct cs_ring_tally cs_ring_tally_new(const struct cs_net *net, struct cs_arena *arena);

/* Adds a step of `rings` rings; a negative number removes rings, but leaves
 * busiest and slowest, and counts the step again. */
void cs_ring_tally_add(struct cs_ring_tally *tally, struct cs_ring_step step, double rings);

/* The load of a route with one more ring: of the busiest resource, and the sum
 * of all resources. */
struct cs_route_load {
    double busiest_s, sum_s;
};

struct cs_route_load cs_route_load_with(const struct cs_ring_tally *tally,
                                        struct cs_ring_step step);

/* Order by the busiest resource, then by the sum. */
bool cs_route_load_less(struct cs_route_load a, struct cs_route_load b);
