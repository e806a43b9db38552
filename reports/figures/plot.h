/*
 * Plot: figures as gnuplot scripts, data and pictures.
 *
 * Here figures get the looks they share (palette, point shapes, fonts, ticks
 * with units), and their text is put into quotes that gnuplot takes
 * literally: no name of a machine can run a command.
 *
 * For a figure NAME the files are NAME.gp, NAME.dat, NAME.svg and NAME.png;
 * `gnuplot NAME.gp` in their directory draws the pictures again.  The same
 * figure gives the same script and data.
 */
#ifndef CS_REPORTS_FIGURES_PLOT_H
#define CS_REPORTS_FIGURES_PLOT_H

#include "reports/figures/figure.h"
#include "sim/base/err.h"
#include "sim/base/text.h"

/* Appends the gnuplot script or the data of one figure, which has a point. */
void cs_figure_script(const struct cs_figure *figure, struct cs_text *out);
void cs_figure_data(const struct cs_figure *figure, struct cs_text *out);

/* Settles the figures, writes and draws every one in `dir`; `log` gets a line for each.
 * Returns 0, CS_GNUPLOT_ABSENT when scripts and data are written but nothing
 * can draw them, or an error. */
int cs_figures_write(struct cs_figures *figures, const char *dir,
                     struct cs_text *log, struct cs_err *err);

/* Appends a gnuplot string that holds exactly `text`, less what could end it:
 * single quotes, without control characters and backticks. */
void cs_plot_quote(const char *text, struct cs_text *out);

#endif
