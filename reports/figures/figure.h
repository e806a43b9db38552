/*
 * Figures: pictures as data.
 *
 * A report fills a figure: a title, two axes, series of points.  The drawing is
 * in plot.h.
 *
 * Order: begin a figure, name a series, add a point, name the next series;
 * settle all figures when the points are complete, before the first drawing.
 * All texts are copied.
 *
 * Invariants: a struct cs_figures that was zeroed ({0}) is empty and valid.
 * The points of a series have rising x.  Names of figures are unique, and safe
 * as file names for any name of a machine.
 */
#ifndef CS_REPORTS_FIGURES_FIGURE_H
#define CS_REPORTS_FIGURES_FIGURE_H

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The quantity of an axis, which decides scale, ticks and unit. */
enum cs_axis {
    CS_AXIS_BYTES,   /* log, ticks 1 KiB, 4 KiB ... */
    CS_AXIS_RANKS,   /* log 2, a tick at each value that occurs */
    CS_AXIS_SECONDS, /* log, ticks 1 us, 10 us ... */
    CS_AXIS_BPS,     /* linear from 0, GB/s */
    CS_AXIS_SHARE,   /* linear from 0 to 1 */
    CS_AXIS_PLAIN,   /* linear, in the unit of the title */
};

enum cs_limit {
    CS_LIMIT_NONE,
    CS_LIMIT_LOWER, /* the area below is impossible: grey */
    CS_LIMIT_UPPER, /* the area above is impossible: grey */
};

/* Agents in addition to the ranks, for which another bound holds. */
enum cs_helper {
    CS_HELPER_NONE,   /* ranks alone: the main bound */
    CS_HELPER_SERVER, /* parameter servers */
    CS_HELPER_SWITCH, /* switches that reduce or copy */
    CS_HELPERS
};

struct cs_point {
    double x;
    double y;       /* simulated */
    double model_y; /* closed form: a thin dashed line; NaN leaves it out */
    double limit_y; /* the bound; NaN leaves it out */
    enum cs_helper helper; /* the agents of that bound */
};

/* Curves with distinct colours; the key has room for their names. */
enum {
    CS_FIGURE_NAMED = 8
};

struct cs_series {
    const char *name;
    uint32_t style;    /* colour and shape, below CS_FIGURE_NAMED */
    bool is_other;     /* beyond CS_FIGURE_NAMED: no name, no colour */
    bool is_reference; /* for comparison: always has a name */
    /* Assumes an ability that the machine is not known to have: drawn dashed, and
     * never the best. */
    bool is_hypothetical;
    struct cs_point *points; /* in rising x, no x twice */
    size_t count;
    uint32_t capacity;
};

struct cs_figure {
    const char *name;     /* file name without extension, safe and unique */
    const char *title;    /* first line */
    const char *subtitle; /* second line, smaller */
    const char *alt; /* one sentence for readers who cannot see the picture */
    const char *x_title;
    const char *y_title;
    enum cs_axis x_axis;
    enum cs_axis y_axis;
    enum cs_limit limit;
    const char *limit_name; /* of the main bound; others name their helper */
    struct cs_series *series;
    size_t count;
    uint32_t capacity;
    size_t current; /* the series that was named last */
};

struct cs_figures {
    struct cs_arena arena;
    struct cs_figure *items;
    size_t count;
    uint32_t capacity;
};

/* Adds a copy of `figure` (its series are ignored) under a safe form of its
 * name, with a number behind it when the name is taken. */
void cs_figures_begin(struct cs_figures *figures,
                      const struct cs_figure *figure);

/* Continues the series of that name in the last figure; a new series is
 * appended. */
void cs_figures_series(struct cs_figures *figures, const char *name);

/* Adds a point to the series that was named last.  A point at the same x is
 * replaced: the later run counts.  O(points). */
void cs_figures_point(struct cs_figures *figures, const struct cs_point *point);

/* Marks the series that was named last. */
void cs_figures_reference(struct cs_figures *figures);
void cs_figures_hypothetical(struct cs_figures *figures);

/* Gives every series its look.  Where a figure has more than CS_FIGURE_NAMED
 * series, the names go to references first, then to series that are the best at
 * some x (shortest time, highest rate), then to series with the lowest mean
 * ratio to the best, and to hypothetical series last; in a distribution by
 * median.  A name keeps its look in all figures where that look is free.  O(n^2)
 * in the points of a figure with more series. */
void cs_figures_settle(struct cs_figures *figures);

void cs_figures_free(struct cs_figures *figures);

/* Appends a file name made of `text`: lower-case letters, digits, '-', '.',
 * '_', at most 100 bytes, never empty, never starting with '.' or '-'. */
void cs_figure_safe_name(const char *text, struct cs_text *out);

#endif
