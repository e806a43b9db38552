/*
 * The job of a published training step: model, machine and degrees of a row.
 *
 * Machines and models are opened once; a book holds them.
 *
 *     open    a machine for each number of GPUs, a model for each series
 *     job     O(1)
 */
#ifndef CS_SCENARIOS_TRAIN_SCORE_MEASURED_JOB_H
#define CS_SCENARIOS_TRAIN_SCORE_MEASURED_JOB_H

#include "scenarios/train/job/job.h"
#include "validate/training/step_rows.h"

struct cs_measured_site {
    const struct cs_step_machine *machine;
    uint32_t gpus;
    struct cs_site site;
    const char *unknown; /* the reason that no site is known; NULL: read */
};

struct cs_measured_model {
    struct cs_train_model model;
    const char *unknown;
    const uint32_t *cuts; /* of the series' stages; NULL: even */
    uint32_t cut_count;
};

struct cs_measured_book {
    const struct cs_steps *steps;
    const struct cs_measured_site *const *sites; /* by row */
    const struct cs_measured_model *models;      /* by series */
    const struct cs_gpu_peak *const *peaks;      /* by series; NULL: unknown */
};

/* Memory is in the arena.  A row that cannot be served is no error. */
struct cs_measured_book cs_measured_book_open(const struct cs_steps *steps, struct cs_arena *arena);

/* The job of a row, or the reason that there is none; NULL: filled. */
const char *cs_measured_job(const struct cs_measured_book *book, uint32_t index,
                            struct cs_train_job *job);

/* The step of a row's job by the system of its series (system.h). */
int cs_measured_step(const struct cs_step_series *series, const struct cs_train_job *job,
                     struct cs_train_step *step, struct cs_err *err);

#endif
