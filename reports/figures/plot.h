/*
 * Plot: figures as gnuplot scripts, data and pictures.
 *
 * All figures share a look (plot_look.h), ticks with units (plot_axes.h) and a
 * key (plot_key.h).
 *
 * For a figure NAME the files are NAME.gp, NAME.dat, NAME.svg and NAME.png;
 * `gnuplot NAME.gp` in their directory draws the pictures again.  The same
 * figure gives the same script and data.
 */
#ifndef CS_REPORTS_FIGURES_PLOT_H
#define CS_REPORTS_FIGURES_PLOT_H

#include "reports/figures/figure.h"
#include "reports/figures/plot_data.h"
#include "sim/base/err.h"
#include "sim/base/text.h"

/* Appends the gnuplot script of one figure, which has a point. */
void cs_figure_script(const struct cs_figure *figure, struct cs_text *out);

/* Settles the figures, writes and draws all of them in `dir`; `log` gets a line
 * for each.  Returns 0, CS_GNUPLOT_ABSENT when scripts and data are written and
 * gnuplot is not installed, or an error. */
int cs_figures_write(struct cs_figures *figures, const char *dir,
                     struct cs_text *log, struct cs_err *err);

#endif
