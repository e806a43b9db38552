/*
 * Jumps over periods of a region (region_cycle.h).
 *
 * A jump goes as far as every lane has rounds of the same kind, and every arrival from
 * another region is that of the period before, later by the length of a period.  Where
 * this holds for all regions, with one period and with the arrivals that they still
 * send each other, all jump together: arrivals of the future are then those of the
 * period before by induction over time.
 *
 *     jump   O(lanes + links + pending events), whatever the number of periods
 */
#ifndef CS_SIM_FOLD_REGION_JUMP_H
#define CS_SIM_FOLD_REGION_JUMP_H

#include "sim/fold/region_state.h"

/* Jumps over periods of the valid cycle of a region whose events are saved; false where
 * there are none. */
bool cs_region_jump(struct regions *regions, struct region *region);

/* Jumps over as many periods as all regions have rounds for, where the cycles of all
 * are valid and continue each other; else false. */
bool cs_regions_jump(struct regions *regions);

#endif
