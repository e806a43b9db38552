/*
 * Groups of flows by the resource that the flows cross and by their holder, and
 * limits as holders.  Both are found by hashing.
 */
#ifndef CS_SIM_MODELS_FLUID_MAXMIN_GROUPS_H
#define CS_SIM_MODELS_FLUID_MAXMIN_GROUPS_H

#include "sim/models/fluid/maxmin_state.h"

/* The holder of flows with that limit, created if missing.  O(1) expected. */
uint32_t cs_maxmin_limit_holder(struct cs_maxmin *maxmin, double limit_Bps);

/* The group of flows that cross `at` and are held by `by`, or CS_MAXMIN_NONE; a
 * new, empty group; and the end of an empty group.  O(1) expected. */
uint32_t cs_maxmin_find_group(const struct cs_maxmin *maxmin, uint32_t at, uint32_t by);
uint32_t cs_maxmin_new_group(struct cs_maxmin *maxmin, uint32_t at, uint32_t by);
void cs_maxmin_drop_group(struct cs_maxmin *maxmin, uint32_t number);

/* A share of that weight, already out of the list, has left the group, which is not
 * empty.  The weight is summed anew where the rounding errors of what has left
 * would count: O(1) amortized where weights are similar. */
void cs_maxmin_lighten_group(struct cs_maxmin *maxmin, uint32_t number, double weight);

#endif
