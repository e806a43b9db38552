/*
 * Alike: devices that a run cannot tell apart, as the ranks may be turned.
 *
 * The ranks are turned by one, else by those of a node: rank r does what r + s
 * does then, with every peer turned too.  That is verified and not assumed: each
 * op of the program, its route, of all links on these the rate, the latency and
 * which of them share a server, and that every wire of the machine becomes one
 * that is there, so that detours find the same.  (Of equal detours a route depends
 * on its source's number.)
 */
#ifndef CS_SCENARIOS_RUN_SYMMETRY_H
#define CS_SCENARIOS_RUN_SYMMETRY_H

#include "scenarios/run/run.h"

enum {
    CS_IDENTICAL_NONE = UINT32_MAX
};

/* Of an opened stage: of each device the one that it becomes; NULL where no turn
 * is known.  In the arena.  O(ops x hops + wires log wires). */
const uint32_t *cs_identical_devices(const struct cs_run *run,
                                     struct cs_arena *arena);

#endif
