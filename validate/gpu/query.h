/*
 * Queries: a run on GPUs without the measured time, and the program of the run.
 *
 * A query names algorithm, transport, sizes and op table.  resolve makes the
 * program that this version of collsim runs for the query; cs_gpu_query_check_table compares
 * the program's op table with the table of the measured run, since a prediction
 * of a different schedule would be meaningless.
 *
 *     resolve, footprint   O(1)
 *     table                O(ops of the program)
 */
#pragma once

#include "algorithms/algo.h"

#include <stdbool.h>

struct cs_gpu_query {
    const char *algorithm;
    const char *transport; /* device, host, copy */
    bool servers_on_host;
    uint32_t ranks, channels, gpus;
    uint64_t bytes;
    uint32_t element_bytes;
    uint64_t slice_bytes, threads, depth;
    const char *table;               /* hash of the op table that ran */
    uint32_t chunks, shards, slices; /* parameters of the op table */
    uint32_t delay_rank;             /* the rank that starts late */
    double delay_s;                  /* 0: no rank does */
};

/* GPUs in use, at least 1; measurements on one GPU may leave the number out. */
uint32_t cs_gpu_query_gpus(const struct cs_gpu_query *query);

/* Ranks of the GPU with most ranks. */
uint32_t cs_gpu_query_ranks_per_gpu(const struct cs_gpu_query *query);

/* Whether slots are in host memory (transports host and copy). */
bool cs_gpu_query_through_host(const struct cs_gpu_query *query);

/* Whether copy engines move the data, not thread blocks. */
bool cs_gpu_query_by_engines(const struct cs_gpu_query *query);

/* Bytes of the vectors of a GPU's ranks together; of the GPU with most. */
double cs_gpu_footprint(const struct cs_gpu_query *query);

/* The program of a query; `program` refers to `call`, so the struct stays in
 * place while the program is in use. */
struct cs_gpu_resolved {
    const struct cs_algo *algo;
    struct cs_call call;
    struct cs_program program;
};

/* CS_EINPUT for an unknown algorithm or a call that the algorithm refuses. */
int cs_gpu_query_resolve(const struct cs_gpu_query *query, struct cs_gpu_resolved *resolved,
                         struct cs_err *err);

/* The hash of the query's op table, as 16 digits in the arena. */
int cs_gpu_table(const struct cs_gpu_query *query, struct cs_arena *arena, const char **table,
                 struct cs_err *err);

/* 0 when the resolved program's op table has the hash of the query; otherwise
 * CS_ECANNOT. */
int cs_gpu_query_check_table(const struct cs_gpu_query *query,
                             const struct cs_gpu_resolved *resolved, struct cs_err *err);

/* Thread blocks and parties that an op table needs. */
struct cs_gpu_shape_of_table {
    uint32_t blocks, lanes, agents; /* lanes of all parties */
};

/* Fills in chunks, shards, slices and table with the program's defaults; the
 * table's hash is in the arena. */
int cs_gpu_settle_table(struct cs_gpu_query *query, struct cs_arena *arena,
                        struct cs_gpu_shape_of_table *shape, struct cs_err *err);
