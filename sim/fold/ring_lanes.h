/*
 * Ring lanes: neighbours, routes and sizes of the lanes of a program of rings.
 */
#ifndef CS_SIM_FOLD_RING_LANES_H
#define CS_SIM_FOLD_RING_LANES_H

#include "sim/fold/region_state.h"

/* Reads the lanes of regions->program; false where one of them is no ring, or differs in
 * rounds, or where sizes differ.  `*checked`: rounds compared. */
bool cs_ring_lanes_read(struct regions *regions, uint64_t seed, uint64_t *checked,
                        struct cs_arena *arena);

#endif
