/*
 * MSCCL++ plans, run without time: the order of all operations, and a program.
 *
 * Thread blocks run until each of them is done or waits for ever.  On the way
 * every access to memory is checked against the earlier ones
 * (mscclpp/memory.h), and every operation becomes rounds of lanes:
 *
 *     a thread block     a lane; operations in order
 *     put                a send of that lane; a lane of the target, for the
 *                        puts of that lane, receives
 *     put on a port      the same from a lane of the channel, which the thread
 *                        block does not wait for
 *     packets            twice the bytes: values and flags
 *     get, read          a request of 8 bytes, and an answer from a lane of the
 *                        owner
 *     signal             arrives with the put before it to that GPU; without a
 *                        put just before it, a message of 8 bytes
 *     wait, barrier,     waits of lanes
 *     semaphore, flush
 *     switch channels    the switch is an agent that adds and copies; for a
 *                        group of some of the GPUs, or packets, loads from and
 *                        stores to each GPU
 *
 * Signals of a channel pair with its waits in order, releases of a semaphore
 * with acquires.  Every signal is awaited and every semaphore ends with its
 * initial value: the next launch starts from there.
 *
 * The launches of a plan on a GPU follow one another; those of two GPUs meet by
 * the signals of the plan alone.  So the plan is run again, against the accesses
 * of the launches before: twice, or three times with double scratch, where
 * every second launch has the same half.  That is enough for any number, as an
 * operation of one launch is over before the same operation of the next.
 *
 *     O(operations x actors + blocks of all operations)
 */
#pragma once

#include "algorithms/schedules/mscclpp/mscclpp.h"
#include "algorithms/schedules/schedule.h"

/* With `iterations` of each loop.  CS_EANSWER: the plan races or hangs;
 * CS_EINPUT: it is too large.  Fills lanes, blocks, scratch and the tables.
 * `again`: what is wrong with further launches, with CS_EANSWER, or CS_EINPUT
 * where they are too many operations for a proof; not written where they are
 * proved. */
int cs_mscclpp_run(const struct cs_mscclpp *plan, uint32_t iterations, struct cs_schedule *schedule,
                   struct cs_arena *arena, struct cs_err *again, struct cs_err *err);
