/*
 * Changes of the net while messages are in flight (struct cs_net_change).
 *
 * A change is two events: the change itself, and `failover_ps` later the switch to
 * routes that avoid failed links.
 */
#ifndef CS_SIM_ENGINE_CHANGE_H
#define CS_SIM_ENGINE_CHANGE_H

#include "sim/engine/state.h"

void cs_exec_plan_changes(struct exec *exec);

/* Event of change `number`; numbers from the count of changes on mean that a
 * change becomes known. */
int cs_exec_change(struct exec *exec, uint32_t number);

#endif
