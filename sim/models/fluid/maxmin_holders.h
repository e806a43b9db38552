/*
 * Flows change their holder, and resources become stale: whose level must be
 * computed again.
 *
 * Each call is O(resources of the flow), and O(log stale) for each resource that
 * becomes stale.
 */
#ifndef CS_SIM_MODELS_FLUID_MAXMIN_HOLDERS_H
#define CS_SIM_MODELS_FLUID_MAXMIN_HOLDERS_H

#include "sim/models/fluid/maxmin_state.h"

/* The level of the flows that the resource holds, and their weight; 0 or less:
 * other flows take all of the capacity.  INFINITY if the resource holds no
 * flow. */
double cs_maxmin_own_level(const struct cs_maxmin *maxmin, uint32_t id, double *weight);

/* Sums anew what flows of other holders take of the resource. */
void cs_maxmin_sum(struct cs_maxmin *maxmin, uint32_t id);

/* Other flows take `more_Bps` more of the resource, at level_Bps each. */
void cs_maxmin_take(struct cs_maxmin *maxmin, uint32_t id, double more_Bps, double level_Bps);

/* A flow takes part in solving, first held by its limit; or no longer does. */
void cs_maxmin_engage(struct cs_maxmin *maxmin, uint32_t number);
void cs_maxmin_disengage(struct cs_maxmin *maxmin, uint32_t number);

/* Another resource or limit holds the flow. */
void cs_maxmin_change_holder(struct cs_maxmin *maxmin, uint32_t number, uint32_t holder);

/* The flow is listed in `moved`, once. */
void cs_maxmin_note_moved(struct cs_maxmin *maxmin, uint32_t number);

#endif
