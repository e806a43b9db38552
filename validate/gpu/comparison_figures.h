/*
 * Figures of a comparison: measured and predicted time over size.
 *
 * Each GPU, algorithm, setup, element type and number of ranks has a figure, with
 * closed form and lower bound.
 *
 *     figures   O(n^2) in the runs
 */
#ifndef CS_VALIDATE_GPU_COMPARISON_FIGURES_H
#define CS_VALIDATE_GPU_COMPARISON_FIGURES_H

#include "reports/figures/plot/figure.h"
#include "validate/gpu/comparison.h"

/* Adds the figures of all runs with a prediction. */
void cs_comparison_figures(const struct cs_comparison *comparison, struct cs_figures *figures);

#endif
