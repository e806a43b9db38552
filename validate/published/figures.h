/*
 * Figures of published tables.
 *
 *     error by size      median |error| over the rows of a size, of each predictor
 *     factor by size     predicted / measured, mean of ln by class
 *     a table            measured, predicted, ring and tuner over size, for a
 *                        choice of at most CS_TABLE_FIGURES_MAX tables
 */
#ifndef CS_VALIDATE_PUBLISHED_FIGURES_H
#define CS_VALIDATE_PUBLISHED_FIGURES_H

#include "reports/figures/plot/figure.h"
#include "validate/published/score.h"

enum {
    CS_TABLE_FIGURES_MAX = 12,
};

/* Appends the figures; healthy tables only, except for figures of a table. */
void cs_published_figures(const struct cs_published_answer *answers, uint32_t count,
                          struct cs_figures *figures);

#endif
