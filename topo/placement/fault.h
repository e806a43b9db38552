/*
 * Faults: links and devices that fail, or lose a part of their rate.
 *
 *     gpu3-nvswitch:down        the wires between two devices
 *     n0.nic[0-1]:down          all wires of two devices
 *     leaf0:rate=50%            half the rate, unknown to planners
 *     leaf0:rate=50%,announced  half the rate, as a port that came up slower states
 *     leaf0:down@2ms            from 2 ms on; without a time from the start
 *     leaf0:up@5ms              the original state
 *
 * Of NICs that are one port (stripe.h) each keeps its name: n0.nic1:down takes
 * one of four shares from the port of nic0 to nic3.
 *
 * The last fault of a wire, in time and then in order, determines the state.  A
 * wire that is down keeps its number and rate, carries nothing, and is on no
 * route: a pair whose route crossed the wire gets a route by search (route.h);
 * other pairs keep their routes.  At the start every rank must reach every
 * other rank; a later fault may disconnect ranks, for a time or until the end.
 *
 * Slowness is rarely announced: a link that sends packets again reports its full
 * rate, and a library plans with that, as routing does.  Planners know what is down at the
 * start, and announced rates; routes know those, and what fails later.
 */
#pragma once

#include "topo/graph/graph.h"

struct cs_fault {
    const char *text;  /* of the user */
    const char *where; /* "gpu3-nvswitch" */
    double rate;       /* remaining fraction: 0 is down, 1 is up */
    uint64_t at_ps;
    bool announced; /* the reduced rate is known to planners */
};

/* Whether the fault reduces a rate without the knowledge of routes. */
static inline bool cs_fault_is_slow(const struct cs_fault *fault)
{
    return fault->rate > 0 && fault->rate < 1 && !fault->announced;
}

/* Whether it does so from the start, without the knowledge of planners. */
static inline bool cs_fault_is_hidden(const struct cs_fault *fault)
{
    return fault->at_ps == 0 && cs_fault_is_slow(fault);
}

/* The fault as planners and routes see the machine: the rate is whole. */
static inline struct cs_fault cs_fault_planned(struct cs_fault fault)
{
    if (cs_fault_is_slow(&fault))
        fault.rate = 1;
    return fault;
}

/* Parses a fault; `where` is in the arena, and cs_faults_apply resolves the
 * names. */
int cs_fault_read(const char *text, struct cs_fault *fault, struct cs_arena *arena,
                  struct cs_err *err);

/* Changes the graph to the state at a time.  CS_EINPUT for an unknown name
 * (with the nearest name), for two devices without a wire, and for ranks that
 * are disconnected at the start: the message has the first fault, in order,
 * that disconnects ranks.  Ranks that stay disconnected after the last fault
 * are in graph->cut.  A note reports an `up` without effect. */
int cs_faults_apply(const struct cs_fault *faults, uint32_t count, uint64_t at_ps,
                    struct cs_graph *graph, struct cs_err *err);
