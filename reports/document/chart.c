#include "reports/document/chart.h"

#include "reports/results/html.h"
#include "sim/base/units_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CHART_RIGHT = 12,
    CHART_PLOT = 300, /* height of lines */
    CHART_BELOW = 52, /* ticks and title of the x axis */
    CHART_LETTER = 8, /* width of a letter, about */
    CHART_LINE = 18,  /* of text */
    CHART_BAR = 22,
    CHART_SUM = 88, /* width of the text behind a bar */
    CHART_MARK = 4,
    CHART_PLACES_MAX = 64,
};

const char *cs_chart_show(enum cs_chart_number number, double value, char text[CS_CHART_NUMBER])
{
    switch (number) {
    case CS_CHART_COUNT:
        return cs_units_show_count(text, (uint64_t)llround(value));
    case CS_CHART_SECONDS:
        return cs_units_show_seconds(text, value);
    case CS_CHART_BYTES:
        return cs_units_show_bytes(text, (uint64_t)llround(value));
    case CS_CHART_RATE:
        return cs_units_show_rate(text, value);
    case CS_CHART_SHARE:
        snprintf(text, CS_CHART_NUMBER, "%.4g %%", 100 * value);
        return text;
    default:
        snprintf(text, CS_CHART_NUMBER, "%.4g", value);
        return text;
    }
}

/* ---- elements ---- */

static void chart_line(struct cs_text *out, double x1, double y1, double x2, double y2,
                       const char *class_name)
{
    cs_text_printf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n",
                   x1, y1, x2, y2, class_name);
}

/* A shape for each series: circle, square, triangle, diamond. */
static void chart_mark(struct cs_text *out, uint32_t series, double x, double y)
{
    double r = CHART_MARK;

    switch (series % 4) {
    case 0:
        cs_text_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"m s%u\"/>\n", x, y,
                       r, series);
        break;
    case 1:
        cs_text_printf(
            out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"m s%u\"/>\n",
            x - r, y - r, 2 * r, 2 * r, series);
        break;
    case 2:
        cs_text_printf(out, "<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\" class=\"m s%u\"/>\n", x,
                       y - r - 1, x + r + 1, y + r, x - r - 1, y + r, series);
        break;
    default:
        cs_text_printf(out,
                       "<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ\" class=\"m s%u\"/>\n",
                       x, y - r - 1, x + r + 1, y, x, y + r + 1, x - r - 1, y, series);
    }
}

/* ---- key ---- */

void cs_chart_key(const struct cs_chart *chart, struct cs_text *out)
{
    cs_text_add(out, "<ul class=\"key\">\n");
    for (uint32_t s = 0; s < chart->series_count; ++s) {
        const struct cs_chart_series *series = &chart->series[s];
        char look[32];

        cs_text_add(out, "<li><svg viewBox=\"0 0 26 14\" aria-hidden=\"true\">");
        snprintf(look, sizeof(look), "c s%u%s", s, series->is_bound ? " d" : "");
        if (chart->kind == CS_CHART_STACK)
            cs_text_printf(out, "<rect x=\"6\" width=\"14\" height=\"14\" class=\"f s%u\"/>", s);
        else if (!series->is_points)
            chart_line(out, 0, 7, 26, 7, look);
        if (chart->kind == CS_CHART_LINES && !series->is_bound)
            chart_mark(out, s, 13, 7);
        cs_text_add(out, "</svg>");
        cs_html_add(out, series->name);
        cs_text_add(out, "</li>\n");
    }
    cs_text_add(out, "</ul>\n");
}

/* ---- lines ---- */

struct chart_range {
    double low, high;
};

static void chart_widen(struct chart_range *range, const double *values, uint32_t count)
{
    for (uint32_t i = 0; values && i < count; ++i)
        if (isfinite(values[i])) {
            range->low = fmin(range->low, values[i]);
            range->high = fmax(range->high, values[i]);
        }
}

static struct cs_chart_axis chart_y_axis(const struct cs_chart *chart, double top)
{
    struct chart_range range = {INFINITY, -INFINITY};
    struct cs_chart_axis axis = {.first = top + CHART_PLOT, .last = top, .is_log = chart->y_log};

    for (uint32_t s = 0; s < chart->series_count; ++s) {
        const struct cs_chart_series *series = &chart->series[s];

        chart_widen(&range, series->y, series->count);
        chart_widen(&range, series->low, series->count);
        chart_widen(&range, series->high, series->count);
    }
    if (!isfinite(range.low))
        range = (struct chart_range){1, 10};
    axis.low = chart->from_zero ? 0 : range.low;
    axis.high = range.high;
    cs_axis_round(&axis);
    return axis;
}

/* The different x, ascending; at most CHART_PLACES_MAX. */
static uint32_t chart_places(const struct cs_chart *chart, double *places)
{
    uint32_t count = 0;

    for (uint32_t s = 0; s < chart->series_count; ++s)
        for (uint32_t i = 0; i < chart->series[s].count; ++i) {
            double x = chart->series[s].x[i];
            uint32_t at = count;

            while (at > 0 && places[at - 1] > x)
                --at;
            if ((at > 0 && !(places[at - 1] < x)) || count == CHART_PLACES_MAX)
                continue;
            memmove(&places[at + 1], &places[at], (count - at) * sizeof(*places));
            places[at] = x;
            ++count;
        }
    return count;
}

/* The pixels of the axes: room for the longest number beside the y axis. */
struct chart_frame {
    double left, right;
};

static struct chart_frame chart_frame_of(const struct cs_chart *chart,
                                         const struct cs_chart_axis *y, uint32_t width)
{
    size_t longest = 0;
    char text[CS_CHART_NUMBER];

    for (uint32_t t = 0; t < y->tick_count; ++t) {
        size_t length = strlen(cs_chart_show(chart->y_number, y->ticks[t], text));

        longest = length > longest ? length : longest;
    }
    return (struct chart_frame){12 + CHART_LETTER * (double)longest, (double)width - CHART_RIGHT};
}

static struct cs_chart_axis chart_x_axis(const struct cs_chart *chart, struct chart_frame frame)
{
    double places[CHART_PLACES_MAX + 1] = {1};
    uint32_t count = chart_places(chart, places);
    struct cs_chart_axis axis = {.first = frame.left + 16,
                                 .last = frame.right - 16,
                                 .is_log = chart->x_log,
                                 .low = places[0],
                                 .high = places[count ? count - 1 : 0]};

    if (!(axis.high > axis.low))
        axis.high = axis.low + 1;
    cs_axis_at(&axis, places, count, 62);
    return axis;
}

static void chart_axes(const struct cs_chart *chart, struct chart_frame frame,
                       const struct cs_chart_axis *x, const struct cs_chart_axis *y,
                       struct cs_text *out)
{
    char text[CS_CHART_NUMBER];

    for (uint32_t t = 0; t < y->tick_count; ++t) {
        double at = cs_axis_place(y, y->ticks[t]);

        chart_line(out, frame.left, at, frame.right, at, "g");
        cs_svg_text(out, frame.left - 8, at + 4, "e",
                    cs_chart_show(chart->y_number, y->ticks[t], text));
    }
    chart_line(out, frame.left, y->first, frame.right, y->first, "a");
    for (uint32_t t = 0; t < x->tick_count; ++t) {
        double at = cs_axis_place(x, x->ticks[t]);

        chart_line(out, at, y->first, at, y->first + 5, "a");
        cs_svg_text(out, at, y->first + 20, "t", cs_chart_show(chart->x_number, x->ticks[t], text));
    }
    cs_svg_text(out, (frame.left + frame.right) / 2, y->first + 44, "t", chart->x_title);
}

static void chart_band(const struct cs_chart_series *series, uint32_t s,
                       const struct cs_chart_axis *x, const struct cs_chart_axis *y,
                       struct cs_text *out)
{
    bool begun = false;

    if (!series->low || !series->high || series->count < 2)
        return;
    cs_text_add(out, "<path d=\"");
    for (uint32_t i = 0; i < series->count; ++i)
        if (isfinite(series->high[i])) {
            cs_text_printf(out, "%s%.1f %.1f", begun ? "L" : "M", cs_axis_place(x, series->x[i]),
                           cs_axis_place(y, series->high[i]));
            begun = true;
        }
    for (uint32_t i = series->count; i-- > 0;)
        if (isfinite(series->low[i]))
            cs_text_printf(out, "L%.1f %.1f", cs_axis_place(x, series->x[i]),
                           cs_axis_place(y, series->low[i]));
    cs_text_printf(out, "Z\" class=\"b s%u\"/>\n", s);
}

static void chart_path(const struct cs_chart_series *series, uint32_t s,
                       const struct cs_chart_axis *x, const struct cs_chart_axis *y,
                       struct cs_text *out)
{
    bool pen = false;

    cs_text_add(out, "<path d=\"");
    for (uint32_t i = 0; i < series->count; ++i) {
        if (isfinite(series->y[i]))
            cs_text_printf(out, "%s%.1f %.1f", pen ? "L" : "M", cs_axis_place(x, series->x[i]),
                           cs_axis_place(y, series->y[i]));
        pen = isfinite(series->y[i]);
    }
    cs_text_printf(out, "\" class=\"c s%u%s\"/>\n", s, series->is_bound ? " d" : "");
}

static void chart_curve(const struct cs_chart_series *series, uint32_t s,
                        const struct cs_chart_axis *x, const struct cs_chart_axis *y,
                        struct cs_text *out)
{
    if (!series->is_points)
        chart_path(series, s, x, y, out);
    for (uint32_t i = 0; i < series->count && !series->is_bound; ++i)
        if (isfinite(series->y[i]))
            chart_mark(out, s, cs_axis_place(x, series->x[i]), cs_axis_place(y, series->y[i]));
}

/* Returns the height, as chart_stack. */
static double chart_lines(const struct cs_chart *chart, uint32_t width, struct cs_text *out)
{
    struct cs_chart_axis y = chart_y_axis(chart, 34);
    struct chart_frame frame = chart_frame_of(chart, &y, width);
    struct cs_chart_axis x = chart_x_axis(chart, frame);

    cs_svg_text(out, 2, 16, "k", chart->y_title);
    chart_axes(chart, frame, &x, &y, out);
    for (uint32_t s = 0; s < chart->series_count; ++s)
        chart_band(&chart->series[s], s, &x, &y, out);
    for (uint32_t s = 0; s < chart->series_count; ++s)
        chart_curve(&chart->series[s], s, &x, &y, out);
    return 34 + CHART_PLOT + CHART_BELOW;
}

/* ---- stacks ---- */

static double chart_total(const struct cs_chart *chart, uint32_t category)
{
    double total = 0;

    for (uint32_t s = 0; s < chart->series_count; ++s)
        if (isfinite(chart->series[s].y[category]))
            total += chart->series[s].y[category];
    return total;
}

/* The name of a bar above it, in lines of words; returns the y below. */
static double chart_category(struct cs_text *out, uint32_t width, double y, const char *category)
{
    size_t most = width / CHART_LETTER;

    while (*category) {
        size_t length = strlen(category);
        struct cs_text line = {0};

        if (length > most) {
            length = most;
            while (length > 1 && category[length] != ' ')
                --length;
            length = length > 1 ? length : most;
        }
        cs_text_add_n(&line, category, length);
        y += CHART_LINE;
        cs_svg_text(out, 0, y, "k", cs_text_str(&line));
        cs_text_free(&line);
        category += length;
        category += *category == ' ';
    }
    return y;
}

static double chart_stack(const struct cs_chart *chart, uint32_t width, struct cs_text *out)
{
    double y = 0;
    char text[CS_CHART_NUMBER];

    for (uint32_t c = 0; c < chart->category_count; ++c) {
        double x = 0, total = chart_total(chart, c);

        y = chart_category(out, width, y, chart->categories[c]) + 5;
        for (uint32_t s = 0; s < chart->series_count && total > 0; ++s) {
            double part = chart->series[s].y[c] / total * ((double)width - CHART_SUM);

            if (!(part > 0))
                continue;
            cs_text_printf(
                out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" class=\"f s%u\"/>\n",
                x, y, part, CHART_BAR, s);
            x += part;
        }
        cs_svg_text(out, x + 8, y + 16, "k", cs_chart_show(chart->y_number, total, text));
        y += CHART_BAR + 5;
    }
    return y + 4;
}

void cs_chart_svg(const struct cs_chart *chart, const char *id, uint32_t width, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text body = {0};
    double height = chart->kind == CS_CHART_STACK ? chart_stack(chart, width, &body)
                                                  : chart_lines(chart, width, &body);

    cs_svg_begin(out, id, chart->caption, width, height);
    cs_text_add(out, cs_text_str(&body));
    cs_text_add(out, "</svg>\n");
}

void cs_svg_begin(struct cs_text *out, const char *id, const char *title, uint32_t width,
                  double height)
{
    cs_text_printf(
        out, "<svg viewBox=\"0 0 %u %.0f\" role=\"img\" aria-labelledby=\"%s\">\n<title id=\"%s\">",
        width, height, id, id);
    cs_html_add(out, title);
    cs_text_add(out, "</title>\n");
}

void cs_svg_text(struct cs_text *out, double x, double y, const char *class_name, const char *text)
{
    cs_text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class_name);
    cs_html_add(out, text);
    cs_text_add(out, "</text>\n");
}
