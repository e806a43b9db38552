/*
 * Own waiting: which part of a flow's waiting is due to flows of the same
 * sender.  On a path this part is bandwidth, not contention (model.h).
 *
 * While the bottleneck of a flow carries flows of one sender only, as a sender's
 * port does, the time beyond the time at the flow's limit is own waiting.  A
 * bottleneck that flows of several senders have used since the resource was last
 * idle counts as contention, also for the sender's own share: a lower bound of
 * own waiting, for O(hops) a message.  With cross traffic (fluid.h) nothing is
 * counted: acknowledgements of other senders use the resources, too.
 */
#ifndef CS_SIM_MODELS_FLUID_OWN_WAIT_H
#define CS_SIM_MODELS_FLUID_OWN_WAIT_H

#include "sim/models/fluid/state.h"

/* Flow `number` begins, or ends, to use the resources of its route. */
void cs_own_wait_enter(struct cs_traffic *traffic, uint32_t number);
void cs_own_wait_leave(struct cs_traffic *traffic, uint32_t number);

/* The flow, as in `before`, has kept its holder until now and has left_bytes
 * left: counts own waiting of this time. */
void cs_own_wait_count(struct cs_traffic *traffic, uint32_t number, const struct fluid_flow *before,
                       double left_bytes);

#endif
