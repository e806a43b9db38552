/*
 * Changes of the net while messages are in flight (struct cs_net_change).
 *
 * A change is two events: it happens, and `failover_ps` later routes avoid it.
 */
#ifndef CS_SIM_ENGINE_CHANGE_H
#define CS_SIM_ENGINE_CHANGE_H

#include "sim/engine/state.h"

void cs_exec_plan_changes(struct exec *exec);

/* Change `number` happens or, numbered behind all of them, becomes known. */
int cs_exec_change(struct exec *exec, uint32_t number);

#endif
