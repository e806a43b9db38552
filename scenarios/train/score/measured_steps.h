/*
 * Predictions of published training steps, with baselines.
 *
 * The step model predicts a row from machine, model and degrees.  Calibrated, the
 * parameters of kernels and a factor on compute take their most probable values
 * after the measured time of the calibrating row (step_score.h): with parameters p
 * of spread s, they minimise
 *
 *     sum (ln(p / p_0) / s)^2 + (ln(predicted / measured) / 0.07)^2
 *
 * where 0.07 is what rows of one group differ by for causes of their own, so that a
 * row has a part of its error from the group and keeps a part for itself.
 *
 *     open      O(rows), and a machine for each number of GPUs of each machine
 *     predict   O(rows), one step each; some two hundred for each calibrating row
 */
#pragma once

#include "scenarios/train/command/setup.h"
#include "validate/training/step_rows.h"
#include "validate/training/step_score.h"

/* The words behind "collsim train" that give the job of a row.  Machine, model, degrees
 * and batch are columns of their own in the files (validate/data/training/README.md); the
 * columns that begin with "--" are options as they stand. */
enum {
    CS_ROW_WORDS_MAX = 40 + 2 * CS_STEP_OPTIONS,
};

struct cs_row_command {
    char *words[CS_ROW_WORDS_MAX];
    int count;
    const char *refusal; /* why there is none; NULL: `words` has one */
};

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

/* Answers by row, in the arena; `parameters` of kernels.h, NULL: the defaults. */
struct cs_step_answer *cs_measured_predict(const struct cs_measured_book *book,
                                           const double *parameters, struct cs_arena *arena);
