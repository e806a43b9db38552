/*
 * The collectives of a trace on a machine, by the cost model of a library.
 *
 * Ranks of the trace are ranks of the machine.  On a machine with more or
 * fewer ranks than the measured job, groups that span the job (size x distance =
 * ranks of the job: data parallelism outside of tensor and pipeline) grow or
 * shrink with the machine, and smaller groups stay.  Sizes stay in the terms of
 * nccl-tests: the vector of an all-reduce, the sum of shards of an all-gather.
 * All groups of a kind call at once (group.h).
 *
 *     predict   O(calls + kinds of calls x the library)
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "scenarios/trace/trace.h"

struct cs_profile;

struct cs_trace_machine {
    const struct cs_site *site;
    const struct cs_library *library;
    uint32_t version;                 /* as in a request; 0: the newest */
    const struct cs_profile *profile; /* the same; NULL: the library's own parameters */
    const char *engine;               /* where the collective has the engine; NULL: the
                           library's choice */
    double size_scale;                /* of the bytes; 0: 1 */
};

/* Calls of a collective with a size and a group size. */
struct cs_trace_row {
    const struct cs_collective *collective;
    uint64_t bytes;
    uint32_t ranks, measured_ranks;
    uint32_t group; /* of the first of the calls */
    uint64_t count;
    double measured_s, predicted_s; /* summed */
    const char *engine;             /* the library's choice; NULL: refused */
};

struct cs_trace_rows {
    struct cs_trace_row *rows; /* the most measured time first */
    uint32_t count;
    uint64_t refused;      /* calls beyond the library: as measured */
    uint64_t forced;       /* kinds of calls with the engine of the machine */
    struct cs_err refusal; /* of the first call without the engine, or refused */
};

/* Fills call_s, a time per call of the trace.  CS_EINPUT for groups that exceed
 * the machine or do not divide it, and for an engine or a library that no call
 * has.  The caller frees the rows, after errors too. */
int cs_trace_predict(const struct cs_trace *trace, const struct cs_trace_machine *machine,
                     double *call_s, struct cs_trace_rows *rows, struct cs_err *err);
void cs_trace_rows_free(struct cs_trace_rows *rows);
