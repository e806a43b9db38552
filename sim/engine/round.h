/*
 * Rounds: the lanes of the program, one round after the other.
 *
 * Rounds that can begin at the same time begin after all events of that time, in
 * the order of the turns of their lanes within a party, and then in the order of the
 * parties (struct cs_program); rounds that these make possible at once follow as a
 * second batch.  The order of simultaneous events then has no influence on the
 * result, and a renumbering of the parties changes the order only among lanes of
 * one number.
 */
#ifndef CS_SIM_ENGINE_ROUND_H
#define CS_SIM_ENGINE_ROUND_H

#include "sim/engine/state.h"

/* The lane begins: now, or later by the program or by noise. */
void cs_exec_arrive(struct exec *exec, uint32_t lane);

/* Starts the current round of lane `number`, and following rounds while rounds
 * complete immediately. */
int cs_exec_start_rounds(struct exec *exec, uint32_t number);

/* After a batch: starts the sends of agents (struct cs_program, served), by the
 * places of their receivers. */
int cs_exec_serve(struct exec *exec);

#endif
