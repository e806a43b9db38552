/*
 * Calls of NCCL in an SQLite export of Nsight Systems.
 *
 * NCCL marks each of its calls by an NVTX range with a typed payload (NVIDIA/nccl
 * src/include/nvtx_payload_schemas.h): the bytes of a rank's block, the communicator, of a
 * send the peer; of a communicator's start the ranks.  The export has a payload as bytes,
 * and the places of its members in a table of schemas.  A kernel has the calls of its
 * thread since the last launch: one, or those of a group.
 *
 *     read   O(calls log calls)
 *     take   O(calls of a kernel + communicators)
 */
#pragma once

#include "reports/results/store/database.h"
#include "scenarios/trace/trace.h"

struct cs_nsight_range {
    const struct cs_collective *collective; /* NULL: the start of a communicator */
    int64_t thread, start;
    uint64_t bytes, communicator;
    int64_t peer, rank, ranks; /* -1: missing */
    bool is_receive, is_block; /* the bytes are those of one of the ranks' blocks */
};

struct cs_nsight_calls {
    struct cs_nsight_range *ranges; /* by thread, then by start */
    size_t count, next;             /* of the calls that no kernel has taken */
};

/* The calls of a process, which is the upper part of its threads' numbers.  The caller
 * frees them, after errors too. */
int cs_nsight_calls_read(const struct cs_database *database, int64_t process,
                         struct cs_nsight_calls *calls, struct cs_err *err);
void cs_nsight_calls_free(struct cs_nsight_calls *calls);

/* Takes the calls that `thread` made before `launch`, launches in ascending order by
 * thread and time; returns as cs_kineto_record_call(). */
enum cs_trace_reason cs_nsight_calls_take(struct cs_nsight_calls *calls, int64_t thread,
                                          int64_t launch, struct cs_trace *trace,
                                          struct cs_trace_call *call);

/* The rank and the ranks of the largest communicator; 0 of 0: unknown. */
void cs_nsight_calls_world(const struct cs_nsight_calls *calls, struct cs_trace_origin *origin);
