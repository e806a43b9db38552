/*
 * Symmetry: devices that are equal by a shift of the ranks.
 *
 * Ranks are shifted by one, otherwise by the ranks of a node: rank r then does
 * what rank r + s does, with every peer shifted as well.  The symmetry is
 * verified, not assumed: every op of the program; every route with the rates,
 * latencies and shared resources of its links; and every wire of the machine
 * must map to a wire, so that detours map as well.  (Among equal detours a
 * route depends on the number of its source.)
 */
#ifndef CS_SCENARIOS_RUN_SYMMETRY_H
#define CS_SCENARIOS_RUN_SYMMETRY_H

#include "scenarios/run/run.h"

enum {
    CS_IDENTICAL_NONE = UINT32_MAX
};

/* The image of each device of an open run; NULL where no shift is a symmetry.
 * In the arena.  O(ops x hops + wires log wires). */
const uint32_t *cs_identical_devices(const struct cs_run *run,
                                     struct cs_arena *arena);

#endif
