/*
 * The collectives of a trace on a machine, by the cost model of a library.
 *
 * Ranks of the trace are ranks of the machine.  Where the machine has another
 * number of ranks than the measured job, groups that span the job (size x
 * distance = ranks of the job: data parallelism outside of the other kinds) grow
 * or shrink with the machine, and other groups stay.  Sizes stay in the terms of
 * nccl-tests: the vector of an all-reduce, all shards together of an all-gather.
 * All groups of a kind call at once (group.h).
 *
 *     predict   O(calls + kinds of calls x the library)
 */
#ifndef CS_SCENARIOS_TRACE_ON_MACHINE_H
#define CS_SCENARIOS_TRACE_ON_MACHINE_H

#include "algorithms/libraries/library.h"
#include "scenarios/trace/trace.h"

struct cs_trace_machine {
    const struct cs_site *site;
    const struct cs_library *library;
    uint32_t version;   /* as in a request; 0: the newest */
    const char *engine; /* for collectives that have it; NULL: the choice of the
                           library */
    double size_scale;  /* of the bytes; 0: 1 */
};

/* Calls of one collective, size and group size. */
struct cs_trace_row {
    const struct cs_collective *collective;
    uint64_t bytes;
    uint32_t ranks, measured_ranks;
    uint32_t group; /* of the first of the calls */
    uint64_t count;
    double measured_s, predicted_s; /* of all */
    const char *engine;             /* the library's choice; NULL: refused */
};

struct cs_trace_rows {
    struct cs_trace_row *rows; /* the most measured time first */
    uint32_t count;
    uint64_t refused; /* calls that the library does not serve: as measured */
    uint64_t forced;  /* kinds of calls with the engine of the machine */
    struct cs_err refusal; /* of the first call without that engine */
};

/* Fills call_s, a time per call of the trace.  CS_EINPUT for groups that exceed
 * the machine or do not divide it, and for an engine that no call has.  The caller frees the rows in any case. */
int cs_trace_predict(const struct cs_trace *trace,
                     const struct cs_trace_machine *machine, double *call_s,
                     struct cs_trace_rows *rows, struct cs_err *err);
void cs_trace_rows_free(struct cs_trace_rows *rows);

/* Ranks of the measured job: as recorded, or the most that groups show. */
uint32_t cs_trace_world(const struct cs_trace *trace);

#endif
