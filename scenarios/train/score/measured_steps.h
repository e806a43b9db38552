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
 *     predict   O(rows), one step each; some two hundred for each calibrating row
 */
#ifndef CS_SCENARIOS_TRAIN_SCORE_MEASURED_STEPS_H
#define CS_SCENARIOS_TRAIN_SCORE_MEASURED_STEPS_H

#include "scenarios/train/score/measured_job.h"
#include "validate/training/step_score.h"

/* Answers by row, in the arena; `parameters` of kernels.h, NULL: the defaults. */
struct cs_step_answer *cs_measured_predict(const struct cs_measured_book *book,
                                           const double *parameters, struct cs_arena *arena);

#endif
