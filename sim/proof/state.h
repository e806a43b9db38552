/*
 * The state of a replay, for the modules of the replay alone:
 *
 *     replay.c    opens, starts rounds, ends
 *     parcel.c    messages, receives, copies and sums: the values move
 *     rounds.c    checks of the ops of one round before it starts
 *     sharing.c   checks of ops of several lanes: in use at once, or unordered
 *     refusal.c   error messages
 */
#pragma once

#include "sim/base/collections/pool.h"
#include "sim/program/lanes.h"
#include "sim/program/matching.h"
#include "sim/proof/algebra.h"
#include "sim/proof/races.h"

/* A message or a posted receive; never both at once for the same pair. */
struct replay_parcel {
    struct cs_blocks blocks;
    uint64_t amount; /* bytes, where there are no blocks */
    uint64_t round;
    uint32_t lane;    /* of the sender, or of the receive */
    uint32_t place;   /* of the op in its round */
    uint32_t next;    /* list of unused parcels */
    uint8_t kind;     /* enum cs_op_kind */
    uint8_t buffer;   /* enum cs_buffer */
    bool handshake;   /* its sender waits for the receive */
    bool alone;       /* the only send of its round */
    bool away;        /* arrived, and its sender has continued */
    uint64_t *values; /* of the blocks in the window, kept for reuse */
    uint32_t capacity;
};

/* Blocks of a buffer. */
struct replay_run {
    enum cs_buffer buffer;
    struct cs_blocks blocks;
};

/* Ops in progress that use a block. */
struct activity {
    uint16_t reads;
    uint16_t adds;
    uint16_t replaces;
};

/* Lanes that can start a round: a ring. */
struct replay_queue {
    uint32_t *queue;
    uint32_t first, count;
};

/* Who uses a block. */
struct replay_uses {
    /* By slot, NULL unless the search for races would take too long. */
    struct activity *active;
    struct cs_races *races; /* NULL with one lane, or where `active` is not */
    /* By slot, 1 + the lane in use; NULL with one lane or with races. */
    uint32_t *owner;
    bool shares;       /* two lanes may use one block or named channel */
    uint32_t *written; /* by slot, the round; NULL for large programs */
    /* The last round with a given use of a block of output, then scratch. */
    uint64_t *used[CS_USES];
    uint64_t stamp;
};

struct cs_replay {
    const struct cs_program *program;
    const struct cs_algebra *algebra;
    struct cs_replay_window window;
    struct cs_err *err;
    struct cs_mailbox box;
    struct cs_ops ops;
    uint32_t sends; /* among them */
    struct cs_lanes lanes;
    struct replay_parcel *parcels;
    struct cs_pool parcel_pool;
    uint64_t *values; /* by slot: party x (window, then scratch) */
    uint32_t width;   /* blocks of window and scratch */
    struct replay_uses uses;
    struct replay_queue start;
    uint32_t *scattering; /* by rank: lanes before the end of the phase */
    uint64_t messages;
    uint64_t unfinished;
    struct cs_progress progress;
    uint64_t next_update; /* rounds begun until then */
};

/* The slot of a block of output or scratch. */
static inline size_t replay_slot(const struct cs_replay *replay, uint32_t party,
                                 enum cs_buffer buffer, uint32_t block)
{
    size_t row = (size_t)party * replay->width;

    if (buffer == CS_SCRATCH)
        return row + replay->window.count + block;
    return row + block - replay->window.first;
}

static inline bool in_window(const struct cs_replay *replay, enum cs_buffer buffer, uint32_t block)
{
    return buffer == CS_SCRATCH || block - replay->window.first < replay->window.count;
}

static inline uint32_t nth_block(const struct cs_replay *replay, enum cs_buffer buffer,
                                 uint32_t first, uint32_t i)
{
    uint64_t block = (uint64_t)first + i;
    uint32_t size = cs_program_extent(replay->program, buffer);

    return (uint32_t)(block >= size ? block - size : block);
}

/* The first index from `i` on into a run whose block is in the window, or the
 * length of the run: blocks outside the window cost nothing. */
static inline uint32_t next_in_window(const struct cs_replay *replay, enum cs_buffer buffer,
                                      struct cs_blocks run, uint32_t i)
{
    struct cs_replay_window window = replay->window;
    uint32_t blocks = replay->program->blocks;
    uint64_t block;
    uint64_t ahead;

    if (i >= run.count || buffer == CS_SCRATCH || window.count == blocks)
        return i;
    block = (uint64_t)run.first + i;
    if (block >= blocks)
        block -= blocks;
    if (block - window.first < window.count)
        return i;
    ahead = window.first + (block < window.first ? 0 : blocks) - block;
    return i + ahead < run.count ? (uint32_t)(i + ahead) : run.count;
}

/* Counts an op of the lane as done; after the last op the lane queues for its
 * next round. */
static inline void replay_op_done(struct cs_replay *replay, uint32_t lane)
{
    uint32_t at = replay->start.first + replay->start.count;

    if (!cs_lane_op_done(&replay->lanes.lane[lane]))
        return;
    replay->start.queue[at < replay->lanes.count ? at : at - replay->lanes.count] = lane;
    replay->start.count++;
}

/*
 * Parcels: messages and receives that wait for their match, and the values they move.
 */

/* Starts an op that moves values: a message, a receive, a copy or sum within the
 * party. */
int cs_parcel_start(struct cs_replay *replay, uint32_t lane, const struct cs_op *op);

/* Called when no lane can continue: messages without a handshake that wait for
 * their receives count as arrived, and their senders continue. Until then their
 * blocks stayed in use, for detection of concurrent writes. */
void cs_parcel_let_senders_go(struct cs_replay *replay);

/*
 * Refusals: why a program is wrong, as an error with rank, round and chunk.
 *
 * Each function fills replay->err and returns its code.
 */

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

/*
 * Sharing: blocks and channels used by several lanes of a party.
 *
 * With few lanes and blocks the order of all uses is known (races.h), and two
 * unordered uses are refused.  Beyond the limits only ops that are in progress
 * at the same time in the replay are compared (struct activity).
 */

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
