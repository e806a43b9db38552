/*
 * Rounds: the lanes of the program, one round after the other.
 *
 * Rounds that can begin at the same time begin in the order of the numbers of
 * their lanes, when all events of that time are over: the order of events at one
 * time has no influence on the result.
 */
#ifndef CS_SIM_ENGINE_ROUND_H
#define CS_SIM_ENGINE_ROUND_H

#include "sim/engine/state.h"

/* The lane begins: now, or later by the program or by noise. */
void cs_exec_arrive(struct exec *exec, uint32_t lane);

/* Starts the current round of lane `number`, and the next ones while they are done at
 * once. */
int cs_exec_start_rounds(struct exec *exec, uint32_t number);

#endif
