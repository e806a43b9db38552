/*
 * Refusals: why a program is wrong, as an error with rank, round and chunk.
 *
 * Each function fills replay->err and returns its code.
 */
#ifndef CS_SIM_PROOF_REFUSAL_H
#define CS_SIM_PROOF_REFUSAL_H

#include "sim/proof/state.h"

/* A message with other blocks than the receive expects. */
int cs_refuse_blocks(const struct cs_replay *replay, const struct replay_parcel *receive,
                     const struct replay_parcel *message);

/* A sum refused by the algebra; 0 is the value of nothing. */
int cs_refuse_sum(const struct cs_replay *replay, const struct replay_parcel *parcel,
                  uint32_t block, uint64_t value);

/* An op of the lane's current round; `why` follows its place. */
int cs_refuse_op(const struct cs_replay *replay, uint32_t lane, struct cs_blocks blocks,
                 const char *why);

/* Two lanes without an order: for a block, for a channel. */
int cs_refuse_race(const struct cs_replay *replay, uint32_t lane, uint32_t block,
                   struct cs_race_round other);
int cs_refuse_sharing(const struct cs_replay *replay, const struct replay_parcel *parcel,
                      uint32_t peer, struct cs_race_round other);

/* 0, or a message that is never received. */
int cs_refuse_mail(const struct cs_replay *replay);

/* A party waits for ever: to receive, to be received, for another lane. */
int cs_refuse_deadlock(const struct cs_replay *replay);

#endif
