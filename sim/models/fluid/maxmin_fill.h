/*
 * Max-min fair rates by progressive filling: the rates of all flows from the
 * start, whatever the rates were.
 *
 * All flows go faster together, until a resource is saturated or flows are at
 * their limit; these flows have their rate, and the rest goes on (Bertsekas,
 * Gallager, Data Networks, 6.5.2).  Each round gives a rate to a flow or more,
 * so that the rounds are at most the flows, in exact numbers and in rounded
 * ones.  Levels never fall from round to round, which rounding could do.
 *
 *     fill   O(rounds x flows x route) at most; usually a few passes over
 *            the shares of flows
 */
#ifndef CS_SIM_MODELS_FLUID_MAXMIN_FILL_H
#define CS_SIM_MODELS_FLUID_MAXMIN_FILL_H

#include "sim/models/fluid/maxmin_state.h"

/* Gives all held flows their holder, and holders their level; lists both as
 * moved and changed. Afterwards nothing is stale. */
void cs_maxmin_fill(struct cs_maxmin *maxmin);

#endif
