/*
 * Repetition: rounds that repeat are counted, not simulated.
 *
 * A ring, a pipeline or a tree of chunks soon runs in a period: after some rounds
 * the state relative to now (shot.h) equals that of an earlier time.  As long
 * as the ops of the following rounds equal those of the period as well, each
 * further period takes the same time, carries the same traffic and leads to the
 * same state.  The run then jumps over as many periods as the ops repeat, and is
 * simulated again from there: the result equals that of the full run in every
 * picosecond, byte and part of the critical path, on any machine.
 *
 *   - A hash of the state after rounds of a single lane finds a candidate period;
 *     three shots prove the period (period.h).
 *   - The ops of every round that is jumped over are compared with those of the
 *     round one period earlier, in kind, peer, channel and bytes.
 *
 * No jumps: where single messages are watched or delayed by noise, where the net
 * changes, with few rounds, with token buckets (burst_ps of a link), and in models
 * with further state (repeats is false in struct cs_link_model).  Blocks of unequal
 * size have no period.
 *
 *     round of the lane   O(events + lanes)
 *     candidate           O(state log state)
 *     jump                O(ops of the rounds jumped over)
 */
#pragma once

#include "sim/engine/period.h"
#include "sim/engine/shot.h"
#include "sim/engine/state.h"

enum {
    CS_REPEAT_HASHES = 1 << 12, /* a power of two */
    CS_REPEAT_FEW = 64,         /* rounds */
};

struct cs_repeat {
    bool is_on;
    uint32_t pivot; /* the lane whose rounds are counted */
    uint64_t round; /* of the pivot at the last test */
    uint64_t added; /* events until then */
    struct cs_period_search search;
    struct cs_repeat_hash {
        uint64_t hash;
        uint32_t test; /* + 1; 0: unused */
    } * hashes;
    uint32_t hash_count;
    struct cs_ops ops[2];
    uint64_t jumped; /* messages */
};

/* Prepares for jumps, if the run allows any and has `rounds_min` rounds of all
 * lanes or more; 0: no jumps. */
void cs_repeat_open(struct cs_repeat *repeat, const struct exec *exec, uint64_t rounds_min,
                    struct cs_arena *arena);
void cs_repeat_close(struct cs_repeat *repeat);

/* After the rounds that begin now: jumps, if a period is proven. CS_ESTOPPED
 * where the monitor requests a stop. */
int cs_repeat_test(struct cs_repeat *repeat, struct exec *exec, int (*update)(struct exec *exec));

/* Whether rounds are many enough for jumps to matter. */
static inline bool cs_repeat_may_jump(const struct cs_repeat *repeat, const struct exec *exec)
{
    return repeat->is_on && exec->lanes.lane[repeat->pivot].rounds > CS_REPEAT_FEW;
}

/* Whether a test is due: the pivot has begun a round.  A shot does not see what is
 * packed. */
static inline bool cs_repeat_is_due(const struct cs_repeat *repeat, const struct exec *exec)
{
    return repeat->is_on && !exec->packed.is_used &&
           exec->lanes.lane[repeat->pivot].round != repeat->round;
}

/*
 * Shots of whole runs: pending events in order, messages and receives by content,
 * lanes, queues and free times of resources and reducers; rounds are relative to the
 * round of the lane.  Two equal shots of one run have the same continuation as long
 * as the further ops of the lanes are equal.
 */

/* The state of now; the path of a lane with an op that has ended now.
 * O(state log state). */
void cs_snapshot_take(struct cs_shot *shot, const struct exec *exec);

/* A hash of times of events and of pending ops: different for different states,
 * mostly.  O(events + lanes). */
uint64_t cs_snapshot_hash(const struct exec *exec);
