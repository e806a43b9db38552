/*
 * Plot: figures as gnuplot scripts, data and pictures.
 *
 * Figures have a common look (plot/look.h), ticks with units (plot/axes.h) and a
 * key (plot/key.h).
 *
 * For a figure NAME the files are NAME.gp, NAME.dat, NAME.svg and NAME.png;
 * `gnuplot NAME.gp` in the directory draws the pictures again.  Equal
 * figures give equal scripts and data.
 */
#ifndef CS_REPORTS_FIGURES_PLOT_PLOT_H
#define CS_REPORTS_FIGURES_PLOT_PLOT_H

#include "reports/figures/plot/data.h"
#include "reports/figures/plot/figure.h"
#include "sim/base/err.h"
#include "sim/base/text.h"

/* Appends the gnuplot script of a figure with at least a point. */
void cs_figure_script(const struct cs_figure *figure, struct cs_text *out);

/* Settles the figures, writes and draws the figures in `dir`; `log` gets a line
 * per figure.  Returns 0, CS_GNUPLOT_ABSENT when scripts and data are written and
 * gnuplot is not installed, or an error. */
int cs_figures_write(struct cs_figures *figures, const char *dir, struct cs_text *log,
                     struct cs_err *err);

#endif
