/*
 * Predictions of published training steps, with baselines.
 *
 * The step model predicts a row from machine, model and degrees; calibrated, the
 * parameters of kernels and a factor on compute move, each in units of its spread and
 * together as little as possible, so that the prediction of the calibrating row
 * (step_groups.h) equals its measured time.
 *
 *     predict   O(rows), one step each; some two hundred for each calibrating row
 */
#ifndef CS_SCENARIOS_TRAIN_MEASURED_STEPS_H
#define CS_SCENARIOS_TRAIN_MEASURED_STEPS_H

#include "scenarios/train/measured_job.h"
#include "validate/training/step_score.h"

/* Answers by row, in the arena; `parameters` of kernels.h, NULL: the defaults. */
struct cs_step_answer *cs_measured_predict(const struct cs_measured_book *book,
                                           const double *parameters,
                                           struct cs_arena *arena);

/* The factor on compute with which the job takes `step_s`, from 0.02 to 50: the
 * nearest where communication alone takes longer. */
double cs_measured_scale(const struct cs_step_series *series,
                         const struct cs_train_job *job, double step_s);

#endif
