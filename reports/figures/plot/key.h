/*
 * Plot key: names of series in lines beside the axes.
 *
 * A long name continues in the next line; many names get a smaller type.
 */
#ifndef CS_REPORTS_FIGURES_PLOT_KEY_H
#define CS_REPORTS_FIGURES_PLOT_KEY_H

#include "reports/figures/plot/figure.h"
#include "sim/base/text.h"

/* Appends the title of a curve, the end of the plot element, and elements without
 * a visible curve for further lines of the title. */
void cs_plot_add_name(struct cs_text *out, const struct cs_figure *figure, const char *name);

/* Appends the elements for lines without a name, and ends the list. */
void cs_plot_add_key(struct cs_text *out, const struct cs_figure *figure);

/* Appends the right margin, with room for the longest line of the key, and the
 * type of the key. */
void cs_plot_add_right_margin(struct cs_text *out, const struct cs_figure *figure);

#endif
