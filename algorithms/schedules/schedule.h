/*
 * Schedules: an imported program as a table.
 *
 * Most rounds of a schedule repeat an earlier round: the table holds each
 * distinct round, a shape, once, and a number for each round.  The round of a
 * WAIT is stored as a distance, so that the waits of a pipeline are equal.
 *
 * A maker collects the rounds rank by rank, in any order of ranks; a rank
 * without an entry has no rounds.  cs_schedule_algo() makes an algorithm whose
 * functions look up the table.
 *
 *     lane, round, op   amortised O(1)
 *     look-up           O(ops of the round)
 *     memory            8 bytes a round, 48 bytes or more a shape
 */
#pragma once

#include "algorithms/algo.h"

enum {
    /* A rank, and a lane of a rank, have state in the simulator and the
     * prover, about 100 and 200 bytes. */
    CS_SCHEDULE_RANKS_MAX = 1 << 20,
    CS_SCHEDULE_LANES_MAX = 1 << 22, /* of all ranks */
};

/* Distinct ops of a round. */
struct cs_schedule_shape {
    const struct cs_op *op; /* WAIT: `source` is this round less that round */
    uint32_t count;
};

struct cs_schedule_rank {
    uint32_t lanes;
    const uint32_t *first; /* by lane: first round; and the end */
    const uint32_t *shape; /* by round */
    const uint32_t *line;  /* by round: line of the file, see numbers_ops */
};

struct cs_schedule {
    const char *file; /* source of the schedule, for messages */
    /* The table for vectors of `from_bytes` on, of more rounds; or NULL. */
    const struct cs_schedule *longer;
    uint64_t from_bytes;
    uint32_t ranks;
    uint32_t agents; /* parties behind the ranks */
    uint32_t lanes;  /* of the rank with the most */
    uint32_t blocks;
    uint32_t scratch;
    bool numbers_ops; /* a binary file: lines are numbers of ops of the rank */
    const struct cs_schedule_rank *rank;
    const struct cs_schedule_shape *shape;
    /* `turn` by party and lane, and `order` by party, of struct cs_program; or NULL. */
    uint32_t *turn, *order;
};

/* Opened for a number of ranks; what is kept is in the arena.  cs_schedule_rank()
 * opens a rank, cs_schedule_lane() a lane of the rank, cs_schedule_round() a
 * round of the lane; ops of the round are pushed to `ops`. */
struct cs_schedule_maker {
    struct cs_ops ops; /* of the open round */
    struct cs_arena *arena;
    struct cs_schedule_rank *ranks;
    struct cs_schedule_rank *rank; /* open, or NULL */
    bool in_round;
    uint32_t most_lanes;
    /* Of the open rank. */
    uint32_t *first, *shape, *line;
    uint32_t lane_capacity, round_count, round_capacity;
    /* Shapes and a hash table of their numbers from 1. */
    struct cs_schedule_shape *shapes;
    uint32_t shape_count, shape_capacity;
    uint32_t *slots;
    uint32_t slot_count; /* a power of two, or 0 */
};

void cs_schedule_open(struct cs_schedule_maker *maker, uint32_t ranks, struct cs_arena *arena);
void cs_schedule_rank(struct cs_schedule_maker *maker, uint32_t rank);
void cs_schedule_lane(struct cs_schedule_maker *maker);
void cs_schedule_round(struct cs_schedule_maker *maker, uint32_t line);

/* Sets ranks, lanes, rounds and shapes of `schedule`. */
void cs_schedule_end(struct cs_schedule_maker *maker, uint32_t ranks, struct cs_schedule *schedule);

/* Frees what is not in the arena; in any case, at the end. */
void cs_schedule_close(struct cs_schedule_maker *maker);

/* The algorithm.  The caller sets name, collective and output_empty. */
struct cs_algo cs_schedule_algo(const struct cs_schedule *schedule);

/* The collective of a schedule without a specification. */
extern const struct cs_collective cs_collective_custom;
