/*
 * Schedules: a program as a table, for what was made elsewhere.
 *
 * A maker takes rounds in order: all lanes of rank 0, of rank 1, ...; what it
 * ends with is an algorithm like any other, whose functions look the round up.
 *
 *     lane, round, op   amortised O(1);   a look-up O(ops of the round)
 */
#ifndef CS_ALGORITHMS_SCHEDULES_SCHEDULE_H
#define CS_ALGORITHMS_SCHEDULES_SCHEDULE_H

#include "algorithms/algo.h"

enum {
    CS_SCHEDULE_RANKS_MAX = 1 << 16,
    CS_SCHEDULE_LANES_MAX = 1 << 22, /* of all ranks together */
    CS_SCHEDULE_OPS_MAX = 4000000,
};

struct cs_schedule {
    const char *file; /* where it was read, for messages */
    uint32_t ranks;
    uint32_t lanes; /* of each rank */
    uint32_t blocks;
    uint32_t scratch;
    const uint32_t *round; /* by rank * lanes + lane: its first; and the end */
    const uint32_t *op;    /* by round: its first; and the end */
    const uint32_t *line;  /* by round: of the file */
    const struct cs_op *ops;
};

/* Zeroed at first; rounds and lanes begin before what belongs to them. */
struct cs_schedule_maker {
    struct cs_ops ops;
    uint32_t *op, *line, *round;
    uint32_t round_count, round_capacity;
    uint32_t lane_count, lane_capacity;
};

void cs_schedule_lane(struct cs_schedule_maker *maker);
void cs_schedule_round(struct cs_schedule_maker *maker, uint32_t line);

/* Fills the tables of `schedule` from the arena and frees the maker. */
void cs_schedule_end(struct cs_schedule_maker *maker,
                     struct cs_schedule *schedule, struct cs_arena *arena);
void cs_schedule_drop(struct cs_schedule_maker *maker);

/* The algorithm; name, collective and output_empty are the caller's. */
struct cs_algo cs_schedule_algo(const struct cs_schedule *schedule);

/* The collective of a schedule that promises nothing. */
extern const struct cs_collective cs_collective_custom;

#endif
