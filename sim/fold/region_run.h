/*
 * A turn of a region: its events, in the order of the executor (sim/engine/round.h), up
 * to the horizon, the least time at which an arrival may come that is not known yet.
 * Events at the horizon itself are left for the next turn, so that rounds begin after
 * all arrivals of their time.
 *
 *     O(events of the turn + lanes and links of the region)
 */
#ifndef CS_SIM_FOLD_REGION_RUN_H
#define CS_SIM_FOLD_REGION_RUN_H

#include "sim/fold/region_state.h"

/* Simulates the region up to the horizon; false: there was no event before it. */
bool cs_region_run(struct regions *regions, struct region *region);

#endif
