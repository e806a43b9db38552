/*
 * Shots of whole runs: pending events in order, messages and receives by content,
 * lanes, queues and free times of resources and reducers; rounds are relative to the
 * round of the lane.  Two equal shots of one run have the same continuation as long
 * as the further ops of the lanes are equal.
 */
#ifndef CS_SIM_ENGINE_SNAPSHOT_H
#define CS_SIM_ENGINE_SNAPSHOT_H

#include "sim/engine/shot.h"
#include "sim/engine/state.h"

/* The state of now; the path of a lane with an op that has ended now.
 * O(state log state). */
void cs_snapshot_take(struct cs_shot *shot, const struct exec *exec);

/* A hash of times of events and of pending ops: different for different states,
 * mostly.  O(events + lanes). */
uint64_t cs_snapshot_hash(const struct exec *exec);

#endif
