/*
 * Parcels: messages and receives that wait for each other, and the values that
 * they move.
 */
#ifndef CS_SIM_PROOF_PARCEL_H
#define CS_SIM_PROOF_PARCEL_H

#include "sim/proof/state.h"

/* Starts an op that moves values: a message, a receive, a copy or sum within the
 * party. */
int cs_parcel_start(struct cs_replay *replay, uint32_t lane,
                    const struct cs_op *op);

/* No lane can go on: messages without a handshake that wait for their receives
 * count as arrived, and their senders, which kept their blocks in use as long
 * as possible, go on. */
void cs_parcel_let_senders_go(struct cs_replay *replay);

#endif
