/*
 * Room: whether a run fits in memory at all.
 */
#ifndef CS_SCENARIOS_RUN_MEMORY_LIMIT_H
#define CS_SCENARIOS_RUN_MEMORY_LIMIT_H

#include "scenarios/run/run.h"

/*
 * CS_ECANNOT where the messages of the first rounds alone, which are under way
 * at once, take more than the memory of this computer, and are too many to be
 * folded.  The program is there.  O(operations of a few rounds).
 */
int cs_room_check(const struct cs_run *run);

#endif
