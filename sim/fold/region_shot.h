/*
 * Shots of regions (sim/engine/shot.h).
 */
#ifndef CS_SIM_FOLD_REGION_SHOT_H
#define CS_SIM_FOLD_REGION_SHOT_H

#include "sim/fold/region_state.h"

/* Takes the state of a region whose events are saved.  O(events + lanes + links). */
void cs_region_shoot(struct cs_shot *shot, const struct regions *regions,
                     const struct region *region);

#endif
