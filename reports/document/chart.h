/*
 * Chart: curves or stacked bars, drawn as inline SVG.
 *
 * Lines: every series has points (x, y) and optionally an interval low .. high
 * around y, drawn as a band.  Stacks: every series is a part, every x a category;
 * a category is a horizontal bar of the shares of its parts, with the sum beside.
 *
 * Series differ by colour, dash and marker, so that prints in grey stay
 * readable.  Colours are classes of the page's style (document/html.c).
 *
 * A picture has a width in pixels, so that letters have the same size in a picture
 * for a phone and in one for a laptop; the names of the series stand apart, as a
 * list that wraps.
 */
#pragma once

#include "sim/base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_CHART_SERIES_MAX = 12,
    CS_CHART_NUMBER = 40, /* bytes of a shown number */
};

enum cs_chart_kind {
    CS_CHART_LINES,
    CS_CHART_STACK,
};

/* Number formats of an axis. */
enum cs_chart_number {
    CS_CHART_COUNT,   /* 1,024 */
    CS_CHART_SECONDS, /* 1.5 us */
    CS_CHART_BYTES,   /* 1 MiB */
    CS_CHART_RATE,    /* bytes per second */
    CS_CHART_SHARE,   /* 97.7 % */
    CS_CHART_REAL,    /* 0.1234 */
};

struct cs_chart_series {
    const char *name;
    const double *x;          /* of stacks: unused */
    const double *y;          /* NAN: no point */
    const double *low, *high; /* NULL: no interval */
    uint32_t count;           /* of stacks: the number of categories */
    bool is_bound;            /* a dashed line without markers */
    bool is_points;           /* markers without a line */
};

struct cs_chart {
    const char *caption; /* what the chart shows, a sentence */
    const char *x_title, *y_title;
    enum cs_chart_kind kind;
    enum cs_chart_number x_number, y_number;
    bool x_log, y_log; /* base 2 or 10; all values above 0 */
    bool from_zero;    /* the y axis of lines begins at 0 */
    struct cs_chart_series series[CS_CHART_SERIES_MAX];
    uint32_t series_count;
    const char *const *categories; /* of stacks */
    uint32_t category_count;
};

/* "1.5 ms"; returns `text`. */
const char *cs_chart_show(enum cs_chart_number number, double value, char text[CS_CHART_NUMBER]);

/* Appends the chart as an SVG element with a title, `width` pixels wide; `id` is
 * unique in a page. */
void cs_chart_svg(const struct cs_chart *chart, const char *id, uint32_t width,
                  struct cs_text *out);

/* Appends the names of the series with their looks, as a list of HTML. */
void cs_chart_key(const struct cs_chart *chart, struct cs_text *out);

/*
 * Axis of a chart: a range of values on a stretch of the picture, with ticks.
 */

enum {
    CS_AXIS_TICKS_MAX = 24
};

struct cs_chart_axis {
    double first, last; /* pixels of low and high */
    double low, high;   /* values; high > low */
    bool is_log;
    double ticks[CS_AXIS_TICKS_MAX]; /* ascending */
    uint32_t tick_count;
};

/* Ticks at round values, 1 2 5 times a power of ten, and the range widened to
 * the ticks; low <= high, above 0 for a logarithmic axis. */
void cs_axis_round(struct cs_chart_axis *axis);

/* Ticks at the values themselves (ascending), as far as a distance of `apart`
 * pixels allows. */
void cs_axis_at(struct cs_chart_axis *axis, const double *values, uint32_t count, double apart);

/* The pixel of a value. */
double cs_axis_place(const struct cs_chart_axis *axis, double value);

/*
 * Pictures of a page as inline SVG: what charts and diagrams share.
 */

/* Begins a picture of the size in pixels with a title; `id` is unique in a page. */
void cs_svg_begin(struct cs_text *out, const char *id, const char *title, uint32_t width,
                  double height);

/* Appends a line of text with classes of the page's style. */
void cs_svg_text(struct cs_text *out, double x, double y, const char *class_name, const char *text);

/*
 * Diagram: rows of boxes from top to bottom with links between them, drawn as
 * inline SVG; the colour and the width of a link say how much of it is in use.
 *
 * Neighbouring rows that are inside stand in one frame.  A link of two boxes in one
 * row is an arc below the row.  Boxes too narrow for a name show its number, or
 * nothing.
 */

enum {
    CS_DIAGRAM_ROWS = 8,
};

struct cs_diagram_row {
    const char *name; /* "GPUs" */
    const char *const *boxes;
    uint32_t count;
    bool is_inside;
};

struct cs_diagram_link {
    uint32_t row, box;       /* the upper end */
    uint32_t to_row, to_box; /* to_row >= row */
    double use;              /* share, 0 to 1 */
};

struct cs_diagram {
    const char *caption; /* a sentence */
    const char *frame;   /* name of the frame */
    struct cs_diagram_row rows[CS_DIAGRAM_ROWS];
    uint32_t row_count;
    const struct cs_diagram_link *links;
    uint32_t link_count;
};

/* Appends the diagram as an SVG element with a title, `width` pixels wide; `id` is
 * unique in a page. */
void cs_diagram_svg(const struct cs_diagram *diagram, const char *id, uint32_t width,
                    struct cs_text *out);

/* Appends the colours and their shares, as a list of HTML. */
void cs_diagram_key(struct cs_text *out);
