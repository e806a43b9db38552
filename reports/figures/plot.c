/*
 * Plot: see plot.h.
 *
 * The pictures are made for slides: 1280 x 720, large type, the key beside
 * the axes where it never hides a curve.  Colours are those of Okabe and Ito
 * ("Color Universal Design", 2008), which stay apart for the colour-blind,
 * with brown for their yellow, which is hard to see on white; shapes differ
 * too, for those who print in grey.
 */
#include "reports/figures/plot.h"
#include "reports/figures/gnuplot.h"
#include "reports/results/files.h"
#include "reports/results/json.h"
#include "sim/base/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FONT                "DejaVu Sans"
#define GREY_LINE           "#8c8c8c"
#define GREY_OTHERS         "#bdbdbd"
#define GREY_TEXT           "#555555"
#define BYTES_PER_UNIT_LOG2 10

enum {
    TICKS_MAX = 7,
    TITLE_SIZE = 27,
    TITLE_LETTERS = 62, /* of that size beside each other */
};

struct look {
    const char *colour;
    int shape; /* gnuplot's pointtype: filled ones, told apart when small */
};

static const struct look looks[CS_FIGURE_NAMED] = {
    {"#0072b2", 7},  /* blue, disc */
    {"#d55e00", 5},  /* vermilion, square */
    {"#009e73", 9},  /* bluish green, triangle */
    {"#cc79a7", 13}, /* reddish purple, diamond */
    {"#e69f00", 11}, /* orange, triangle on its head */
    {"#56b4e9", 15}, /* sky blue, pentagon */
    {"#000000", 3},  /* black, star */
    {"#5d3a00", 4},  /* brown, hollow square */
};

/* How the bounds are drawn: the lower of two is the darker one. */
static const struct bound_look {
    const char *area;
    const char *line;   /* gnuplot's dashtype */
    const char *width;  /* of it */
    const char *suffix; /* of the bound's name */
} bound_looks[CS_HELPERS] = {
    [CS_HELPER_NONE] = {"#ededed", "solid", "2", ""},
    [CS_HELPER_SERVER] = {"#e0e0e0", "'.'", "2.5", " (server)"},
    [CS_HELPER_SWITCH] = {"#d6d6d6", "'_.'", "2", " (switch)"},
};

/* How the key is set: names that are too long for one line go on in the next,
 * in smaller type if need be. */
struct plot_key {
    int size;       /* of the type */
    size_t letters; /* of a line, at most */
};

/* What fits beside the axes in type of KEY_SIZE. */
enum {
    KEY_SIZE = 19,
    KEY_SIZE_MIN = 9,
    KEY_ROWS = 13,
    KEY_LETTERS = 38,
    KEY_LINES = 3 /* of one name; a longer one ends in "..." */
};

/* What an axis spans. */
struct span {
    double min;
    double max;
};

void cs_plot_quote(const char *text, struct cs_text *out)
{
    struct cs_utf8_char c;

    cs_text_add(out, "'");
    for (c = cs_utf8_first(text); c.length != 0; c = cs_utf8_first(text)) {
        if (!c.valid || cs_utf8_is_control(c.code))
            cs_text_add(out, "?");
        else if (c.code == '\'' || c.code == '`')
            cs_text_add(out, "''");
        else
            cs_text_add_n(out, text, c.length);
        text += c.length;
    }
    cs_text_add(out, "'");
}

static void plot_add_quoted(struct cs_text *out, const char *before,
                            const char *text, const char *after)
{
    cs_text_add(out, before);
    cs_plot_quote(text, out);
    cs_text_add(out, after);
}

static void add_real(struct cs_text *out, double number)
{
    char text[CS_JSON_REAL_TEXT];

    cs_text_add(out,
                isfinite(number) ? cs_json_show_real(text, number) : "NaN");
}

/* The data. */

/* A bound with that help at x: of several, the one that holds for all. */
static double limit_at(const struct cs_figure *figure, enum cs_helper helper,
                       double x)
{
    double limit = NAN;

    for (size_t i = 0; i < figure->count; i++) {
        const struct cs_series *series = &figure->series[i];

        for (size_t k = 0; k < series->count; k++) {
            if (series->points[k].x != x || series->points[k].helper != helper)
                continue;
            limit = figure->limit == CS_LIMIT_LOWER
                        ? fmin(limit, series->points[k].limit_y)
                        : fmax(limit, series->points[k].limit_y);
        }
    }
    return limit;
}

static int order_reals(const void *a, const void *b)
{
    const double *left = a;
    const double *right = b;

    return (*left > *right) - (*left < *right);
}

/* All x of a figure, rising, none twice; the caller frees. */
static double *all_x(const struct cs_figure *figure, size_t *count)
{
    double *all = NULL;
    size_t n = 0;

    *count = 0;
    for (size_t i = 0; i < figure->count; i++) {
        const struct cs_series *series = &figure->series[i];

        all = cs_grow(all, n + series->count, sizeof all[0]);
        for (size_t k = 0; k < series->count; k++)
            all[n++] = series->points[k].x;
    }
    if (n > 0)
        qsort(all, n, sizeof all[0], order_reals);
    for (size_t i = 0; i < n; i++)
        if (*count == 0 || all[*count - 1] != all[i])
            all[(*count)++] = all[i];
    return all;
}

/* Whether the figure has such a bound. */
static bool has_limit(const struct cs_figure *figure, enum cs_helper helper)
{
    for (size_t i = 0; figure->limit != CS_LIMIT_NONE && i < figure->count;
         i++) {
        const struct cs_series *series = &figure->series[i];

        for (size_t k = 0; k < series->count; k++)
            if (series->points[k].helper == helper &&
                isfinite(series->points[k].limit_y))
                return true;
    }
    return false;
}

static size_t count_limits(const struct cs_figure *figure)
{
    size_t count = 0;

    for (int helper = 0; helper < CS_HELPERS; helper++)
        count += has_limit(figure, (enum cs_helper)helper);
    return count;
}

/* "lower bound (server)" */
static void add_limit_name(const struct cs_figure *figure,
                           enum cs_helper helper, struct cs_text *out)
{
    cs_text_printf(out, "%s%s", figure->limit_name, bound_looks[helper].suffix);
}

static void add_limit_data(const struct cs_figure *figure,
                           enum cs_helper helper, struct cs_text *out)
{
    struct cs_text name = {0};
    size_t count;
    double *x = all_x(figure, &count);

    add_limit_name(figure, helper, &name);
    plot_add_quoted(out, "\n\n# ", cs_text_str(&name), "\n# x bound\n");
    for (size_t i = 0; i < count; i++) {
        double limit = limit_at(figure, helper, x[i]);

        if (!isfinite(limit))
            continue;
        add_real(out, x[i]);
        cs_text_add(out, " ");
        add_real(out, limit);
        cs_text_add(out, "\n");
    }
    cs_text_free(&name);
    free(x);
}

/* One block a series, two empty lines between blocks, the bounds last. */
void cs_figure_data(const struct cs_figure *figure, struct cs_text *out)
{
    for (size_t i = 0; i < figure->count; i++) {
        const struct cs_series *series = &figure->series[i];

        plot_add_quoted(out, i > 0 ? "\n\n# " : "# ", series->name,
                        "\n# x simulated closed_form\n");
        for (size_t k = 0; k < series->count; k++) {
            add_real(out, series->points[k].x);
            cs_text_add(out, " ");
            add_real(out, series->points[k].y);
            cs_text_add(out, " ");
            add_real(out, series->points[k].model_y);
            cs_text_add(out, "\n");
        }
    }
    for (int helper = 0; helper < CS_HELPERS; helper++)
        if (has_limit(figure, (enum cs_helper)helper))
            add_limit_data(figure, (enum cs_helper)helper, out);
}

/* The axes. */

static void plot_widen(struct span *span, double value)
{
    if (!isfinite(value) || value <= 0)
        return;
    if (span->min == 0 || value < span->min)
        span->min = value;
    if (value > span->max)
        span->max = value;
}

static struct span span_x(const struct cs_figure *figure)
{
    struct span span = {0, 0};

    for (size_t i = 0; i < figure->count; i++)
        for (size_t k = 0; k < figure->series[i].count; k++)
            plot_widen(&span, figure->series[i].points[k].x);
    return span;
}

static struct span span_y(const struct cs_figure *figure)
{
    struct span span = {0, 0};

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

/* Room around the curves; a rate starts at nothing. */
static struct span plot_padded(struct span span, enum cs_axis axis)
{
    double room = pow(span.max / span.min, 0.05);
    double more =
        span.max > span.min ? 0.05 * (span.max - span.min) : 0.05 * span.max;

    if (axis == CS_AXIS_BPS)
        return (struct span){0, 1.12 * span.max};
    if (axis == CS_AXIS_SHARE)
        return (struct span){0, 1};
    if (axis == CS_AXIS_PLAIN)
        return (struct span){span.min - more, span.max + more};
    if (room < 1.1)
        room = 1.1;
    return (struct span){span.min / room, span.max * room};
}

static void add_range(struct cs_text *out, char axis, struct span span)
{
    cs_text_printf(out, "set %crange [", axis);
    add_real(out, span.min);
    cs_text_add(out, ":");
    add_real(out, span.max);
    cs_text_add(out, "]\n");
}

/* A tick of level 0 has a label, one of level 1 is small and has none. */
static void plot_add_tick(struct cs_text *out, const char *label, double at,
                          int level)
{
    bool first = out->data[out->length - 1] == '(';

    plot_add_quoted(out, first ? "" : ", ", label, " ");
    add_real(out, at);
    cs_text_add(out, level > 0 ? " 1" : "");
}

/* Powers of 2, at most TICKS_MAX of them, so far apart that KiB, MiB and GiB
 * are among them. */
static void add_byte_ticks(struct cs_text *out, struct span span)
{
    static const int steps[] = {1, 2, 5, 10, 20};
    static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                        "TiB", "PiB", "EiB"};
    int first = (int)ceil(log2(span.min) - 1e-9);
    int last = (int)floor(log2(span.max) + 1e-9);
    size_t pick = 0;
    int step;
    char label[24];

    while (pick + 1 < sizeof steps / sizeof steps[0] &&
           (last - first) / steps[pick] >= TICKS_MAX)
        pick++;
    step = steps[pick];
    for (int e = first < 0 ? 0 : first; e <= last && e < 70; e++) {
        (void)snprintf(label, sizeof label, "%d %s",
                       1 << e % BYTES_PER_UNIT_LOG2,
                       units[e / BYTES_PER_UNIT_LOG2]);
        plot_add_tick(out, e % step == 0 ? label : "", ldexp(1, e),
                      e % step != 0);
    }
}

/* A decade and what its labels say: 1, 10, 100 of each unit. */
static void show_decade(char *label, size_t size, int digit, int decade)
{
    static const char *const units[] = {"ps", "ns", "µs", "ms", "s"};
    int from_ps = decade + 12;
    int unit = from_ps < 0 ? 0 : from_ps / 3 > 4 ? 4 : from_ps / 3;
    double value = digit * pow(10, from_ps - 3 * unit);

    (void)snprintf(label, size, "%.4g %s", value, units[unit]);
}

static void add_second_ticks(struct cs_text *out, struct span span)
{
    int first = (int)floor(log10(span.min));
    int last = (int)floor(log10(span.max));
    bool few = log10(span.max / span.min) < 2;
    char label[32];

    for (int decade = first; decade <= last; decade++) {
        for (int digit = 1; digit <= 9; digit++) {
            double at =
                decade < 0 ? digit / pow(10, -decade) : digit * pow(10, decade);
            bool named = digit == 1 || (few && (digit == 2 || digit == 5));

            if (at < span.min || at > span.max)
                continue;
            show_decade(label, sizeof label, digit, decade);
            plot_add_tick(out, named ? label : "", at, !named);
        }
    }
}

/* A tick for each value that occurs, until they would touch. */
static void add_rank_ticks(struct cs_text *out, const struct cs_figure *figure)
{
    size_t count;
    double *x = all_x(figure, &count);
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

static void add_ticks(struct cs_text *out, char name, enum cs_axis axis,
                      const struct cs_figure *figure, struct span span)
{
    if (axis == CS_AXIS_BPS || axis == CS_AXIS_SHARE || axis == CS_AXIS_PLAIN)
        return; /* gnuplot's own are good */
    cs_text_printf(out, "set logscale %c\nset %ctics (", name, name);
    if (axis == CS_AXIS_BYTES)
        add_byte_ticks(out, span);
    else if (axis == CS_AXIS_SECONDS)
        add_second_ticks(out, span);
    else
        add_rank_ticks(out, figure);
    cs_text_add(out, ")\n");
}

/* Rates are drawn in GB/s. */
static double plot_unit_of(enum cs_axis axis)
{
    return axis == CS_AXIS_BPS ? 1e9 : 1;
}

static struct span drawn_y(const struct cs_figure *figure)
{
    struct span span = span_y(figure);

    span.min /= plot_unit_of(figure->y_axis);
    span.max /= plot_unit_of(figure->y_axis);
    return plot_padded(span, figure->y_axis);
}

static void add_axes(struct cs_text *out, const struct cs_figure *figure)
{
    struct span x = plot_padded(span_x(figure), figure->x_axis);
    struct span y = drawn_y(figure);

    add_range(out, 'x', x);
    add_range(out, 'y', y);
    add_ticks(out, 'x', figure->x_axis, figure, x);
    add_ticks(out, 'y', figure->y_axis, figure, y);
    plot_add_quoted(out, "set xlabel ", figure->x_title, " offset 0,0.1\n");
    /* Not ylabel, whose place depends on the width of the ticks' labels. */
    plot_add_quoted(out, "set label 3 ", figure->y_title,
                    " at screen 0.018, graph 0.5 center rotate by 90\n");
}

/* The curves. */

/* "'x.dat' index 2 using 1:($3/1e+09)" */
static void plot_add_source(struct cs_text *out, const struct cs_figure *figure,
                            size_t block, int column)
{
    cs_text_printf(out, "    '%s.dat' index %zu using 1:", figure->name, block);
    if (figure->y_axis == CS_AXIS_BPS)
        cs_text_printf(out, "($%d/1e9)", column);
    else
        cs_text_printf(out, "%d", column);
}

/* "with lines linewidth 2 dashtype solid linecolor rgb '#8c8c8c'" */
static void add_limit_look(struct cs_text *out, enum cs_helper helper)
{
    cs_text_printf(out,
                   " with lines linewidth %s dashtype %s linecolor rgb "
                   "'" GREY_LINE "'",
                   bound_looks[helper].width, bound_looks[helper].line);
}

/* Grey is where nobody gets: first the areas, then the lines. */
static void add_limits(struct cs_text *out, const struct cs_figure *figure)
{
    struct span y = drawn_y(figure);
    size_t block = figure->count;

    for (int helper = 0; helper < CS_HELPERS; helper++) {
        if (!has_limit(figure, (enum cs_helper)helper))
            continue;
        plot_add_source(out, figure, block++, 2);
        cs_text_add(out, " with filledcurves y1=");
        add_real(out, figure->limit == CS_LIMIT_LOWER ? y.min : y.max);
        cs_text_printf(out, " fillcolor rgb '%s' notitle, \\\n",
                       bound_looks[helper].area);
    }
    block = figure->count;
    for (int helper = 0; helper < CS_HELPERS; helper++) {
        if (!has_limit(figure, (enum cs_helper)helper))
            continue;
        plot_add_source(out, figure, block++, 2);
        add_limit_look(out, (enum cs_helper)helper);
        cs_text_add(out, " notitle, \\\n");
    }
}

/* A distribution has no closed form. */
static bool has_models(const struct cs_figure *figure)
{
    return figure->y_axis != CS_AXIS_SHARE;
}

static void add_models(struct cs_text *out, const struct cs_figure *figure)
{
    for (size_t i = 0; has_models(figure) && i < figure->count; i++) {
        if (figure->series[i].is_other)
            continue;
        plot_add_source(out, figure, i, 3);
        cs_text_printf(out,
                       " with lines linewidth 1.5 dashtype '--' linecolor rgb "
                       "'%s' notitle, \\\n",
                       looks[figure->series[i].style].colour);
    }
}

/* Those without a name: what the machine can run, or the hypothetical. */
static size_t count_others(const struct cs_figure *figure, bool hypothetical)
{
    size_t count = 0;

    for (size_t i = 0; i < figure->count; i++)
        count += figure->series[i].is_other &&
                 figure->series[i].is_hypothetical == hypothetical;
    return count;
}

static void add_others_look(struct cs_text *out, bool hypothetical)
{
    cs_text_printf(out,
                   " with lines linewidth 1%s linecolor rgb '" GREY_OTHERS "'",
                   hypothetical ? " dashtype (12,8)" : "");
}

static void plot_add_others(struct cs_text *out, const struct cs_figure *figure)
{
    for (size_t i = 0; i < figure->count; i++) {
        if (!figure->series[i].is_other)
            continue;
        plot_add_source(out, figure, i, 2);
        add_others_look(out, figure->series[i].is_hypothetical);
        cs_text_add(out, " notitle, \\\n");
    }
}

/* The key. */

/* Bytes of the first line of at most so many letters: up to a space if there
 * is one. */
static size_t line_length(const char *text, size_t letters)
{
    struct cs_utf8_char c = cs_utf8_first(text);
    size_t length = 0;
    size_t space = 0;

    for (size_t i = 0; i < letters && c.length != 0; i++) {
        if (text[length] == ' ')
            space = length;
        length += c.length;
        c = cs_utf8_first(text + length);
    }
    return c.length == 0 || text[length] == ' ' || space == 0 ? length : space;
}

static size_t count_lines(const char *name, size_t letters)
{
    size_t lines = 0;

    while (*name) {
        name += line_length(name, letters);
        name += *name == ' ';
        lines++;
    }
    return lines;
}

static size_t count_rows(const struct cs_figure *figure, size_t letters)
{
    size_t rows = has_models(figure) + count_limits(figure) +
                  (count_others(figure, false) > 0) +
                  (count_others(figure, true) > 0);

    for (size_t i = 0; i < figure->count; i++)
        if (!figure->series[i].is_other)
            rows += count_lines(figure->series[i].name, letters);
    return rows;
}

/* The largest type in which all of it can be read. */
static struct plot_key set_key(const struct cs_figure *figure)
{
    struct plot_key key = {KEY_SIZE, KEY_LETTERS};

    while (key.size > KEY_SIZE_MIN &&
           count_rows(figure, key.letters) * (size_t)key.size >
               (size_t)KEY_ROWS * KEY_SIZE) {
        key.size--;
        key.letters = (size_t)(KEY_LETTERS * KEY_SIZE / key.size);
    }
    return key;
}

/* The title of the curve, and of curves that cannot be seen behind it. */
static void plot_add_name(struct cs_text *out, const char *name, size_t letters)
{
    const char *before = " title ";
    size_t left = KEY_LINES;

    while (*name && left-- > 0) {
        struct cs_text line = {0};
        size_t length = line_length(name, letters);

        cs_text_add_n(&line, name, length);
        name += length;
        name += *name == ' ';
        cs_text_add(&line, *name && left == 0 ? " ..." : "");
        plot_add_quoted(out, before, cs_text_str(&line), ", \\\n");
        before = "    NaN with lines linecolor rgb '#ffffff' title ";
        cs_text_free(&line);
    }
}

static void add_curves(struct cs_text *out, const struct cs_figure *figure)
{
    size_t letters = set_key(figure).letters;

    for (size_t i = 0; i < figure->count; i++) {
        const struct cs_series *series = &figure->series[i];

        if (series->is_other)
            continue;
        plot_add_source(out, figure, i, 2);
        cs_text_printf(out,
                       " with linespoints linewidth %s pointtype %d "
                       "pointsize dot linecolor rgb '%s'",
                       series->is_hypothetical ? "1.5 dashtype (12,8)" : "3",
                       looks[series->style].shape, looks[series->style].colour);
        plot_add_name(out, series->name, letters);
    }
}

static void add_limit_key(struct cs_text *out, const struct cs_figure *figure,
                          enum cs_helper helper)
{
    struct cs_text name = {0};

    add_limit_name(figure, helper, &name);
    cs_text_add(out, ", \\\n    NaN");
    add_limit_look(out, helper);
    plot_add_quoted(out, " title ", cs_text_str(&name), "");
    cs_text_free(&name);
}

static void plot_add_key(struct cs_text *out, const struct cs_figure *figure)
{
    size_t others = count_others(figure, false);
    size_t hypothetical = count_others(figure, true);

    if (others > 0) {
        cs_text_add(out, "    NaN");
        add_others_look(out, false);
        cs_text_printf(out, " title '%zu other%s', \\\n", others,
                       others == 1 ? "" : "s");
    }
    if (hypothetical > 0) {
        cs_text_add(out, "    NaN");
        add_others_look(out, true);
        cs_text_printf(out, " title '%zu hypothetical', \\\n", hypothetical);
    }
    if (has_models(figure))
        cs_text_add(out, "    NaN with lines linewidth 1.5 dashtype '--' "
                         "linecolor rgb '" GREY_TEXT "' title 'closed form'");
    else
        cs_text_add(out, "    NaN notitle");
    for (int helper = 0; helper < CS_HELPERS; helper++)
        if (has_limit(figure, (enum cs_helper)helper))
            add_limit_key(out, figure, (enum cs_helper)helper);
    cs_text_add(out, "\n");
}

/* Leaves room at the right for the longest line of the key: a letter of its
 * largest type is 13.5 pixels wide, the rest of the key 120. */
static void add_right_margin(struct cs_text *out,
                             const struct cs_figure *figure)
{
    struct plot_key key = set_key(figure);
    size_t letters = strlen("closed form");
    double margin;

    for (size_t i = 0; i < figure->count; i++) {
        size_t width = cs_utf8_width(figure->series[i].name);

        if (width > letters && !figure->series[i].is_other)
            letters = width;
    }
    for (int helper = 0; helper < CS_HELPERS; helper++) {
        size_t width = strlen(bound_looks[helper].suffix);

        if (has_limit(figure, (enum cs_helper)helper) &&
            width + cs_utf8_width(figure->limit_name) > letters)
            letters = width + cs_utf8_width(figure->limit_name);
    }
    if (letters > key.letters)
        letters = key.letters;
    margin = 1 - (120 + 13.5 * (double)letters * key.size / KEY_SIZE) / 1280;
    cs_text_printf(out, "set rmargin at screen %.3f\n", fmax(margin, 0.5));
    if (key.size < KEY_SIZE)
        cs_text_printf(out, "set key font '" FONT ",%d'\n", key.size);
}

/* In the largest type in which it is no longer than the picture is wide. */
static void plot_add_title(struct cs_text *out, const struct cs_figure *figure)
{
    size_t letters = cs_utf8_width(figure->title);
    int size = letters > TITLE_LETTERS
                   ? (int)((size_t)TITLE_SIZE * TITLE_LETTERS / letters)
                   : TITLE_SIZE;

    if (size < KEY_SIZE_MIN)
        size = KEY_SIZE_MIN;
    plot_add_quoted(out, "set label 1 ", figure->title,
                    " at graph 0, graph 1.13 left font '" FONT);
    cs_text_printf(out, ",%d'\n", size);
}

static void plot_add_head(struct cs_text *out, const struct cs_figure *figure)
{
    cs_text_printf(out,
                   "# Draws %s.svg and %s.png; run it in this directory.\n"
                   "set encoding utf8\n"
                   "set lmargin at screen 0.125\n"
                   "set tmargin at screen 0.845\n"
                   "set bmargin at screen 0.135\n"
                   "set border 3 linewidth 1.5 linecolor rgb '" GREY_TEXT "'\n"
                   "set tics nomirror out scale 1,0.5\n"
                   "set grid linewidth 1 linetype 1 linecolor rgb '#dddddd'\n"
                   "set grid back\n"
                   "set key at graph 1.03, graph 1 left top Left reverse "
                   "samplen 2.2 spacing 1.25 width 0\n",
                   figure->name, figure->name);
    add_right_margin(out, figure);
    plot_add_title(out, figure);
    plot_add_quoted(out, "set label 2 ", figure->subtitle,
                    " at graph 0, graph 1.05 left font '" FONT
                    ",18' textcolor rgb '" GREY_TEXT "'\n");
}

/* One type size means pixels to one terminal and points to the other. */
static void add_terminal(struct cs_text *out, const char *terminal,
                         const char *options, const char *dot)
{
    cs_text_printf(out,
                   "set terminal %s size 1280,720 noenhanced font '" FONT
                   ",19' background rgb '#ffffff'%s\n"
                   "dot = %s\n",
                   terminal, options, dot);
}

void cs_figure_script(const struct cs_figure *figure, struct cs_text *out)
{
    plot_add_head(out, figure);
    add_axes(out, figure);
    add_terminal(out, "pngcairo", "", "1.5");
    cs_text_printf(out, "set output '%s.png'\nplot \\\n", figure->name);
    add_limits(out, figure);
    plot_add_others(out, figure);
    add_models(out, figure);
    add_curves(out, figure);
    plot_add_key(out, figure);
    add_terminal(out, "svg", " fontscale 1.3 dynamic", "0.9");
    cs_text_printf(out, "set output '%s.svg'\nreplot\nunset output\n",
                   figure->name);
}

/* Files. */

static int plot_write_file(const struct cs_figure *figure, const char *dir,
                           const char *extension,
                           void (*fill)(const struct cs_figure *,
                                        struct cs_text *),
                           struct cs_err *err)
{
    struct cs_text name = {0};
    struct cs_text content = {0};
    int rc;

    cs_text_printf(&name, "%s.%s", figure->name, extension);
    fill(figure, &content);
    rc = cs_files_write(dir, cs_text_str(&name), &content, err);
    cs_text_free(&content);
    cs_text_free(&name);
    return rc;
}

static int plot_draw(const struct cs_figure *figure, const char *dir,
                     struct cs_err *err)
{
    static const char *const kinds[] = {"png", "svg"};
    struct cs_text file = {0};
    int rc;

    cs_text_printf(&file, "%s.gp", figure->name);
    rc = cs_gnuplot_run(dir, cs_text_str(&file), err);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && !rc; i++) {
        cs_text_free(&file);
        cs_text_printf(&file, "%s.%s", figure->name, kinds[i]);
        rc = cs_gnuplot_drawn(dir, cs_text_str(&file), err);
    }
    cs_text_free(&file);
    return rc;
}

static int write_figure(const struct cs_figure *figure, const char *dir,
                        struct cs_text *log, struct cs_err *err)
{
    int rc = plot_write_file(figure, dir, "dat", cs_figure_data, err);

    if (!rc)
        rc = plot_write_file(figure, dir, "gp", cs_figure_script, err);
    if (!rc)
        rc = plot_draw(figure, dir, err);
    if (rc == 0)
        cs_text_printf(log, "%s/%s.png (and .svg, .gp, .dat)\n", dir,
                       figure->name);
    else if (rc == CS_GNUPLOT_ABSENT)
        cs_text_printf(log, "%s/%s.gp (and .dat; not drawn)\n", dir,
                       figure->name);
    return rc;
}

int cs_figures_write(struct cs_figures *figures, const char *dir,
                     struct cs_text *log, struct cs_err *err)
{
    int absent = 0;

    cs_figures_settle(figures);
    for (size_t i = 0; i < figures->count; i++) {
        int rc = write_figure(&figures->items[i], dir, log, err);

        if (rc < 0)
            return rc;
        if (rc == CS_GNUPLOT_ABSENT)
            absent = CS_GNUPLOT_ABSENT;
    }
    return absent;
}
