/*
 * Options of `collsim sweep`.
 */
#pragma once

#include "reports/results/sheet.h"
#include "reports/results/store/sweep.h"
#include "scenarios/options/command.h"
#include "scenarios/options/option.h"
#include "scenarios/options/progress_line.h"
#include "scenarios/sweep/axes.h"
#include "sim/base/err.h"
#include "sim/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Shards: parts of a sweep for several machines.
 *
 * Shard i of n has the cases i - 1, i - 1 + n, i - 1 + 2n, ..., so that long cases at
 * one end of an axis are shared out.  A task of a Slurm array is a shard:
 * SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, from SLURM_ARRAY_TASK_MIN on.
 */

struct cs_shard {
    uint32_t number, count; /* 1 <= number <= count; count 0: the whole sweep */
};

/* "3/8".  CS_EINPUT with the expectation. */
int cs_shard_read(const char *text, struct cs_shard *shard, struct cs_err *err);

/* The shard of a task of a Slurm array; count 0 outside of one.  CS_EINPUT for
 * variables without sense. */
int cs_shard_of_slurm(struct cs_shard *shard, struct cs_err *err);

static inline bool cs_shard_has(const struct cs_shard *shard, uint64_t number)
{
    return !shard->count || number % shard->count == shard->number - 1;
}

/* Appends "runs.3-of-8.db" for "runs.db". */
void cs_shard_name(const struct cs_shard *shard, const char *db, struct cs_text *out);

/* The script that is printed in place of a run. */
enum cs_sweep_emit {
    CS_EMIT_NOTHING,
    CS_EMIT_SLURM,
    CS_EMIT_PARALLEL,
    CS_SWEEP_EMITS
};

/* The field of a record whose best value a search finds. */
enum cs_sweep_objective {
    CS_OBJECTIVE_NONE,
    CS_OBJECTIVE_TIME,
    CS_OBJECTIVE_BUSBW,
    CS_SWEEP_OBJECTIVES
};

struct cs_sweep_options {
    struct cs_arena arena;
    const char *file, *db;
    struct cs_shard shard;
    double task_s; /* time of a task; 0: the standard */
    enum cs_format format;
#define OPTIONS "scenarios/sweep/options.def"
#include "scenarios/options/members.def"
};

extern const struct cs_option cs_sweep_option_table[];

/* One worker per core, and the shard of a Slurm task. */
void cs_sweep_options_init(struct cs_sweep_options *options);

/* CS_EINPUT for options that are missing or exclude each other. */
int cs_sweep_options_check(struct cs_sweep_options *options, struct cs_err *err);

/*
 * Search of a sweep: the best case, without running all.
 *
 * Every case gets its closed form, with the worst latency and rate of its routes.
 * Cases are simulated in the order of the closed forms, those without one first,
 * until the closed forms exceed the best time by a half, or a tenth of the cases is
 * simulated (at least 32).  The order is a good guess, no proof: contention and
 * unequal routes part the closed form from the simulation.
 *
 *     search   a plan per case, and a simulation of few
 */

/* Prints the best case and the number of simulations. */
int cs_sweep_search(const struct cs_cli *cli, const struct cs_sweep_options *options,
                    const struct cs_sweep *sweep, struct cs_err *err);

/*
 * Scripts that run a sweep on a cluster: an array of Slurm, GNU parallel.
 *
 * The time of all cases is estimated from a sample of cases, evenly spread over the
 * sweep; each task takes about the wanted time, and sites forbid very many jobs, so
 * that there are at most 1,000.
 */

/* Prints the script. */
int cs_sweep_emit(const struct cs_cli *cli, const struct cs_sweep_options *options,
                  const struct cs_sweep *sweep, struct cs_err *err);

/*
 * Workers: processes that compute the cases of a sweep into a database.
 *
 * Each worker takes the next case, computes it, and puts the result into the file
 * (store/sweep.h) before it takes another.  Results depend on the case alone, so
 * that the file is the same for any number of workers.
 *
 * Ctrl-C and the end of this process end the workers; the cases in progress are
 * computed again by the next call.  A worker that dies leaves its case
 * undone and the others working.
 */

struct cs_sweep_job {
    const struct cs_sweep *sweep;
    const char *db;
    uint64_t base;        /* of the sweep in the file */
    const uint64_t *todo; /* numbers of cases */
    uint64_t count;
    uint32_t workers; /* 0: in this process */
    struct cs_progress_line *display;
};

struct cs_sweep_outcome {
    uint64_t finished, refused; /* by this call */
    uint64_t known;             /* cases that another process has stored meanwhile */
    double seconds;
};

/* Computes all cases.  CS_ESTOPPED after Ctrl-C; CS_ECANNOT where a worker died or
 * the file cannot be written, with the reason; the outcome counts in any case. */
int cs_sweep_work(const struct cs_sweep_job *job, struct cs_sweep_outcome *outcome,
                  struct cs_err *err);
