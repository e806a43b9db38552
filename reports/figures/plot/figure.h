/*
 * Figures: pictures as data.
 *
 * A report fills a figure: a title, two axes, series of points.  The drawing is
 * in plot.h.
 *
 * Order: begin a figure, name a series, add points, name the next series; settle
 * the figures when the points are complete, before the first drawing.  Texts are
 * copied.
 *
 * Invariants: a zeroed struct cs_figures ({0}) is empty and valid.
 * The points of a settled series have ascending x.  Names of figures are unique, and safe
 * as file names.
 */
#pragma once

#include "sim/base/collections/name_index.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The quantity of an axis: decides scale, ticks and unit. */
enum cs_axis {
    CS_AXIS_BYTES,   /* log, ticks 1 KiB, 4 KiB ... */
    CS_AXIS_RANKS,   /* log 2, a tick at every value */
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

/* Agents in addition to the ranks, with a different bound. */
enum cs_helper {
    CS_HELPER_NONE,   /* ranks alone: the main bound */
    CS_HELPER_SERVER, /* parameter servers */
    CS_HELPER_SWITCH, /* reducing or copying switches */
    CS_HELPERS
};

struct cs_point {
    double x;
    double y;              /* simulated */
    double model_y;        /* closed form: a thin dashed line; NaN: none */
    double limit_y;        /* the bound; NaN: none */
    enum cs_helper helper; /* agents of the bound */
};

/* Curves with a colour and a name in the key. */
enum {
    CS_FIGURE_NAMED = 8
};

struct cs_series {
    const char *name;
    uint32_t style;    /* colour and shape, below CS_FIGURE_NAMED */
    bool is_other;     /* beyond CS_FIGURE_NAMED: no name, no colour */
    bool is_reference; /* for comparison: always has a name */
    /* Assumes an ability not known of the machine: drawn dashed, and never the
     * best. */
    bool is_hypothetical;
    struct cs_point *points; /* settled: in ascending x, without duplicates */
    size_t count;
    uint32_t capacity;
    bool is_mixed; /* points as they came, not in ascending x */
};

struct cs_figure {
    const char *name;     /* file name without extension, safe and unique */
    const char *title;    /* first line */
    const char *subtitle; /* second line, smaller */
    const char *alt;      /* a sentence, for screen readers */
    const char *x_title;
    const char *y_title;
    enum cs_axis x_axis;
    enum cs_axis y_axis;
    enum cs_limit limit;
    /* Of the main bound; bounds of agents add a suffix. */
    const char *limit_name;
    struct cs_series *series;
    size_t count;
    uint32_t capacity;
    size_t current; /* the series named last */
};

/* Reading of runs, making of figures and drawing take about as long each. */
enum {
    CS_REPORT_PARTS = 3
};

struct cs_figures {
    struct cs_arena arena;
    struct cs_figure *items;
    size_t count;
    uint32_t capacity;
    struct cs_names series; /* of the last figure */
    struct cs_names names;  /* of figures */
    uint32_t *endings;      /* by name: the last number behind it, from 1 */
    uint32_t ending_capacity;
    /* Of the drawing: counts figures, CS_REPORT_PARTS - 1 of as many parts before;
     * NULL: none. */
    const struct cs_monitor *monitor;
};

/* Adds a copy of `figure` without series.  The name becomes safe, with a number
 * appended to a duplicate. */
void cs_figures_begin(struct cs_figures *figures, const struct cs_figure *figure);

/* Continues the series with the name in the last figure, or appends a new
 * series. */
void cs_figures_series(struct cs_figures *figures, const char *name);

/* Adds a point to the current series.  Of points with equal x the last counts. */
void cs_figures_point(struct cs_figures *figures, const struct cs_point *point);

/* The same without a closed form and a bound. */
void cs_figures_xy(struct cs_figures *figures, double x, double y);

/* Mark the current series. */
void cs_figures_reference(struct cs_figures *figures);
void cs_figures_hypothetical(struct cs_figures *figures);

/* Sorts points and assigns looks.  In a figure with more than CS_FIGURE_NAMED series, references
 * get names first, then series with the best value at an x (shortest time,
 * highest rate), then series by mean ratio to the best, hypothetical series
 * last; in a distribution by median.  A name keeps the look in later figures if
 * the look is free.  O(n log n) in the points. */
void cs_figures_settle(struct cs_figures *figures);

/* Keeps the first figures.  Returns the number of the others. */
size_t cs_figures_keep(struct cs_figures *figures, size_t most);

void cs_figures_free(struct cs_figures *figures);

/* Appends a file name made of `text`: lower-case letters, digits, '-', '.',
 * '_', at most 100 bytes, never empty, never starting with '.' or '-'. */
void cs_figure_safe_name(const char *text, struct cs_text *out);
