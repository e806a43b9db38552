/*
 * Collisions of hashed routes: the link between switches that carries most, and
 * the flows on it.
 */
#ifndef CS_SCENARIOS_WHY_ROUTES_H
#define CS_SCENARIOS_WHY_ROUTES_H

#include "scenarios/run/request/scenario.h"

/* "leaf0 -> spine3 (ib-ndr) carries 3 flows (...), 2.7 times the mean of its 16
 * equals", in the arena, of the first case of the scenario; NULL without such a
 * link.  Two simulations. */
const char *cs_why_collision(const struct cs_scenario *scenario, struct cs_arena *arena);

#endif
