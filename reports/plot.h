/*
 * Plot: figures as data, and the gnuplot scripts they become.
 *
 * A report fills a figure: a title, two axes, series of points.  Here it gets
 * the looks that all figures share (palette, point shapes, fonts, ticks with
 * units), a file name that is safe whatever the machine is called, and its
 * text in quotes that gnuplot takes literally: no name can run a command.
 *
 * Order: begin a figure, begin a series, add its points, the next series.
 * All texts are copied.  Nothing is written before cs_figures_write.
 *
 * Invariant: a struct cs_figures that was zeroed ({0}) is empty and valid.
 */
#ifndef CS_REPORTS_PLOT_H
#define CS_REPORTS_PLOT_H

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stddef.h>
#include <stdint.h>

/* What an axis counts; it decides scale, ticks and the unit shown. */
enum cs_axis {
    CS_AXIS_BYTES,   /* log, ticks 1 KiB, 4 KiB ... */
    CS_AXIS_RANKS,   /* log 2, a tick at each value that occurs */
    CS_AXIS_SECONDS, /* log, ticks 1 us, 10 us ... */
    CS_AXIS_BPS,     /* linear from 0, GB/s */
};

enum cs_limit {
    CS_LIMIT_NONE,
    CS_LIMIT_LOWER, /* nothing can be below it: grey from the bottom */
    CS_LIMIT_UPPER, /* nothing can be above it: grey from the top */
};

struct cs_point {
    double x;
    double y;       /* what was simulated */
    double model_y; /* closed form: a thin dashed line; NaN leaves it out */
    double limit_y; /* the bound; NaN leaves it out */
};

struct cs_series {
    const char *name;
    struct cs_point *points; /* in rising x, no x twice */
    size_t count;
    size_t capacity;
};

struct cs_figure {
    const char *name;     /* file name without extension, safe and unique */
    const char *title;    /* first line */
    const char *subtitle; /* second line, smaller */
    const char *alt;      /* one sentence for those who cannot see it */
    const char *x_title;
    const char *y_title;
    enum cs_axis x_axis;
    enum cs_axis y_axis;
    enum cs_limit limit;
    const char *limit_name;
    struct cs_series *series;
    size_t count;
    size_t capacity;
};

struct cs_figures {
    struct cs_arena arena;
    struct cs_figure *items;
    size_t count;
    size_t capacity;
};

/* Adds a copy of `figure` (its series are ignored) under a safe form of its
 * name, with a number behind it when the name is taken. */
void cs_figures_begin(struct cs_figures *figures,
                      const struct cs_figure *figure);

/* Adds a series to the last figure. */
void cs_figures_series(struct cs_figures *figures, const char *name);

/* Adds a point to the last series.  A point at an x that is there already
 * replaces it: the later run is the better one.  O(points). */
void cs_figures_point(struct cs_figures *figures, const struct cs_point *point);

/* Appends the gnuplot script or the data of one figure. */
void cs_figure_script(const struct cs_figure *figure, struct cs_text *out);
void cs_figure_data(const struct cs_figure *figure, struct cs_text *out);

/* Writes and draws every figure in `dir`; `log` gets a line for each.
 * Returns 0, CS_GNUPLOT_ABSENT when scripts and data are written but nothing
 * can draw them, or an error. */
int cs_figures_write(const struct cs_figures *figures, const char *dir,
                     struct cs_text *log, struct cs_err *err);

void cs_figures_free(struct cs_figures *figures);

/* Appends a gnuplot string that holds exactly `text`, less what could end it:
 * single quotes, without control characters and backticks. */
void cs_plot_quote(const char *text, struct cs_text *out);

/* Appends a file name made of `text`: lower-case letters, digits, '-', '.',
 * '_', at most 100 bytes, never empty, never starting with '.' or '-'. */
void cs_plot_safe_name(const char *text, struct cs_text *out);

#endif
