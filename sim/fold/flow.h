/*
 * Flows: messages of a lane to one rank, all of the same parts of pieces.
 *
 * A flow is opened at its first message, with the time of a short and of a long
 * message on an idle machine; its resources must not serve a second lane.
 */
#ifndef CS_SIM_FOLD_FLOW_H
#define CS_SIM_FOLD_FLOW_H

#include "sim/fold/walk_state.h"

/* The flow of a SEND, or NULL: too many, or a resource is shared. */
struct pace_flow *cs_flow_of(struct pace *pace, uint32_t lane, const struct cs_op *op);

/* No other message of the round has used a resource of the flow. */
bool cs_flow_is_first(struct pace *pace, const struct pace_flow *flow);

#endif
