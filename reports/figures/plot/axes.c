/* Plot axes: see plot/plot.h. */
#include "reports/figures/plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    BYTES_PER_UNIT_LOG2 = 10,
    TICKS_MAX = 7,
};

/* Zero and negative values have no place on a logarithmic axis. */
static void plot_widen(struct cs_plot_span *span, double value)
{
    if (!isfinite(value) || value <= 0)
        return;
    if (span->min == 0 || value < span->min)
        span->min = value;
    if (value > span->max)
        span->max = value;
}

static struct cs_plot_span plot_axes_span_x(const struct cs_figure *figure)
{
    struct cs_plot_span span = {0, 0};

    for (size_t i = 0; i < figure->count; i++)
        for (size_t k = 0; k < figure->series[i].count; k++)
            plot_widen(&span, figure->series[i].points[k].x);
    return span;
}

/* Closed forms of unnamed series are not drawn and do not count. */
static struct cs_plot_span plot_axes_span_y(const struct cs_figure *figure)
{
    struct cs_plot_span span = {0, 0};

    for (size_t i = 0; i < figure->count; i++) {
        const struct cs_series *series = &figure->series[i];

        for (size_t k = 0; k < series->count; k++) {
            plot_widen(&span, series->points[k].y);
            if (!series->is_other)
                plot_widen(&span, series->points[k].model_y);
            if (figure->limit != CS_LIMIT_NONE)
                plot_widen(&span, series->points[k].limit_y);
        }
    }
    return span;
}

/* Space around the curves; the axis of a rate starts at 0. */
static struct cs_plot_span plot_padded(struct cs_plot_span span, enum cs_axis axis)
{
    double room = pow(span.max / span.min, 0.05);
    double more = span.max > span.min ? 0.05 * (span.max - span.min) : 0.05 * span.max;

    if (axis == CS_AXIS_BPS)
        return (struct cs_plot_span){0, 1.12 * span.max};
    if (axis == CS_AXIS_SHARE)
        return (struct cs_plot_span){0, 1};
    if (axis == CS_AXIS_PLAIN)
        return (struct cs_plot_span){span.min - more, span.max + more};
    if (room < 1.1)
        room = 1.1;
    return (struct cs_plot_span){span.min / room, span.max * room};
}

static void plot_axes_add_range(struct cs_text *out, char axis, struct cs_plot_span span)
{
    cs_text_printf(out, "set %crange [", axis);
    cs_plot_add_real(out, span.min);
    cs_text_add(out, ":");
    cs_plot_add_real(out, span.max);
    cs_text_add(out, "]\n");
}

/* A tick of level 0 has a label; a tick of level 1 is small, without a label. */
static void plot_add_tick(struct cs_text *out, const char *label, double at, int level)
{
    bool first = out->data[out->length - 1] == '(';

    cs_plot_add_quoted(out, first ? "" : ", ", label, " ");
    cs_plot_add_real(out, at);
    cs_text_add(out, level > 0 ? " 1" : "");
}

/* At most TICKS_MAX powers of 2, in steps that include KiB, MiB and GiB. */
static void plot_axes_add_byte_ticks(struct cs_text *out, struct cs_plot_span span)
{
    static const int steps[] = {1, 2, 5, 10, 20};
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int first = (int)ceil(log2(span.min) - 1e-9);
    int last = (int)floor(log2(span.max) + 1e-9);
    size_t pick = 0;
    int step;
    char label[24];

    while (pick + 1 < sizeof steps / sizeof steps[0] && (last - first) / steps[pick] >= TICKS_MAX)
        pick++;
    step = steps[pick];
    for (int e = first < 0 ? 0 : first; e <= last && e < 70; e++) {
        (void)snprintf(label, sizeof label, "%d %s", 1 << e % BYTES_PER_UNIT_LOG2,
                       units[e / BYTES_PER_UNIT_LOG2]);
        plot_add_tick(out, e % step == 0 ? label : "", ldexp(1, e), e % step != 0);
    }
}

/* The label of a decade: 1, 10 or 100 of a unit. */
static void plot_axes_show_decade(char *label, size_t size, int digit, int decade)
{
    static const char *const units[] = {"ps", "ns", "µs", "ms", "s"};
    int from_ps = decade + 12;
    int unit = from_ps < 0 ? 0 : from_ps / 3 > 4 ? 4 : from_ps / 3;
    double value = digit * pow(10, from_ps - 3 * unit);

    (void)snprintf(label, size, "%.4g %s", value, units[unit]);
}

/* Below two decades, ticks at 2 and 5 get labels too: a single label per axis
 * would not show the scale. */
static void plot_axes_add_second_ticks(struct cs_text *out, struct cs_plot_span span)
{
    int first = (int)floor(log10(span.min));
    int last = (int)floor(log10(span.max));
    bool few = log10(span.max / span.min) < 2;
    char label[32];

    for (int decade = first; decade <= last; decade++) {
        for (int digit = 1; digit <= 9; digit++) {
            double at = decade < 0 ? digit / pow(10, -decade) : digit * pow(10, decade);
            bool named = digit == 1 || (few && (digit == 2 || digit == 5));

            if (at < span.min || at > span.max)
                continue;
            plot_axes_show_decade(label, sizeof label, digit, decade);
            plot_add_tick(out, named ? label : "", at, !named);
        }
    }
}

/* A tick per value, with labels at a distance. */
static void plot_axes_add_rank_ticks(struct cs_text *out, const struct cs_figure *figure)
{
    size_t count;
    double *x = cs_plot_all_x(figure, &count);
    double last = 0;
    double gap = pow(x[count - 1] / x[0], 0.06);
    char label[24];

    for (size_t i = 0; i < count; i++) {
        bool named = last == 0 || x[i] >= last * gap;

        (void)snprintf(label, sizeof label, "%.0f", x[i]);
        plot_add_tick(out, named ? label : "", x[i], !named);
        if (named)
            last = x[i];
    }
    free(x);
}

/* Ticks of gnuplot are powers of ten without units; sizes, times and ranks need
 * others. */
static void plot_axes_add_ticks(struct cs_text *out, char name, enum cs_axis axis,
                                const struct cs_figure *figure, struct cs_plot_span span)
{
    if (axis == CS_AXIS_BPS || axis == CS_AXIS_SHARE || axis == CS_AXIS_PLAIN)
        return; /* the ticks of gnuplot are good */
    cs_text_printf(out, "set logscale %c\nset %ctics (", name, name);
    if (axis == CS_AXIS_BYTES)
        plot_axes_add_byte_ticks(out, span);
    else if (axis == CS_AXIS_SECONDS)
        plot_axes_add_second_ticks(out, span);
    else
        plot_axes_add_rank_ticks(out, figure);
    cs_text_add(out, ")\n");
}

/* Rates are drawn in GB/s. */
static double plot_unit_of(enum cs_axis axis)
{
    return axis == CS_AXIS_BPS ? 1e9 : 1;
}

struct cs_plot_span cs_plot_drawn_y(const struct cs_figure *figure)
{
    struct cs_plot_span span = plot_axes_span_y(figure);

    span.min /= plot_unit_of(figure->y_axis);
    span.max /= plot_unit_of(figure->y_axis);
    return plot_padded(span, figure->y_axis);
}

void cs_plot_add_axes(struct cs_text *out, const struct cs_figure *figure)
{
    struct cs_plot_span x = plot_padded(plot_axes_span_x(figure), figure->x_axis);
    struct cs_plot_span y = cs_plot_drawn_y(figure);

    plot_axes_add_range(out, 'x', x);
    plot_axes_add_range(out, 'y', y);
    plot_axes_add_ticks(out, 'x', figure->x_axis, figure, x);
    plot_axes_add_ticks(out, 'y', figure->y_axis, figure, y);
    cs_plot_add_quoted(out, "set xlabel ", figure->x_title, " offset 0,0.1\n");
    /* Not ylabel: the position would depend on the width of tick labels. */
    cs_plot_add_quoted(out, "set label 3 ", figure->y_title,
                       " at screen 0.018, graph 0.5 center rotate by 90\n");
}
