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
#ifndef CS_SCENARIOS_SWEEP_WORKERS_H
#define CS_SCENARIOS_SWEEP_WORKERS_H

#include "scenarios/options/progress_line.h"
#include "scenarios/sweep/axes.h"

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

#endif
