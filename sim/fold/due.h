/*
 * Due times: bounds of the time at which something is done, in every copy.
 */
#ifndef CS_SIM_FOLD_DUE_H
#define CS_SIM_FOLD_DUE_H

#include "sim/fold/walk_state.h"

/* Adds a message of the flow, of a block of that piece. */
void cs_due_add_trip(const struct pace *pace, struct due *due, const struct pace_flow *flow,
                     uint32_t piece);

/* Adds the reduction of a parcel. */
void cs_due_add_take(const struct pace *pace, struct due *due, const struct pace_parcel *parcel);

/* *due becomes the later of both. */
void cs_due_wait_for(const struct pace *pace, struct due *due, const struct due *other);

#endif
