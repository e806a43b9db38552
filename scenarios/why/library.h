/*
 * Causes of the time of a library's call, each by the cost model without it.
 */
#ifndef CS_SCENARIOS_WHY_LIBRARY_H
#define CS_SCENARIOS_WHY_LIBRARY_H

#include "scenarios/why/causes.h"

/* The call of the scenario's options: its record, and the causes, the largest gain
 * first.  Memory is in the arena.  CS_EINPUT as for `collsim run --library`, and for
 * several calls.  O(engines x protocols) calls of the cost model. */
int cs_why_library(struct cs_scenario *scenario, struct cs_arena *arena, struct cs_why *why,
                   struct cs_err *err);

#endif
