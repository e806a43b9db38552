/*
 * Plot data: the numbers of a figure for gnuplot, and the parts of a figure.
 *
 * A block per series, then a block per bound; empty lines separate blocks.
 */
#ifndef CS_REPORTS_FIGURES_PLOT_DATA_H
#define CS_REPORTS_FIGURES_PLOT_DATA_H

#include "reports/figures/plot/figure.h"
#include "sim/base/text.h"

/* Appends the data of a figure with at least a point. */
void cs_figure_data(const struct cs_figure *figure, struct cs_text *out);

/* The x of a figure, ascending, without duplicates; the caller frees. */
double *cs_plot_all_x(const struct cs_figure *figure, size_t *count);

/* Whether the figure has a bound with the agents; the number of bounds. */
bool cs_plot_has_limit(const struct cs_figure *figure, enum cs_helper helper);
size_t cs_plot_count_limits(const struct cs_figure *figure);

/* Appends "lower bound (server)". */
void cs_plot_add_limit_name(const struct cs_figure *figure, enum cs_helper helper,
                            struct cs_text *out);

/* Whether a series with a name has a closed form. */
bool cs_plot_has_models(const struct cs_figure *figure);

/* The number of series without a name, hypothetical or not. */
size_t cs_plot_count_others(const struct cs_figure *figure, bool hypothetical);

#endif
