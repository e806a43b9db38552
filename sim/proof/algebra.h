/*
 * The algebra of a replay: the meaning of values and sums, the moves that the replay
 * reports, and the window of blocks that have values (replay.h).
 */
#pragma once

#include "sim/base/err.h"
#include "sim/engine/progress.h"
#include "sim/program/program.h"

enum {
    CS_NEVER_WRITTEN = UINT32_MAX
};

struct cs_replay;
struct cs_race_groups;

/* One end of a move. A move is a message with its matching receive, or one
 * block moved by a copy or sum within a party: both ends are then the same
 * round of one lane. */
struct cs_replay_end {
    struct cs_at at;
    uint32_t place; /* of the op in its round */
    enum cs_buffer buffer;
    struct cs_blocks blocks;
};

struct cs_replay_move {
    struct cs_replay_end from;
    struct cs_replay_end to;
    bool adds;              /* to the present value; else replaces it */
    uint64_t amount;        /* bytes, where there are no blocks */
    const uint64_t *values; /* of the blocks in the window, in their order */
};

enum {
    /* A round of a program with many lanes takes up to 50 us. */
    CS_PROOF_STEPS = 128
};

struct cs_algebra {
    /* Contribution of `rank` to `block`; agents begin with 0, nothing. */
    uint64_t (*initial)(const void *ctx, uint32_t rank, uint32_t block);
    /* a + b in *sum, or false where the sum is invalid. Not called for an empty
     * block of an agent, which takes the added value. */
    bool (*add)(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum);
    const void *ctx;
    /* Called when a rank has done its reduce-scatter rounds; may be NULL. */
    void (*scattered)(void *watcher, const struct cs_replay *replay, uint32_t rank);
    /* Called when a move is done, causes before effects; may be NULL. */
    void (*moved)(void *watcher, const struct cs_replay_move *move);
    void *watcher;
    const struct cs_monitor *monitor; /* every CS_PROOF_STEPS rounds; or NULL */
    /* The replay looks for races in part `order_part` - 1 of cs_races_parts; 0: in none, it
     * notes only whether lanes share anything. */
    uint32_t order_part;
    /* Of the lanes: used by a replay that looks for races, joined by one that does not.
     * NULL: one group. */
    const struct cs_race_groups *groups;
};

struct cs_replay_window {
    uint32_t first;
    uint32_t count;
};
