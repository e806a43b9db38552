/*
 * The events of the region that runs.  Arrivals from other regions are no state of the
 * region: the next of each inlet has an event while the region runs.
 */
#ifndef CS_SIM_FOLD_REGION_EVENTS_H
#define CS_SIM_FOLD_REGION_EVENTS_H

#include "sim/fold/region_state.h"

/* Pending events and expected arrivals: into the queue at the time of the region; out of
 * the queue, behind `first` (or NULL), at the time of the queue. */
void cs_region_load(struct regions *regions, const struct region *region);
void cs_region_save(struct regions *regions, struct region *region, const struct cs_event *first);

/* Adds an event for the next arrival; or ends what is known where it may come. */
void cs_region_expect(struct regions *regions, struct region_inlet *inlet);

/* No message of the lane that is unknown so far arrives sooner. */
uint64_t cs_region_soonest_ps(const struct regions *regions, uint32_t lane);

#endif
