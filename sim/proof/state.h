/*
 * The state of a replay, for the modules of the replay alone:
 *
 *     replay.c    opens, starts rounds, ends
 *     parcel.c    messages, receives, copies and sums: the values move
 *     rounds.c    checks of the ops of one round before it starts
 *     sharing.c   checks of ops of several lanes: in use at once, or unordered
 *     refusal.c   error messages
 */
#ifndef CS_SIM_PROOF_STATE_H
#define CS_SIM_PROOF_STATE_H

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

#endif
