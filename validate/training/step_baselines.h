/*
 * Baselines of training steps: what a planning sheet predicts.
 *
 *     perfect    the calibrating row, scaled by FLOPs over GPUs
 *     6ND        6 FLOPs per parameter and token at 45 % of peak
 *     compact    FLOPs at half of peak, tensor-parallel all-reduces, bubble, and
 *                data-parallel all-reduce at data-sheet rates, none overlapped;
 *                FLOPs of a scaling row are the calibrating row's time
 *
 * FLOPs of a step are 6 N + 12 L h s per token, times 4/3 with full
 * recomputation.  NAN: the row lacks a figure that the baseline needs.
 */
#ifndef CS_VALIDATE_TRAINING_STEP_BASELINES_H
#define CS_VALIDATE_TRAINING_STEP_BASELINES_H

#include "validate/training/step_rows.h"

enum cs_step_baseline {
    CS_STEP_PERFECT,
    CS_STEP_SIX_ND,
    CS_STEP_COMPACT,
    CS_STEP_BASELINES,
};

/* Seconds of a step, or per sample of the job where the batch is unknown.
 * `peak_flops` is the data sheet's of one GPU; 0: unknown. */
double cs_step_baseline_s(enum cs_step_baseline baseline, const struct cs_step_row *row,
                          const struct cs_step_row *anchor, double peak_flops);

#endif
