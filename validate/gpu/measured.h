/*
 * Measurements: JSON lines as collsim-cuda prints them.
 *
 * A line is an object whose keys are those of the table in measured.c; further
 * keys are provenance and ignored.  Errors are CS_EINPUT, "file:line: ...".
 *
 *     read    O(bytes)
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "validate/lines/fields.h"

#include <stdbool.h>
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

/* What ran. */
struct cs_measured_work {
    const char *transport, *dtype;
    uint64_t ranks, gpus_used, bytes;
    uint64_t slice_bytes, depth, threads, runs;
    uint64_t l2_bytes; /* of the GPU */
};

/* Seconds by the device's clock, beside the median. */
struct cs_measured_spread {
    double mean_s, p10_s, p90_s;
    double middle_s; /* the mean of the middle 80 % */
};

/* The op table that ran: cs_op_table_hash in 16 digits, and the parameters. */
struct cs_measured_table {
    const char *hash;
    uint64_t chunks, shards, slices;
};

/* Of runs, of NCCL's and of predictions. */
struct cs_measured_run {
    const char *algorithm, *servers;
    uint64_t agents, channels, wrong;
    struct cs_measured_table table;
    /* The rank that starts late, by delay_s; 0: no rank. */
    uint64_t delay_rank;
    double delay_s;
    /* The end of each rank, with commas; "": not measured. */
    const char *ends_s;
    /* Of predictions: cs_gpu_model_inputs of the calibration; the reason for a
     * missing time. */
    const char *inputs, *unknown;
};

/* Of microbenchmarks and calibrations. */
struct cs_measured_part {
    const char *setup;           /* of copy engines: d2d, d2h, h2d, both; of streams to
                         peers: one (direction), ring (of all GPUs in use); of
                         graphs: chain, sum, out, in */
    const char *role;            /* of thread blocks: put, get, add, duplex, copy */
    const char *slots, *vectors; /* device, host; slots on a peer */
    uint64_t blocks, vector_bytes;
    uint64_t rounds;       /* of a ping-pong; 0: 64 */
    uint64_t copies;       /* of a graph, each dependent on the previous */
    uint64_t failed_parts; /* at the end of a calibration */
};

/* A line.  Missing texts are "", missing numbers 0. */
struct cs_measured {
    enum cs_measured_kind kind;
    uint32_t line;
    const char *file;
    uint64_t hash; /* of the line's text; 0: unknown */
    const char *gpu;
    const char *uuid;   /* of the first GPU: distinguishes equal models */
    const char *commit; /* of the sources */
    const char *date;   /* of the measurement, 2026-11-22T12:00:00Z */
    /* The calibration of a microbenchmark; "": unknown.  Names of later
     * calibrations are greater as texts. */
    const char *calibration;
    const char *skipped, *failed; /* the reason for a missing time */
    struct cs_measured_work work;
    double time_s; /* the median by the device's clock */
    double event_s;
    struct cs_measured_spread spread;
    union {
        struct cs_measured_run run;   /* where cs_measured_is_run */
        struct cs_measured_part part; /* otherwise */
    };
};

/* Whether the kind has `run`. */
static inline bool cs_measured_is_run(enum cs_measured_kind kind)
{
    return kind == CS_MEASURED_RUN || kind == CS_MEASURED_NCCL || kind == CS_MEASURED_PREDICTED;
}

/* The identity of the measured GPU: two GPUs of one name are two. */
static inline const char *cs_measured_card(const struct cs_measured *measured)
{
    return measured->uuid[0] ? measured->uuid : measured->gpu;
}

struct cs_measurements {
    struct cs_measured *items;
    size_t count, capacity;
};

/* The ends of the ranks, in `ends_s`, with room for measured->ranks; false where
 * not measured. */
bool cs_measured_ends(const struct cs_measured *measured, double *ends_s);

/* The measurement's texts are in the arena. */
int cs_measured_read_line(struct cs_measured_line line, struct cs_arena *arena,
                          struct cs_measured *measured, struct cs_err *err);

/* Appends all lines of a file except empty lines; the caller frees with
 * cs_measurements_free. */
int cs_measurements_read(const char *path, struct cs_arena *arena, struct cs_measurements *all,
                         struct cs_err *err);

/* Appends the failed runs and runs with wrong sums of a file of failed steps;
 * the file's remaining lines may be truncated, or are measured again elsewhere. */
int cs_measurements_read_failed(const char *path, struct cs_arena *arena,
                                struct cs_measurements *all, struct cs_err *err);

/* Drops lines whose text occurs earlier and returns the number of dropped
 * lines.  O(n log n). */
size_t cs_measurements_drop_copies(struct cs_measurements *all);
void cs_measurements_free(struct cs_measurements *all);
