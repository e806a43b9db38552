/*
 * Shots: the state of a region at a time, for comparison with its state at another
 * time, as snapshots of whole runs (sim/engine/snapshot.h).
 */
#ifndef CS_SIM_FOLD_REGION_SHOT_H
#define CS_SIM_FOLD_REGION_SHOT_H

#include "sim/fold/region_state.h"

/* Takes the state of a region whose events are saved.  O(events + lanes + links). */
void cs_region_shoot(struct region_shot *shot, const struct regions *regions,
                     const struct region *region);

/* Whether the states are equal, relative to their times. */
bool cs_region_shots_equal(const struct region_shot *a,
                           const struct region_shot *b);

/* Of three shots, a period apart each: whether rounds and paths have grown by equal
 * amounts in the two periods. */
bool cs_region_growth_is_equal(const struct region_shot *shots,
                               const struct region *region);

#endif
