/*
 * Plot look: colours, shapes and lines of all figures.
 *
 * The pictures are made for slides: 1280 x 720, large type, the key beside the
 * axes, where no curve is hidden.  Colours by Okabe and Ito ("Color Universal
 * Design", 2008), distinct for colour-blind readers, with brown instead of
 * yellow, which is hard to see on white.  Shapes differ too, for prints in grey.
 */
#ifndef CS_REPORTS_FIGURES_PLOT_LOOK_H
#define CS_REPORTS_FIGURES_PLOT_LOOK_H

#include "reports/figures/plot/figure.h"
#include "sim/base/text.h"

#define CS_PLOT_FONT        "DejaVu Sans"
#define CS_PLOT_GREY_LINE   "#8c8c8c"
#define CS_PLOT_GREY_OTHERS "#bdbdbd"
#define CS_PLOT_GREY_TEXT   "#555555"

/* Type sizes of the key. */
enum {
    CS_PLOT_KEY_SIZE = 19,
    CS_PLOT_KEY_SIZE_MIN = 9,
};

/* Of a series with a name, by style. */
struct cs_plot_look {
    const char *colour;
    int shape; /* pointtype of gnuplot: filled, distinct when small */
};
extern const struct cs_plot_look cs_plot_looks[CS_FIGURE_NAMED];

/* Of a bound: the lower of two is darker. */
struct cs_plot_bound_look {
    const char *area;
    const char *line;   /* gnuplot's dashtype */
    const char *width;  /* of the line */
    const char *suffix; /* of the bound's name */
};
extern const struct cs_plot_bound_look cs_plot_bound_looks[CS_HELPERS];

/* Appends the terminal of a picture, by the ending of its name, and the name. */
void cs_plot_add_output(struct cs_text *out, const char *name);

/* Append " with lines ..." of a bound, and of series without a name. */
void cs_plot_add_limit_look(struct cs_text *out, enum cs_helper helper);
void cs_plot_add_others_look(struct cs_text *out, bool hypothetical);

#endif
