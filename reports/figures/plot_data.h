/*
 * Plot data: the numbers of a figure for gnuplot, and its parts.
 *
 * One block for each series, then one for each bound; empty lines separate
 * blocks.
 */
#ifndef CS_REPORTS_FIGURES_PLOT_DATA_H
#define CS_REPORTS_FIGURES_PLOT_DATA_H

#include "reports/figures/figure.h"
#include "sim/base/text.h"

/* Appends the data of one figure, which has a point. */
void cs_figure_data(const struct cs_figure *figure, struct cs_text *out);

/* All x of a figure, rising, without repetition; the caller frees. */
double *cs_plot_all_x(const struct cs_figure *figure, size_t *count);

/* Whether the figure has a bound with that help, and how many bounds there are. */
bool cs_plot_has_limit(const struct cs_figure *figure, enum cs_helper helper);
size_t cs_plot_count_limits(const struct cs_figure *figure);

/* Appends "lower bound (server)". */
void cs_plot_add_limit_name(const struct cs_figure *figure,
                            enum cs_helper helper, struct cs_text *out);

/* Whether a series with a name has a closed form. */
bool cs_plot_has_models(const struct cs_figure *figure);

/* Series without a name: hypothetical ones, or the others. */
size_t cs_plot_count_others(const struct cs_figure *figure, bool hypothetical);

#endif
