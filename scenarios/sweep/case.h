/*
 * Cases of a sweep: options, scenario, result.
 *
 *     check     the options of every value, one axis at a time
 *     compute   the record of a case
 *
 * A worker keeps the machine of its last case for cases that differ in algorithm,
 * size, collective, type or root only.
 *
 *     check     O(values of all axes)
 *     compute   a run; the machine once per combination of the other options
 */
#pragma once

#include "reports/results/record.h"
#include "reports/results/store/sweep.h"
#include "scenarios/run/simulate.h"
#include "scenarios/sweep/axes.h"
#include "sim/base/text.h"

/* CS_EINPUT with file, line and value for an option that `collsim run` does not
 * take or read, or that belongs to the command line. */
int cs_sweep_check(const struct cs_sweep *sweep, struct cs_err *err);

/* The scenario of a case; memory is in the arena.  CS_EINPUT where the options
 * exclude each other, or describe more than one run. */
int cs_sweep_scenario(const struct cs_sweep *sweep, uint64_t number, struct cs_arena *arena,
                      struct cs_scenario *scenario, struct cs_err *err);

/* Zeroed before the first case, but for the display and the cores. */
struct cs_sweep_worker {
    struct cs_arena arena;            /* of the machine's scenario */
    struct cs_scenario *kept;         /* owner of the machines; NULL: none */
    struct cs_text key;               /* options of the kept machine */
    struct cs_progress_line *display; /* of the case; NULL: none */
    uint32_t cores;                   /* for the runs of a case; 0: all */
};

void cs_sweep_worker_free(struct cs_sweep_worker *worker);

/* Computes a case; texts of the record are in the arena and in the worker.  An error
 * is that of the case: the algorithm does not run on the machine, the options
 * exclude each other. */
int cs_sweep_compute(struct cs_sweep_worker *worker, const struct cs_sweep *sweep, uint64_t number,
                     struct cs_arena *arena, struct cs_record *record, struct cs_err *err);

/* The closed form of a case, without a simulation.  CS_EINPUT also for a case of a
 * library, which has none. */
int cs_sweep_estimate(struct cs_sweep_worker *worker, const struct cs_sweep *sweep, uint64_t number,
                      struct cs_arena *arena, struct cs_estimate *estimate, struct cs_err *err);
