/*
 * Lanes: the progress of every lane of every party through its rounds.
 *
 * Executor and prover share these rules of program.h: the ops of a round start
 * together, the next round starts when all ops are done, and a WAIT is done when
 * its lane, of the same party, has finished its round.  The order of ready lanes
 * is the caller's choice: the executor takes lanes by number, the prover round
 * robin.
 *
 *     op_done, wait    O(1)
 *     take_waiter      O(1) without waiters, else O(lanes of a party) for all
 *
 * Lane `lane` of party `party` has number party x each + lane.  The array is
 * the caller's.
 */
#pragma once

#include "sim/program/path.h"
#include "sim/program/program.h"

enum {
    CS_NO_LANE = UINT32_MAX
};

/* One cache line in the executor. */
struct cs_lane {
    /* To the last op that is done; of the executor alone. */
    struct cs_path path;
    uint64_t round;
    uint64_t rounds;
    uint32_t pending;     /* ops of the round that are not done */
    uint32_t waits_for;   /* lane of the same party, or CS_NO_LANE */
    uint32_t waits_round; /* of that lane */
    uint32_t waiters;     /* lanes that wait for this lane */
};

struct cs_lanes {
    struct cs_lane *lane;
    uint32_t each; /* lanes of a party */
    uint32_t count;
};

/* Lanes of all parties. */
static inline uint32_t cs_lane_count(const struct cs_program *program)
{
    return cs_program_parties(program) * program->lanes;
}

/* All lanes before their first round, in `room` for cs_lane_count() lanes;
 * `*rounds` is the sum of their rounds. */
struct cs_lanes cs_lanes_open(const struct cs_program *program, struct cs_lane *room,
                              uint64_t *rounds);

/* Counts an op of the round as done; true after the last op, when the lane has
 * advanced to its next round. */
static inline bool cs_lane_op_done(struct cs_lane *lane)
{
    if (--lane->pending > 0)
        return false;
    lane->round++;
    return true;
}

/* Begins a WAIT; true if its round is over already. */
bool cs_lanes_wait(struct cs_lanes *lanes, uint32_t number, const struct cs_op *wait);

/* The first lane from `from` on whose WAIT ends now that `number` is at its
 * current round, or CS_NO_LANE.  The lane does not wait any longer: the caller
 * counts the op as done. */
uint32_t cs_lanes_take_waiter(struct cs_lanes *lanes, uint32_t number, uint32_t from);

/* The first lane that waits for another one, or CS_NO_LANE. */
uint32_t cs_lanes_waiting(const struct cs_lanes *lanes);
