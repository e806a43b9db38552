/*
 * Memory that parties hold in addition to their vectors.
 *
 * Results count a message from its last byte until it is received or reduced.  A
 * watch on memory counts from the first byte on; without a watch this event does
 * not exist and costs nothing.
 */
#ifndef CS_SIM_ENGINE_HELD_H
#define CS_SIM_ENGINE_HELD_H

#include "sim/engine/state.h"

#include <assert.h>

/* Reports the memory of the party to exec->watch, which has `held`. */
void cs_exec_report_held(const struct exec *exec, uint32_t party);

/* A message that needs a buffer fills the buffer from its first byte on: with a
 * known end, and with an unknown end. Only with a watch on memory. */
void cs_exec_fill_from(struct exec *exec, uint32_t number, uint64_t at_ps);
void cs_exec_fill_at_soonest(struct exec *exec, uint32_t number);

/* Event of a message: arrival of its first byte. */
void cs_exec_fill(struct exec *exec, uint32_t number);

/* The buffer is full, or lost with the message: counted by cs_exec_hold(). */
void cs_exec_filled(struct exec *exec, uint32_t number);

static inline void cs_exec_hold(struct exec *exec, uint32_t number, uint64_t bytes)
{
    struct party *party = &exec->parties[number];
    uint64_t *most = number < exec->program->ranks ? &exec->result->extra_bytes_max
                                                   : &exec->result->agent_bytes_max;

    party->extra_bytes += bytes;
    if (party->extra_bytes > *most)
        *most = party->extra_bytes;
    if (exec->watches_memory)
        cs_exec_report_held(exec, number);
}

static inline void cs_exec_release(struct exec *exec, uint32_t number, uint64_t bytes)
{
    assert(exec->parties[number].extra_bytes >= bytes);
    exec->parties[number].extra_bytes -= bytes;
    if (exec->watches_memory)
        cs_exec_report_held(exec, number);
}

#endif
