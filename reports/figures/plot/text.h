/*
 * Plot text: strings and numbers of a gnuplot script.
 */
#ifndef CS_REPORTS_FIGURES_PLOT_TEXT_H
#define CS_REPORTS_FIGURES_PLOT_TEXT_H

#include "sim/base/text.h"

/* Appends `text` as a gnuplot string in single quotes, without control characters
 * and backticks: no name of a machine can run a command.  "]]>" is "] ]>". */
void cs_plot_quote(const char *text, struct cs_text *out);

/* Appends `before`, the quoted text and `after`. */
void cs_plot_add_quoted(struct cs_text *out, const char *before, const char *text,
                        const char *after);

/* Appends the number, with a point in every locale; NaN for infinity, too. */
void cs_plot_add_real(struct cs_text *out, double number);

#endif
