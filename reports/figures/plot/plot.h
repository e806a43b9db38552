/*
 * Plot: figures as gnuplot scripts, data and pictures.
 *
 * Figures have a common look, ticks with units and a key, each in a source of its own.
 *
 * For a figure NAME the files are NAME.gp, NAME.dat, NAME.svg and NAME.png;
 * `gnuplot NAME.gp` in the directory draws the pictures again.  Equal
 * figures give equal scripts and data.
 */
#pragma once

#include "reports/figures/plot/figure.h"
#include "sim/base/err.h"
#include "sim/base/text.h"

/*
 * Plot data: the numbers of a figure for gnuplot, and the parts of a figure.
 *
 * A block per series, then a block per bound; empty lines separate blocks.
 */

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

/* Appends the gnuplot script of a figure with at least a point. */
void cs_figure_script(const struct cs_figure *figure, struct cs_text *out);

/* Settles the figures, writes and draws the figures in `dir`; `log` gets a line
 * per figure.  Returns 0, CS_GNUPLOT_ABSENT when scripts and data are written and
 * gnuplot is not installed, or an error. */
int cs_figures_write(struct cs_figures *figures, const char *dir, struct cs_text *log,
                     struct cs_err *err);

/*
 * Plot axes: ranges, ticks with units, and titles.
 */

/* The range of an axis. */
struct cs_plot_span {
    double min;
    double max;
};

/* The range of the y axis in the drawing, rates in GB/s. */
struct cs_plot_span cs_plot_drawn_y(const struct cs_figure *figure);

/* Appends the commands for the axes. */
void cs_plot_add_axes(struct cs_text *out, const struct cs_figure *figure);

/*
 * Plot key: names of series in lines beside the axes.
 *
 * A long name continues in the next line; many names get a smaller type.
 */

/* Appends the title of a curve, the end of the plot element, and elements without
 * a visible curve for further lines of the title. */
void cs_plot_add_name(struct cs_text *out, const struct cs_figure *figure, const char *name);

/* Appends the elements for lines without a name, and ends the list. */
void cs_plot_add_key(struct cs_text *out, const struct cs_figure *figure);

/* Appends the right margin, with room for the longest line of the key, and the
 * type of the key. */
void cs_plot_add_right_margin(struct cs_text *out, const struct cs_figure *figure);

/*
 * Plot look: colours, shapes and lines of all figures.
 *
 * The pictures are made for slides: 1280 x 720, large type, the key beside the
 * axes, where no curve is hidden.  Colours by Okabe and Ito ("Color Universal
 * Design", 2008), distinct for colour-blind readers, with brown instead of
 * yellow, which is hard to see on white.  Shapes differ too, for prints in grey.
 */

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

/*
 * Plot text: strings and numbers of a gnuplot script.
 */

/* Appends `text` as a gnuplot string in single quotes, without control characters
 * and backticks: no name of a machine can run a command.  "]]>" is "] ]>". */
void cs_plot_quote(const char *text, struct cs_text *out);

/* Appends `before`, the quoted text and `after`. */
void cs_plot_add_quoted(struct cs_text *out, const char *before, const char *text,
                        const char *after);

/* Appends the number, with a point in every locale; NaN for infinity, too. */
void cs_plot_add_real(struct cs_text *out, double number);
