/*
 * The period of a region: found by a hash of the state at rounds of its first lane,
 * proven by three equal states a period apart with equal growth of rounds and paths,
 * as for whole runs (sim/engine/repeat.h).
 *
 * A known period is proven again at the times when the region waits for arrivals: the
 * cycle then stays valid from turn to turn, as all regions wait at the same point of
 * their periods again.
 *
 * A jump goes as far as every lane has rounds of the same kind, and every arrival from
 * another region is that of the period before, later by the length of a period.
 */
#ifndef CS_SIM_FOLD_REGION_CYCLE_H
#define CS_SIM_FOLD_REGION_CYCLE_H

#include "sim/fold/region_state.h"

/* Pending events: into the queue at the time of the region; out of the queue, behind
 * `first` (or NULL), at the time of the queue. */
void cs_region_load(struct regions *regions, const struct region *region);
void cs_region_save(struct regions *regions, struct region *region,
                    const struct cs_event *first);

/* Begins a search for the period, of a region whose events are saved. */
void cs_region_begin_search(struct regions *regions,
                            const struct region *region);

/* After the rounds of a time: jumps, if a period is proven. */
void cs_region_search(struct regions *regions, struct region *region);

/* At the anchor, the time of a shot of a known period, with `next` as the first event
 * after: whether the cycle is valid.  The events are saved. */
bool cs_region_prove(struct regions *regions, struct region *region,
                     const struct cs_event *next);

/* Jumps over periods of the valid cycle of a region whose events are saved; false where
 * there are none. */
bool cs_region_jump(struct regions *regions, struct region *region);

#endif
