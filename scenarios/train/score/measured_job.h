/*
 * Jobs of published training steps: each is that of its command (row_command.h), read
 * and set up as `collsim train` does.
 *
 *     open   O(rows), and a machine for each number of GPUs of each machine
 */
#ifndef CS_SCENARIOS_TRAIN_SCORE_MEASURED_JOB_H
#define CS_SCENARIOS_TRAIN_SCORE_MEASURED_JOB_H

#include "scenarios/train/command/setup.h"
#include "scenarios/train/score/row_command.h"

struct cs_measured_row {
    const char *unserved; /* why no job is predicted; NULL: one is */
    struct cs_row_command command;
    const struct cs_train_setup *setup; /* with `unserved` NULL */
};

struct cs_measured_book {
    const struct cs_step_data *steps;
    const struct cs_measured_row *rows;
};

/* Memory is in the arena.  A row that cannot be served is no error. */
struct cs_measured_book cs_measured_book_open(const struct cs_step_data *steps,
                                              struct cs_arena *arena);

/* The job of a row, or the reason that there is none; NULL: filled. */
const char *cs_measured_job(const struct cs_measured_book *book, uint32_t index,
                            struct cs_train_job *job);

/* The step of a row's job, perhaps with other parameters, by its system (system.h). */
int cs_measured_step(const struct cs_measured_book *book, uint32_t index,
                     const struct cs_train_job *job, struct cs_train_step *step,
                     struct cs_err *err);

#endif
