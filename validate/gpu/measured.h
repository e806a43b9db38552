/*
 * Measurements: JSON lines as collsim-cuda prints them.
 *
 * One object a line; the keys that matter are those of struct cs_measured,
 * others are provenance and are not looked at here.  What is wrong is
 * CS_EINPUT, "file:line: ...".
 *
 *     read    O(bytes)
 */
#ifndef CS_VALIDATE_GPU_MEASURED_H
#define CS_VALIDATE_GPU_MEASURED_H

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stddef.h>
#include <stdint.h>

enum cs_measured_kind {
    CS_MEASURED_MACHINE,
    CS_MEASURED_RUN,
    CS_MEASURED_STREAM,
    CS_MEASURED_MEMCPY,
    CS_MEASURED_PINGPONG,
    CS_MEASURED_LAUNCH,
    CS_MEASURED_TIMER,
    CS_MEASURED_NCCL,
    CS_MEASURED_GRAPH,
    CS_MEASURED_CALIBRATED,
    CS_MEASURED_PREDICTED, /* prediction_list.h */
    CS_MEASURED_KINDS,
};

/* Texts that are not there are "", numbers 0. */
struct cs_measured {
    enum cs_measured_kind kind;
    uint32_t line;
    const char *file;
    const char *gpu;
    const char *uuid;    /* of the first GPU: which of its name it is */
    const char *commit;  /* of the sources */
    const char *date;    /* when it was measured, 2026-11-22T12:00:00Z */
    const char *command; /* that was given to the program */
    uint64_t hash;       /* of the line's text; 0: not known */
    /* Which calibration a microbenchmark is of; "": not known.  Of two the
     * later one is greater as a text. */
    const char *calibration;
    uint64_t failed_parts; /* at the end of a calibration */
    uint64_t processors, l2_bytes;
    /* Of runs and messages to and fro. */
    const char *algorithm, *transport, *servers, *dtype;
    const char *skipped, *failed; /* why nothing was measured */
    uint64_t ranks, agents, gpus_used, bytes;
    uint64_t channels, lanes, slice_bytes, depth, threads, runs, wrong;
    /* What was run: cs_op_table_hash of the table in 16 digits, and how it was
     * made. */
    const char *table;
    uint64_t table_blocks, table_parts, chunks, shards, slices;
    /* Of microbenchmarks. */
    const char *setup; /* of copy engines: d2d, d2h, h2d, both; of streams to
                         peers: one (way), ring (of all that are used); of
                         graphs: chain, sum, out, in */
    const char *role;  /* of thread blocks: put, get, add, duplex, copy */
    const char *slots, *vectors; /* device, host; slots on a peer */
    uint64_t blocks, vector_bytes;
    uint64_t rounds; /* of messages to and fro in a run; 0: 64 */
    uint64_t copies; /* of a graph, each waiting for the one before */
    /* Seconds: medians and percentiles; of a device's clock, and by events. */
    double time_s, time_mean_s, time_least_s, time_p10_s, time_p90_s;
    double time_middle_s; /* the mean of the middle 80 % */
    double event_s;
    /* Of predictions: cs_gpu_model_inputs of the calibration; why there is
     * none. */
    const char *inputs, *unknown;
};

/* Whose measurement it is: two GPUs of one name are two. */
static inline const char *cs_measured_card(const struct cs_measured *measured)
{
    return measured->uuid[0] ? measured->uuid : measured->gpu;
}

struct cs_measurements {
    struct cs_measured *items;
    size_t count, capacity;
};

/* One line, without its newline; texts are in the arena, `file` is not
 * copied. */
struct cs_measured_line {
    const char *file;
    uint32_t line;
    const char *text;
    size_t length;
};
int cs_measured_read_line(struct cs_measured_line line, struct cs_arena *arena,
                          struct cs_measured *measured, struct cs_err *err);

/* Appends all lines of a file; empty ones do not count.  The caller ends with
 * cs_measurements_free. */
int cs_measurements_read(const char *path, struct cs_arena *arena,
                         struct cs_measurements *all, struct cs_err *err);

/* Appends, of a file of steps that failed, the runs that failed or have wrong
 * sums: its other lines may be cut short, or are measured again elsewhere. */
int cs_measurements_read_failed(const char *path, struct cs_arena *arena,
                                struct cs_measurements *all,
                                struct cs_err *err);

/* Drops lines that were there before with the same text; how many.
 * O(n log n). */
size_t cs_measurements_drop_copies(struct cs_measurements *all);
void cs_measurements_free(struct cs_measurements *all);

#endif
