/*
 * Search for the fastest configuration of a job that fits the device's memory.
 *
 * Configurations are the products of tensor x context x pipeline x data degrees of
 * the job's ranks, of experts over the ranks of a stage, each on one rank, with
 * chunks of a stage, micro batch, recomputation and sharding of states, at the job's
 * global batch.  A degree above 1 in the job is kept, and so are the settings that
 * the job names (kept).  Two closed forms spare steps without changing the result:
 * memory, exact and without times, and a lower bound of the step,
 *
 *     FLOPs/(ranks x rate of a large product) (1 + (p - 1)/(m v)) + optimizer
 *
 * where FLOPs include recomputation: kernels are never faster than a large product,
 * and the slowest stage is at least the mean.  A context degree that shares a divisor
 * with the micro batch is left out, for that divisor gains more as data degree.  Context
 * degrees that leave a rank fewer tokens than any published run does, and experts whole on
 * each rank, are tried if no other configuration fits, and the search says so.  Of configurations
 * of the same degrees the fastest is listed.
 *
 *     time   a step for each configuration that passes both
 */
#pragma once

#include "scenarios/train/job/job.h"

enum {
    CS_SEARCH_BEST = 10
};

struct cs_search_found {
    struct cs_train_job job;
    struct cs_train_step step;
};

struct cs_search {
    /* Set by the caller: nothing spared, every step computed. */
    bool exhaustive;
    struct cs_search_found best[CS_SEARCH_BEST]; /* fastest first */
    uint32_t count;
    uint64_t tried;     /* configurations that divide */
    uint64_t too_large; /* beyond the memory */
    uint64_t bounded;   /* spared by the lower bound */
    uint64_t computed;
    double least_bytes; /* memory of the smallest configuration */
    bool unusual;       /* no layout fits of the kinds that publications have */
};

/* The best configurations; zeroed but `exhaustive`.  CS_EANSWER where the memory is too
 * small, with the least memory that suffices; CS_EINPUT for a job without a configuration. */
int cs_train_search(const struct cs_train_job *job, struct cs_search *search, struct cs_err *err);

/* Seconds that no step of the job can be below; 0 for a measured compute time. */
double cs_train_bound_s(const struct cs_train_job *job);
