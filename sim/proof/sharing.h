/*
 * Sharing: blocks and channels that several lanes of a party use.
 *
 * With few enough lanes and blocks the order of all uses is known (races.h), and
 * two uses without an order are refused.  Else only ops that are in progress at
 * the same time in the replay are compared (struct activity).
 */
#ifndef CS_SIM_PROOF_SHARING_H
#define CS_SIM_PROOF_SHARING_H

#include "sim/proof/state.h"

enum cs_use cs_replay_use_of(enum cs_op_kind kind);

/* Is there anything to check?  Not in programs of one lane, most of them. */
static inline bool cs_sharing_is_watched(const struct cs_replay *replay)
{
    return replay->races || replay->owner;
}

/* The op begins (step 1) or ends (step -1) to use its blocks; only where
 * replay->active is there. */
void cs_sharing_count(struct cs_replay *replay,
                      const struct replay_parcel *parcel, int step);

static inline void cs_sharing_use(struct cs_replay *replay,
                                  const struct replay_parcel *parcel, int step)
{
    if (replay->active)
        cs_sharing_count(replay, parcel, step);
}

/* Is an op of another lane in conflict with this one?  Called before any op of
 * the round begins, when the lane itself has none in progress. */
bool cs_sharing_collides(const struct cs_replay *replay, uint32_t lane,
                         const struct cs_op *op);

/* Checks the order of uses: of the op when its round starts; of a receive when
 * its message arrives; of a channel with a number of its own. */
int cs_sharing_check_op(struct cs_replay *replay, uint32_t lane,
                        const struct cs_op *op);
int cs_sharing_check_arrival(struct cs_replay *replay,
                             const struct replay_parcel *receive,
                             const struct replay_parcel *message);
int cs_sharing_check_channel(struct cs_replay *replay,
                             const struct replay_parcel *parcel,
                             const struct cs_op *op);

/* Orders that the program makes: `lane` goes on after `round` of another lane;
 * a receiver knows of the sender's rounds and, with a handshake, the sender of
 * the receiver's. */
void cs_sharing_order_wait(struct cs_replay *replay, uint32_t lane,
                           uint32_t other, uint64_t round);
void cs_sharing_order_message(struct cs_replay *replay,
                              const struct replay_parcel *receive,
                              const struct replay_parcel *message);

#endif
