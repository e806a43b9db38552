/*
 * Groups of training steps: rows that one measured row calibrates.
 *
 * Configurations of one model, GPU, precision and framework share the speed of
 * the kernels, and so do the systems of one framework; rows of a scaling table share
 * one series.  The row that gives the
 * speed is the one with the fewest GPUs, of these with the least pipeline, then
 * the least tensor and context parallelism, for compute takes most of its time;
 * of these the first as published.
 *
 *     anchors    O(rows^2)
 */
#ifndef CS_VALIDATE_TRAINING_STEP_GROUPS_H
#define CS_VALIDATE_TRAINING_STEP_GROUPS_H

#include "validate/training/step_rows.h"

#include <stdbool.h>

/* Whether one measured row calibrates both series. */
bool cs_step_same_speed(const struct cs_step_series *a, const struct cs_step_series *b);

/* Whether a choice between the rows is a choice of configuration alone: one
 * model, sequence, machine and number of GPUs. */
bool cs_step_same_choice(const struct cs_step_row *a, const struct cs_step_row *b);

/* Index of the calibrating row of each row, in the arena; rows
 * with `skip` set calibrate no other row. */
const uint32_t *cs_step_anchors(const struct cs_step_data *steps, const bool *skip,
                                struct cs_arena *arena);

/* Seconds of a step, or per sample of the job where the batch is unknown. */
double cs_step_measured_s(const struct cs_step_row *row);

#endif
