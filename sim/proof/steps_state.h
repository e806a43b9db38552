/*
 * The state of steps while they are built, for steps.c and its modules alone.
 *
 *     steps_moves.c   replays the program and keeps its moves and values
 *     lockstep.c      the times of rounds where every message takes one unit
 */
#pragma once

#include "sim/program/lanes.h"
#include "sim/proof/replay.h"
#include "sim/proof/step.h"

/* A value of the replay: the set of ranks, and in the upper bits the original
 * block, plus one; 0 is nothing.  More ranks take all bits: blocks stay in their places. */
enum {
    ORIGIN_SHIFT = CS_STEPS_ORIGIN_RANKS_MAX
};

/* A move of the replay; for the state, one block of it. */
struct move {
    struct cs_replay_end from;
    struct cs_replay_end to;
    bool adds;
    bool local;
    uint64_t amount;
    uint32_t values;   /* index of the first */
    uint64_t sent_at;  /* lockstep time: the round of the sender starts */
    uint64_t taken_at; /* and it is received */
};

/* Times of the rounds of a lane in lockstep. */
struct steps_lane {
    uint64_t rounds;
    uint64_t *start; /* rounds + 1: the last is the end */
    bool *sends;
    const struct cs_op *waits; /* by round; kind WAIT or not */
};

struct steps_builder {
    const struct cs_program *program;
    struct cs_arena *arena;
    struct cs_steps *steps;
    struct move *moves;
    uint32_t move_count, move_capacity;
    uint32_t messages;
    uint64_t *values;
    uint32_t value_count, value_capacity;
    struct steps_lane *lanes;
    uint64_t *step_time; /* of each step, in ascending order */
};

/* Replays the program and fills builder->moves and ->values. */
int cs_steps_replay(struct steps_builder *builder, struct cs_err *err);

/* Values of a program of so many ranks: their set, and the original block, or
 * CS_STEPS_MIXED; union of two contributions; promised result, 0 without a promise. */
uint64_t cs_steps_ranks_of(uint32_t ranks, uint64_t value);
uint16_t cs_steps_origin_of(uint32_t ranks, uint64_t value);
uint64_t cs_steps_join(uint32_t ranks, uint64_t a, uint64_t b);
uint64_t cs_steps_goal(const struct cs_program *program, uint32_t rank, uint32_t block);
uint64_t cs_steps_initial(const void *ctx, uint32_t rank, uint32_t block);

/* Finds the rounds of all lanes, then the lockstep times of lanes and moves. */
void cs_steps_open_lanes(struct steps_builder *builder);
void cs_steps_lockstep(struct steps_builder *builder);
