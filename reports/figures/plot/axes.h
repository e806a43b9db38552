/*
 * Plot axes: ranges, ticks with units, and titles.
 */
#ifndef CS_REPORTS_FIGURES_PLOT_AXES_H
#define CS_REPORTS_FIGURES_PLOT_AXES_H

#include "reports/figures/plot/figure.h"
#include "sim/base/text.h"

/* The range of an axis. */
struct cs_plot_span {
    double min;
    double max;
};

/* The range of the y axis in the drawing, rates in GB/s. */
struct cs_plot_span cs_plot_drawn_y(const struct cs_figure *figure);

/* Appends the commands for the axes. */
void cs_plot_add_axes(struct cs_text *out, const struct cs_figure *figure);

#endif
