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
#ifndef CS_REPORTS_DOCUMENT_CHART_H
#define CS_REPORTS_DOCUMENT_CHART_H

#include "sim/base/text.h"

#include <stdbool.h>
#include <stddef.h>
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

#endif
