/*
 * Schedules: an imported program as a table.
 *
 * A maker collects rounds in order: all lanes of rank 0, then of rank 1, and so
 * on.  cs_schedule_algo() makes an algorithm whose functions look up the table.
 *
 *     lane, round, op   amortised O(1);   look-up of a round O(ops of the round)
 */
#ifndef CS_ALGORITHMS_SCHEDULES_SCHEDULE_H
#define CS_ALGORITHMS_SCHEDULES_SCHEDULE_H

#include "algorithms/algo.h"

enum {
    CS_SCHEDULE_RANKS_MAX = 1 << 16,
    CS_SCHEDULE_LANES_MAX = 1 << 22, /* of all ranks */
    CS_SCHEDULE_OPS_MAX = 4000000,
};

struct cs_schedule {
    const char *file; /* source of the schedule, for messages */
    uint32_t ranks;
    uint32_t lanes; /* of each rank */
    uint32_t blocks;
    uint32_t scratch;
    const uint32_t *round; /* by rank * lanes + lane: first; and the end */
    const uint32_t *op;    /* by round: first; and the end */
    const uint32_t *line;  /* by round: line of the file */
    const struct cs_op *ops;
};

/* Zeroed at the start.  cs_schedule_lane() opens a lane, cs_schedule_round() a
 * round of the lane; ops of the round are pushed to `ops`. */
struct cs_schedule_maker {
    struct cs_ops ops;
    uint32_t *op, *line, *round;
    uint32_t round_count, round_capacity;
    uint32_t lane_count, lane_capacity;
};

void cs_schedule_lane(struct cs_schedule_maker *maker);
void cs_schedule_round(struct cs_schedule_maker *maker, uint32_t line);

/* Moves the tables into `schedule`, in the arena, and frees the maker. */
void cs_schedule_end(struct cs_schedule_maker *maker,
                     struct cs_schedule *schedule, struct cs_arena *arena);

/* The algorithm.  The caller sets name, collective and output_empty. */
struct cs_algo cs_schedule_algo(const struct cs_schedule *schedule);

/* The collective of a schedule without a specification. */
extern const struct cs_collective cs_collective_custom;

#endif
