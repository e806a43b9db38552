/*
 * Receiving: messages into receives, and the work of a party.
 *
 * A message and a receive match in order (matching.h), whichever is first.
 * Arrived messages are reduced by the party's reducer, in the order of arrival,
 * or, in models with processors, by the processor of the party, which also does
 * copies, sums within a party and computation.
 */
#ifndef CS_SIM_ENGINE_RECEIVE_H
#define CS_SIM_ENGINE_RECEIVE_H

#include "sim/engine/state.h"

/* Ops of a lane, of `party`, start: a receive; a copy or sum within the party; a
 * time of computation. */
int cs_exec_receive(struct exec *exec, uint32_t party, uint32_t lane, const struct cs_op *op);
void cs_exec_reduce_local(struct exec *exec, uint32_t lane, const struct cs_op *op);
void cs_exec_compute(struct exec *exec, uint32_t lane, const struct cs_op *op);

/* The last byte of message `number` has arrived, and is received at `at_ps`. */
int cs_exec_delivered(struct exec *exec, uint32_t number, uint64_t at_ps);

/* Events of a receive: the party is free to post; request of the processor; end
 * of the reduction. */
int cs_exec_post(struct exec *exec, uint32_t number);
void cs_exec_work(struct exec *exec, uint32_t number);
void cs_exec_reduced(struct exec *exec, uint32_t number);

#endif
