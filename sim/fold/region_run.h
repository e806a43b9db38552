/*
 * The events of a region, in the order of the executor (sim/engine/round.h).
 */
#ifndef CS_SIM_FOLD_REGION_RUN_H
#define CS_SIM_FOLD_REGION_RUN_H

#include "sim/fold/region_state.h"

/* Runs the region as far as its arrivals are known; false where nothing happens. */
bool cs_region_run(struct regions *regions, struct region *region);

#endif
