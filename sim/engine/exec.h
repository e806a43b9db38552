/*
 * Execution: a program on a network, in simulated time.
 *
 * Every lane of every party runs its rounds as program.h defines; the model
 * computes when messages arrive.  A party reduces one received message at a
 * time, at its own rate (net.h), or in sequence with all work of its processor
 * where the model has processors (model.h).  The program is not stored: memory
 * is O(parties x lanes + messages in flight) and reused, so that the steady
 * state allocates nothing; many messages of a round take some 15 bytes each.
 *
 * The critical path is accumulated: each lane carries the four parts of the time
 * on the chain of sends, transfers and reductions that led to its present state.
 * No history is kept, and the four parts add up to the total exactly.
 *
 * Equal program, network and model give an equal result, bit for bit.
 */
#pragma once

#include "sim/engine/exec_request.h"

/*
 * Runs the program.  The net's parties are the program's, in order.  CS_EANSWER
 * where parties wait for ever or a message is never received, with ranks and
 * rounds in the message; CS_EINPUT where a route is missing or time passes
 * CS_TIME_MAX_PS; CS_ESTOPPED, with the result so far, where the monitor
 * requests a stop.
 */
int cs_exec_run(const struct cs_program *program, const struct cs_net *net,
                const struct cs_link_model *model, struct cs_arena *arena,
                struct cs_exec_result *result, struct cs_err *err);

/* The same with all options; a watch does not change the result. */
int cs_exec_run_watched(const struct cs_exec_request *request, struct cs_arena *arena,
                        struct cs_exec_result *result, struct cs_err *err);

/* CS_EINPUT: the bytes of all messages exceed 64 bits. */
int cs_exec_refuse_bytes(struct cs_err *err);
