/*
 * Checks of a round before its start: single ops, pairs of ops of the round, and
 * conflicts with further lanes (sharing.h).
 *
 *     ops of a round   O(n^2) for up to 8, else O(blocks)
 */
#ifndef CS_SIM_PROOF_ROUNDS_H
#define CS_SIM_PROOF_ROUNDS_H

#include "sim/proof/state.h"

/* Checks replay->ops, the ops of the lane's current round. */
int cs_replay_check_round(struct cs_replay *replay, uint32_t lane);

#endif
