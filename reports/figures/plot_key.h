/*
 * Plot key: names of series in lines that fit beside the axes.
 *
 * A name that is too long for one line continues in the next, in smaller type
 * where all names would not fit otherwise.
 */
#ifndef CS_REPORTS_FIGURES_PLOT_KEY_H
#define CS_REPORTS_FIGURES_PLOT_KEY_H

#include "reports/figures/figure.h"
#include "sim/base/text.h"

/* Appends the title of a curve, which ends its plot element, and elements
 * without a visible curve for its further lines. */
void cs_plot_add_name(struct cs_text *out, const struct cs_figure *figure,
                      const char *name);

/* Appends the elements that explain lines without a name, and ends the list. */
void cs_plot_add_key(struct cs_text *out, const struct cs_figure *figure);

/* Appends the right margin, which leaves room for the longest line of the key,
 * and the key's type. */
void cs_plot_add_right_margin(struct cs_text *out,
                              const struct cs_figure *figure);

#endif
