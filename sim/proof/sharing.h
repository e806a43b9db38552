/*
 * Sharing: blocks and channels used by several lanes of a party.
 *
 * With few lanes and blocks the order of all uses is known (races.h), and two
 * unordered uses are refused.  Beyond the limits only ops that are in progress
 * at the same time in the replay are compared (struct activity).
 */
#ifndef CS_SIM_PROOF_SHARING_H
#define CS_SIM_PROOF_SHARING_H

#include "sim/proof/state.h"

enum cs_use cs_replay_use_of(enum cs_op_kind kind);

/* Whether the program needs the checks: programs of one lane, the most
 * frequent, do not. */
static inline bool cs_sharing_is_watched(const struct cs_replay *replay)
{
    return replay->uses.races || replay->uses.owner;
}

/* The op begins (step 1) or ends (step -1) its use of blocks; only with
 * replay->active. */
void cs_sharing_count(struct cs_replay *replay, const struct replay_parcel *parcel, int step);

static inline void cs_sharing_use(struct cs_replay *replay, const struct replay_parcel *parcel,
                                  int step)
{
    if (replay->uses.active)
        cs_sharing_count(replay, parcel, step);
}

/* Whether an op of a different lane conflicts with the op. Called before any op
 * of the round begins, when the lane itself has no op in progress. */
bool cs_sharing_collides(const struct cs_replay *replay, uint32_t lane, const struct cs_op *op);

/* Checks the order of uses: of an op at the start of its round; of a receive at
 * the arrival of its message; of an explicit channel. */
int cs_sharing_check_op(struct cs_replay *replay, uint32_t lane, const struct cs_op *op);
int cs_sharing_check_arrival(struct cs_replay *replay, const struct replay_parcel *receive,
                             const struct replay_parcel *message);
int cs_sharing_check_channel(struct cs_replay *replay, const struct replay_parcel *parcel,
                             const struct cs_op *op);

/* Orders made by the program: `lane` continues after `round` of a second lane;
 * a receiver gets the sender's clock and, with a handshake, the sender the
 * receiver's. */
void cs_sharing_order_wait(struct cs_replay *replay, uint32_t lane, uint32_t other, uint64_t round);
void cs_sharing_order_message(struct cs_replay *replay, const struct replay_parcel *receive,
                              const struct replay_parcel *message);

#endif
