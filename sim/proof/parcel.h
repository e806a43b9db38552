/*
 * Parcels: messages and receives that wait for their match, and the values they move.
 */
#ifndef CS_SIM_PROOF_PARCEL_H
#define CS_SIM_PROOF_PARCEL_H

#include "sim/proof/state.h"

/* Starts an op that moves values: a message, a receive, a copy or sum within the
 * party. */
int cs_parcel_start(struct cs_replay *replay, uint32_t lane, const struct cs_op *op);

/* Called when no lane can continue: messages without a handshake that wait for
 * their receives count as arrived, and their senders continue. Until then their
 * blocks stayed in use, for detection of concurrent writes. */
void cs_parcel_let_senders_go(struct cs_replay *replay);

#endif
