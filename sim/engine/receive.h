/*
 * Receiving: messages into receives, and the work of a party.
 *
 * A message and a receive match in order (matching.h), whichever is first.  What
 * arrives is reduced by the party's one reducer, in the order of arrival, or by
 * the processor that does all the work of a party in models that have one; so are
 * copies, sums within a party and computation.
 */
#ifndef CS_SIM_ENGINE_RECEIVE_H
#define CS_SIM_ENGINE_RECEIVE_H

#include "sim/engine/state.h"

/* Ops of a lane start: a receive; a copy or sum within the party; a time of
 * computation. */
int cs_exec_receive(struct exec *exec, uint32_t lane, const struct cs_op *op);
void cs_exec_reduce_local(struct exec *exec, uint32_t lane,
                          const struct cs_op *op);
void cs_exec_compute(struct exec *exec, uint32_t lane, const struct cs_op *op);

/* The last byte of message `number` has arrived, and is received at `at_ps`. */
int cs_exec_delivered(struct exec *exec, uint32_t number, uint64_t at_ps);

/* Events of a receive: its party is free to post it; it requests the
 * processor; its reduction is done. */
int cs_exec_post(struct exec *exec, uint32_t number);
void cs_exec_work(struct exec *exec, uint32_t number);
void cs_exec_reduced(struct exec *exec, uint32_t number);

#endif
