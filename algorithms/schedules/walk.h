/*
 * Walk: visits the ops of a party with their predecessors.
 *
 * For formats without rounds and lanes.  The predecessors of an op are all ops
 * of the preceding round in the lane, and after waits also the ops of the
 * rounds waited for.  The visitor numbers the ops; predecessors are these
 * numbers.  Ops of a lane are visited in order, lanes alternate.
 *
 *     time and memory O(ops of the party + predecessors)
 */
#pragma once

#include "sim/base/err.h"
#include "sim/program/program.h"

/* An op and its predecessors. */
struct cs_walk_step {
    struct cs_at at;
    uint32_t place;     /* in the round: op - place is the first op */
    uint32_t round_ops; /* ops of the round */
    const struct cs_op *op;
    const uint32_t *after; /* predecessors */
    uint32_t after_count;
};

/* Returns the number of the op; for an op in several steps, of the last. */
typedef uint32_t cs_walk_fn(void *ctx, const struct cs_walk_step *step);

/* CS_EANSWER: the lanes of the party deadlock. */
int cs_walk(const struct cs_program *program, uint32_t party, cs_walk_fn *visit, void *ctx,
            struct cs_err *err);

/* Whether a rank reads the input buffer: such a program cannot run in place.
 * CS_EANSWER as above; CS_EINPUT: more ops than `ops_max`. */
int cs_walk_reads_input(const struct cs_program *program, uint64_t ops_max, bool *reads,
                        struct cs_err *err);
