/*
 * Replay: a program without time, carrying a value for each block it moves.
 *
 * Lanes run round robin, one round each, so that all lanes progress together and
 * few messages are in flight.  A sender continues when its message is received,
 * or when no lane can continue otherwise: sent blocks stay in use as long as
 * possible, so that concurrent writes to them are detected.  The meaning of
 * values and sums is the caller's (struct cs_algebra); only blocks of the window
 * have values.  The input never changes; scratch is kept whole, so a program
 * with scratch or moving blocks needs a window of all blocks.
 *
 * A SEND is done when it has been received, which is stricter than execution:
 * a program must not rely on messages that wait for their receive.
 *
 * Faults detected, each reported with rank, round and chunk: a receive that gets
 * unexpected blocks, a party that waits for ever, a message without a receive,
 * conflicting ops of one round, a sum that the algebra refuses, and where the algebra
 * asks for it, lanes that race for a block or a connection (races.h).
 */
#pragma once

#include "sim/proof/algebra.h"

/* Replays the whole program; afterwards the replay holds the final values of
 * the ranks. `*result` is made in any case and freed by the caller. */
int cs_replay_run(const struct cs_program *program, const struct cs_algebra *algebra,
                  struct cs_replay_window window, struct cs_replay **result, struct cs_err *err);
void cs_replay_free(struct cs_replay *replay);

/* The value of `party` in a block of the window, and the round of the last
 * receive into the block (CS_NEVER_WRITTEN). */
uint64_t cs_replay_value(const struct cs_replay *replay, uint32_t party, uint32_t block);
uint32_t cs_replay_written(const struct cs_replay *replay, uint32_t party, uint32_t block);

/* Whether several lanes of a party may have used one block or channel;
 * otherwise all orders of the lanes are equivalent. Known also without race
 * detection. */
bool cs_replay_shares(const struct cs_replay *replay);
uint64_t cs_replay_messages(const struct cs_replay *replay);
