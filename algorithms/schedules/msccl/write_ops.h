/*
 * MSCCL writer, middle part: ops of a program become steps.
 *
 * Steps of a thread block run in sequence, while ops of a round start
 * together.  Concurrent ops therefore go to different thread blocks: one per
 * connection and direction (connections.h), and one for the local ops of a
 * lane.  A step waits for the steps at the end of the preceding round.  As MSCCL
 * requires, a pair of peer and channel belongs to a single sending and a single
 * receiving thread block of the GPU.
 *
 * Out of place the output is empty at the start: a chunk is sent from the input
 * before the first write, and a reduction into the chunk is `rrc` from the
 * input.  A wrapping run of chunks becomes several concurrent steps.  A
 * reduction into chunks with a send in the round is received into scratch, and
 * added after the send.  Sums of a round into one chunk follow one another, since
 * a thread block loads, adds and stores.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_MSCCL_WRITE_OPS_H
#define CS_ALGORITHMS_SCHEDULES_MSCCL_WRITE_OPS_H

#include "algorithms/schedules/connections.h"
#include "algorithms/schedules/export.h"
#include "algorithms/schedules/msccl/write_gpu.h"
#include "algorithms/schedules/number_list.h"

struct cs_msccl_writer {
    const struct cs_export *what;
    struct cs_text *out;
    struct cs_err *err;
    struct cs_connections connections;
    bool in_place;
    uint64_t total; /* steps of the ranks so far */
    uint32_t rank;
    /* State of the rank. */
    struct cs_msccl_gpu gpu;
    bool *written;               /* by block of the output */
    struct cs_number_list sent;  /* steps of the round's sends, in order */
    uint32_t next_sent;          /* index in `sent` of the next send to visit */
    struct cs_number_list done;  /* steps of the ops of the round so far */
    struct cs_number_list after; /* predecessors of a sum */
    uint32_t held;               /* scratch vectors behind the program's own */
    const char *fault;           /* inexpressible op, or NULL */
};

/* Collects the steps of writer->rank in writer->gpu.  CS_EINPUT for an
 * inexpressible op, or above CS_EXPORT_STEPS_MAX steps. */
int cs_msccl_write_ops(struct cs_msccl_writer *writer);

#endif
