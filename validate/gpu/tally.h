/*
 * Tallies: the work of a program, counted op by op, without any time.
 *
 * The GPU model turns the counts into costs: a thread block pays for each pass
 * over the ready ops and for each queued message, reducers share memory, and
 * copies read and write vectors.
 *
 *     tally_of   O(ops of the program times channels)
 */
#ifndef CS_VALIDATE_GPU_TALLY_H
#define CS_VALIDATE_GPU_TALLY_H

#include "sim/program/program.h"
#include "validate/gpu/query.h"

/* The work of a party's port beyond the first slice of a message. */
struct cs_gpu_port_work {
    double passes;          /* over the ready ops of a round, beyond the first pass */
    double queued;          /* messages behind the first of a round, sent or received */
    double bytes;           /* sent and received */
    uint64_t sent, arrived; /* the last round, from 1, with a message */
};

struct cs_gpu_tally {
    double adds, adding_rounds;     /* sums; rounds with a sum */
    double reducers;                /* sums at once in an adding round, on average */
    double moved;                   /* bytes sent and received by all ports */
    double touched;                 /* bytes of vectors that are read or written */
    double largest;                 /* bytes of the largest message */
    double slices;                  /* sent, of all messages and channels */
    double sends, sending_rounds;   /* messages; rounds with a message */
    struct cs_gpu_port_work *ports; /* by party */
    /* Bytes received in rounds in which the party also sends, and in rounds
     * in which the party only receives. */
    double received, received_alone;
};

/* The tally of a program that runs with the query's channels and slices; the
 * ports are in the arena. */
struct cs_gpu_tally cs_gpu_tally_of(const struct cs_gpu_query *query,
                                    const struct cs_program *program, struct cs_arena *arena);

#endif
