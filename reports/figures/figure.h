/*
 * Figures: pictures as data.
 *
 * A report fills a figure: a title, two axes, series of points.  How it is
 * drawn is not known here (reports/figures/plot.h).
 *
 * Order: begin a figure, name a series, add a point, name the next series;
 * settle all figures when they are whole, before any is drawn.  All texts are
 * copied.
 *
 * Invariants: a struct cs_figures that was zeroed ({0}) is empty and valid.
 * The points of a series have rising x.  No two figures have one name, and a
 * name is safe as a file name whatever the machine is called.
 */
#ifndef CS_REPORTS_FIGURES_FIGURE_H
#define CS_REPORTS_FIGURES_FIGURE_H

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an axis counts; it decides scale, ticks and the unit shown. */
enum cs_axis {
    CS_AXIS_BYTES,   /* log, ticks 1 KiB, 4 KiB ... */
    CS_AXIS_RANKS,   /* log 2, a tick at each value that occurs */
    CS_AXIS_SECONDS, /* log, ticks 1 us, 10 us ... */
    CS_AXIS_BPS,     /* linear from 0, GB/s */
    CS_AXIS_SHARE,   /* linear from 0 to 1 */
    CS_AXIS_PLAIN,   /* linear, in the unit that its title tells */
};

enum cs_limit {
    CS_LIMIT_NONE,
    CS_LIMIT_LOWER, /* nothing can be below it: grey from the bottom */
    CS_LIMIT_UPPER, /* nothing can be above it: grey from the top */
};

/* What helps the ranks, and makes another bound hold. */
enum cs_helper {
    CS_HELPER_NONE,   /* ranks alone: the main bound */
    CS_HELPER_SERVER, /* parameter servers */
    CS_HELPER_SWITCH, /* switches that reduce or copy */
    CS_HELPERS
};

struct cs_point {
    double x;
    double y;       /* what was simulated */
    double model_y; /* closed form: a thin dashed line; NaN leaves it out */
    double limit_y; /* the bound; NaN leaves it out */
    enum cs_helper helper; /* whose bound that is */
};

/* So many curves can be told apart by colour; the key has room for them. */
enum {
    CS_FIGURE_NAMED = 8
};

struct cs_series {
    const char *name;
    uint32_t style;    /* colour and shape, below CS_FIGURE_NAMED */
    bool is_other;     /* one of too many: drawn without a name or colour */
    bool is_reference; /* what others are compared with: always has a name */
    /* It assumes what the machine is not known to have: drawn dashed, and never
     * the best. */
    bool is_hypothetical;
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
    const char *limit_name; /* of the main bound; others name their helper */
    struct cs_series *series;
    size_t count;
    size_t capacity;
    size_t current; /* the series that was named last */
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

/* Goes on with the series of that name in the last figure; a new one is added
 * behind the others. */
void cs_figures_series(struct cs_figures *figures, const char *name);

/* Adds a point to the series that was named last.  A point at an x that is there already
 * replaces it: the later run is the better one.  O(points). */
void cs_figures_point(struct cs_figures *figures, const struct cs_point *point);

/* Marks the series that was named last. */
void cs_figures_reference(struct cs_figures *figures);
void cs_figures_hypothetical(struct cs_figures *figures);

/* Gives every series its looks.  Of more than CS_FIGURE_NAMED in a figure those
 * get a name that are references, then those that are the best at some x
 * (shortest time, highest rate), then
 * those that on average over their x are the fewest times worse than the best;
 * of distributions those of lowest median; hypothetical ones come last.  A name
 * keeps its looks in all
 * figures where they are free.  O(n^2) in the points of a figure with more. */
void cs_figures_settle(struct cs_figures *figures);

void cs_figures_free(struct cs_figures *figures);

/* Appends a file name made of `text`: lower-case letters, digits, '-', '.',
 * '_', at most 100 bytes, never empty, never starting with '.' or '-'. */
void cs_figure_safe_name(const char *text, struct cs_text *out);

#endif
