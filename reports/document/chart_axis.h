/*
 * Axis of a chart: a range of values on a stretch of the picture, with ticks.
 */
#ifndef CS_REPORTS_DOCUMENT_CHART_AXIS_H
#define CS_REPORTS_DOCUMENT_CHART_AXIS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_AXIS_TICKS_MAX = 24
};

struct cs_axis {
    double first, last; /* pixels of low and high */
    double low, high;   /* values; high > low */
    bool is_log;
    double ticks[CS_AXIS_TICKS_MAX]; /* ascending */
    uint32_t tick_count;
};

/* Ticks at round values, 1 2 5 times a power of ten, and the range widened to
 * the ticks; low <= high, above 0 for a logarithmic axis. */
void cs_axis_round(struct cs_axis *axis);

/* Ticks at the values themselves (ascending), as far as a distance of `apart`
 * pixels allows. */
void cs_axis_at(struct cs_axis *axis, const double *values, uint32_t count, double apart);

/* The pixel of a value. */
double cs_axis_place(const struct cs_axis *axis, double value);

#endif
