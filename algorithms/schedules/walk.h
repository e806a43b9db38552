/*
 * A walk through the program of one party: every op, with what it comes after.
 *
 * For formats that know no rounds and lanes.  An op comes after all ops of the
 * round before it, or, behind waits, after what is waited for as well.  The
 * visitor gives each op a number of its own; those are what later ops come
 * after.  Ops of one lane are visited in order; lanes take turns.
 *
 *     time and memory O(ops of the party and what they come after)
 */
#ifndef CS_ALGORITHMS_SCHEDULES_WALK_H
#define CS_ALGORITHMS_SCHEDULES_WALK_H

#include "sim/base/err.h"
#include "sim/program/program.h"

/* An op, and the numbers of those that it comes after. */
struct cs_walk_step {
    uint32_t lane;
    uint64_t round;
    uint32_t place; /* in its round, which has so many: op - place is first */
    uint32_t round_ops;
    const struct cs_op *op;
    const uint32_t *after;
    uint32_t after_count;
};

/* Returns the number of the op, or of what ends it. */
typedef uint32_t cs_walk_fn(void *ctx, const struct cs_walk_step *step);

/* CS_EANSWER when lanes wait for each other for ever. */
int cs_walk(const struct cs_program *program, uint32_t party, cs_walk_fn *visit,
            void *ctx, struct cs_err *err);

#endif
