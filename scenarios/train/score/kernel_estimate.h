/*
 * Estimates of the kernels' parameters (kernels/parameters.def) from published
 * training steps.
 *
 * The values minimise, in ln(value),
 *
 *     sum over rows    w^2 (ESTIMATE_PLAIN^2 soft(e) + soft(e - e_c) + soft(m))
 *   + sum over values  (ESTIMATE_PRIOR ln(value / prior) / spread)^2
 *
 * with e = ln(predicted / measured) without calibration, e_c that of the row that
 * calibrates (step_score.h), m = ln(predicted / measured) of a device's memory where
 * a row has any, and soft(e) = e^2 for small e and linear for large,
 * so that a row that the model misses by far pulls no harder than its neighbours.
 * w is ESTIMATE_TABLE / sqrt(rows of the table), of which at most `most`
 * are used, evenly spaced.  Tables of scaling are left out: their frameworks
 * differ.
 *
 *     solve    tens of evaluations of each row for each parameter: seconds
 */
#pragma once

#include "scenarios/train/kernels/kernels.h"
#include "scenarios/train/score/measured_steps.h"

enum {
    CS_KERNEL_ESTIMATE_ROWS = 60, /* of a table */
    CS_KERNEL_LEFT_OUT_ROWS = 24, /* where a publisher is left out: faster */
};

/* Writes CS_KERNEL_PARAMETERS values estimated without the tables of a
 * publisher; NULL: from all.  CS_ECANNOT without a row. */
int cs_kernel_estimate(const struct cs_measured_book *book, const char *without, uint32_t most,
                       double *values, struct cs_err *err);
