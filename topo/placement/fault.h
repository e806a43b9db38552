/*
 * Faults: links and devices that are lost, or slower than they were.
 *
 *     gpu3-nvswitch:down        the wires between two devices
 *     n0.nic[0-1]:down          all wires of some devices
 *     leaf0:rate=50%            slower, as with half of the lanes
 *     leaf0:down@2ms            from then on; without a time from the start
 *     leaf0:up@5ms              as it was
 *
 * What is said last of a wire, in time and then in order, counts.  A wire that
 * is down keeps its number and its rate, carries nothing, and no route leads over
 * it: pairs whose route crossed it get one by search, as in route.h; the others
 * keep theirs.  Every rank must reach every other at the start; later somebody may
 * be cut off, until a later fault or for good.
 */
#ifndef CS_TOPO_PLACEMENT_FAULT_H
#define CS_TOPO_PLACEMENT_FAULT_H

#include "topo/graph/graph.h"

struct cs_fault {
    const char *text;  /* as it was given */
    const char *where; /* "gpu3-nvswitch" */
    double rate;       /* share that is left: 0 is down, 1 is up */
    uint64_t at_ps;
};

/* Reads one; `where` is in the arena and looked up by cs_faults_apply. */
int cs_fault_read(const char *text, struct cs_fault *fault,
                  struct cs_arena *arena, struct cs_err *err);

/* Changes the graph to what it is at that time.  CS_EINPUT for a name that it
 * does not have (with the nearest it has), for two devices without a wire, and
 * when somebody cannot reach somebody at the start: then with the first fault, in
 * the order given, that brought that about.  After the last fault that is told
 * in graph->cut.  What is said to be up and is not down or slower then is
 * remarked. */
int cs_faults_apply(const struct cs_fault *faults, uint32_t count,
                    uint64_t at_ps, struct cs_graph *graph, struct cs_err *err);

#endif
