/*
 * The period of a region: found by a hash of the state at rounds of its first lane,
 * proven by three equal states a period apart with equal growth of rounds and paths,
 * as for whole runs (sim/engine/repeat.h).
 *
 * A known period is proven again in each turn, from its first state on: the cycle then
 * stays valid from turn to turn where the region stops at the end of a period.
 *
 *     search   O(lanes of the region) for each round of its first lane, and a shot
 *              (region_shot.h) of each candidate; failures double the pause to the next
 */
#ifndef CS_SIM_FOLD_REGION_CYCLE_H
#define CS_SIM_FOLD_REGION_CYCLE_H

#include "sim/fold/region_state.h"

/* Begins a search for the period of the region that runs. */
void cs_region_begin_search(struct regions *regions, struct region *region);

/* After the rounds of a time: jumps, if a period is proven. */
void cs_region_search(struct regions *regions, struct region *region);

/* At the anchor, the time of a shot of a known period, before the events of that time,
 * of which `next` (or NULL) is the first: whether the cycle is valid.  The events are
 * saved. */
bool cs_region_prove(struct regions *regions, struct region *region, const struct cs_event *next);

#endif
