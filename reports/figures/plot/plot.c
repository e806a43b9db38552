#include "reports/figures/plot/plot.h"

#include "reports/figures/plot/gnuplot.h"
#include "reports/results/files.h"
#include "sim/base/collections/vector.h"
#include "sim/base/order.h"
#include "sim/base/utf8.h"
#include "sim/engine/progress.h"

#include <math.h>
#include <stdlib.h>

enum {
    TITLE_SIZE = 27,
    TITLE_LETTERS = 62, /* that fit in TITLE_SIZE */
};

/* ---- curves ---- */

/* "'x.dat' index 2 using 1:($3/1e+09)" */
static void plot_add_source(struct cs_text *out, const struct cs_figure *figure, size_t block,
                            int column)
{
    cs_text_printf(out, "    '%s.dat' index %zu using 1:", figure->name, block);
    if (figure->y_axis == CS_AXIS_BPS)
        cs_text_printf(out, "($%d/1e9)", column);
    else
        cs_text_printf(out, "%d", column);
}

/* Grey areas are impossible: the areas are drawn first, then the lines. */
static void plot_add_limits(struct cs_text *out, const struct cs_figure *figure)
{
    struct cs_plot_span y = cs_plot_drawn_y(figure);
    size_t block = figure->count;

    for (int helper = 0; helper < CS_HELPERS; helper++) {
        if (!cs_plot_has_limit(figure, (enum cs_helper)helper))
            continue;
        plot_add_source(out, figure, block++, 2);
        cs_text_add(out, " with filledcurves y1=");
        cs_plot_add_real(out, figure->limit == CS_LIMIT_LOWER ? y.min : y.max);
        cs_text_printf(out, " fillcolor rgb '%s' notitle, \\\n", cs_plot_bound_looks[helper].area);
    }
    block = figure->count;
    for (int helper = 0; helper < CS_HELPERS; helper++) {
        if (!cs_plot_has_limit(figure, (enum cs_helper)helper))
            continue;
        plot_add_source(out, figure, block++, 2);
        cs_plot_add_limit_look(out, (enum cs_helper)helper);
        cs_text_add(out, " notitle, \\\n");
    }
}

/* Thin and dashed in the colour of the series: the closed form is a reference,
 * not a result. */
static void plot_add_models(struct cs_text *out, const struct cs_figure *figure)
{
    for (size_t i = 0; cs_plot_has_models(figure) && i < figure->count; i++) {
        if (figure->series[i].is_other)
            continue;
        plot_add_source(out, figure, i, 3);
        cs_text_printf(out,
                       " with lines linewidth 1.5 dashtype '--' linecolor rgb '%s' notitle, \\\n",
                       cs_plot_looks[figure->series[i].style].colour);
    }
}

/* Unnamed series are drawn below the named ones. */
static void plot_add_others(struct cs_text *out, const struct cs_figure *figure)
{
    for (size_t i = 0; i < figure->count; i++) {
        if (!figure->series[i].is_other)
            continue;
        plot_add_source(out, figure, i, 2);
        cs_plot_add_others_look(out, figure->series[i].is_hypothetical);
        cs_text_add(out, " notitle, \\\n");
    }
}

/* The named series, on top of everything else. */
static void plot_add_curves(struct cs_text *out, const struct cs_figure *figure)
{
    for (size_t i = 0; i < figure->count; i++) {
        const struct cs_series *series = &figure->series[i];

        if (series->is_other)
            continue;
        plot_add_source(out, figure, i, 2);
        cs_text_printf(
            out, " with linespoints linewidth %s pointtype %d pointsize dot linecolor rgb '%s'",
            series->is_hypothetical ? "1.5 dashtype (12,8)" : "3",
            cs_plot_looks[series->style].shape, cs_plot_looks[series->style].colour);
        cs_plot_add_name(out, figure, series->name);
    }
}

/* ---- the script ---- */

/* The largest type with room for the whole title. */
static void plot_add_title(struct cs_text *out, const struct cs_figure *figure)
{
    size_t letters = cs_utf8_width(figure->title);
    int size =
        letters > TITLE_LETTERS ? (int)((size_t)TITLE_SIZE * TITLE_LETTERS / letters) : TITLE_SIZE;

    if (size < CS_PLOT_KEY_SIZE_MIN)
        size = CS_PLOT_KEY_SIZE_MIN;
    cs_plot_add_quoted(out, "set label 1 ", figure->title,
                       " at graph 0, graph 1.13 left font '" CS_PLOT_FONT);
    cs_text_printf(out, ",%d'\n", size);
}

/* Left, top and bottom margins are in screen units: the axes of a page
 * align. */
static void plot_add_head(struct cs_text *out, const struct cs_figure *figure)
{
    cs_text_printf(
        out,
        "# Draws %s.svg and %s.png; run it in this directory.\n"
        "set encoding utf8\n"
        "set lmargin at screen 0.125\n"
        "set tmargin at screen 0.845\n"
        "set bmargin at screen 0.135\n"
        "set border 3 linewidth 1.5 linecolor rgb '" CS_PLOT_GREY_TEXT "'\n"
        "set tics nomirror out scale 1,0.5\n"
        "set grid linewidth 1 linetype 1 linecolor rgb '#dddddd'\n"
        "set grid back\n"
        "set key at graph 1.03, graph 1 left top Left reverse samplen 2.2 spacing 1.25 width 0\n",
        figure->name, figure->name);
    cs_plot_add_right_margin(out, figure);
    plot_add_title(out, figure);
    cs_plot_add_quoted(out, "set label 2 ", figure->subtitle,
                       " at graph 0, graph 1.05 left font '" CS_PLOT_FONT
                       ",18' textcolor rgb '" CS_PLOT_GREY_TEXT "'\n");
}

/* A type size is in points for png and in pixels for svg. */
static void plot_add_terminal(struct cs_text *out, const char *terminal, const char *options,
                              const char *dot)
{
    cs_text_printf(out,
                   "set terminal %s size 1280,720 noenhanced font '" CS_PLOT_FONT
                   ",19' background rgb '#ffffff'%s\n"
                   "dot = %s\n",
                   terminal, options, dot);
}

/* Two terminals in a script: svg for the page, png for slides. `replot` repeats
 * the plot in the second format. */
void cs_figure_script(const struct cs_figure *figure, struct cs_text *out)
{
    plot_add_head(out, figure);
    cs_plot_add_axes(out, figure);
    plot_add_terminal(out, "pngcairo", "", "1.5");
    cs_text_printf(out, "set output '%s.png'\nplot \\\n", figure->name);
    plot_add_limits(out, figure);
    plot_add_others(out, figure);
    plot_add_models(out, figure);
    plot_add_curves(out, figure);
    cs_plot_add_key(out, figure);
    plot_add_terminal(out, "svg", " fontscale 1.3 dynamic", "0.9");
    cs_text_printf(out, "set output '%s.svg'\nreplot\nunset output\n", figure->name);
}

/* ---- files ---- */

/* Writes the script or the data of a figure. */
static int plot_write_file(const struct cs_figure *figure, const char *dir, const char *extension,
                           void (*fill)(const struct cs_figure *, struct cs_text *),
                           struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text name = {0};
    CS_AT_END(cs_text_free) struct cs_text content = {0};

    cs_text_printf(&name, "%s.%s", figure->name, extension);
    fill(figure, &content);
    return cs_files_write(dir, cs_text_str(&name), &content, err);
}

static int plot_draw(const struct cs_figure *figure, const char *dir, struct cs_err *err)
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

static int plot_write_figure(const struct cs_figure *figure, const char *dir, struct cs_text *log,
                             struct cs_err *err)
{
    int rc = plot_write_file(figure, dir, "dat", cs_figure_data, err);

    if (!rc)
        rc = plot_write_file(figure, dir, "gp", cs_figure_script, err);
    if (!rc)
        rc = plot_draw(figure, dir, err);
    if (rc == 0)
        cs_text_printf(log, "%s/%s.png (and .svg, .gp, .dat)\n", dir, figure->name);
    else if (rc == CS_GNUPLOT_ABSENT)
        cs_text_printf(log, "%s/%s.gp (and .dat; not drawn)\n", dir, figure->name);
    return rc;
}

int cs_figures_write(struct cs_figures *figures, const char *dir, struct cs_text *log,
                     struct cs_err *err)
{
    int absent = 0;

    cs_figures_settle(figures);
    for (size_t i = 0; i < figures->count; i++) {
        int rc;

        (void)cs_monitor_count(figures->monitor, (CS_REPORT_PARTS - 1) * figures->count + i,
                               CS_REPORT_PARTS * figures->count);
        rc = plot_write_figure(&figures->items[i], dir, log, err);

        if (rc < 0)
            return rc;
        if (rc == CS_GNUPLOT_ABSENT)
            absent = CS_GNUPLOT_ABSENT;
    }
    return absent;
}

/* ---- data ---- */

double *cs_plot_all_x(const struct cs_figure *figure, size_t *count)
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
        qsort(all, n, sizeof all[0], cs_order_of_doubles);
    for (size_t i = 0; i < n; i++)
        if (*count == 0 || all[*count - 1] != all[i])
            all[(*count)++] = all[i];
    return all;
}

/* A bound is drawn if a point has a finite value. */
bool cs_plot_has_limit(const struct cs_figure *figure, enum cs_helper helper)
{
    for (size_t i = 0; figure->limit != CS_LIMIT_NONE && i < figure->count; i++) {
        const struct cs_series *series = &figure->series[i];

        for (size_t k = 0; k < series->count; k++)
            if (series->points[k].helper == helper && isfinite(series->points[k].limit_y))
                return true;
    }
    return false;
}

size_t cs_plot_count_limits(const struct cs_figure *figure)
{
    size_t count = 0;

    for (int helper = 0; helper < CS_HELPERS; helper++)
        count += cs_plot_has_limit(figure, (enum cs_helper)helper);
    return count;
}

/* "lower bound (server)" */
void cs_plot_add_limit_name(const struct cs_figure *figure, enum cs_helper helper,
                            struct cs_text *out)
{
    cs_text_printf(out, "%s%s", figure->limit_name, cs_plot_bound_looks[helper].suffix);
}

/* By x, then by bound. */
static int plot_data_order_limits(const void *a, const void *b)
{
    const struct cs_point *left = a;
    const struct cs_point *right = b;

    if (left->x != right->x)
        return left->x < right->x ? -1 : 1;
    return (left->limit_y > right->limit_y) - (left->limit_y < right->limit_y);
}

/* The points with a bound with the agents, sorted; the caller frees. */
static struct cs_point *plot_data_limits(const struct cs_figure *figure, enum cs_helper helper,
                                         size_t *count)
{
    struct cs_point *limits = NULL;
    uint32_t capacity = 0;

    *count = 0;
    for (size_t i = 0; i < figure->count; i++) {
        const struct cs_series *series = &figure->series[i];

        for (size_t k = 0; k < series->count; k++) {
            if (series->points[k].helper != helper || !isfinite(series->points[k].limit_y))
                continue;
            limits = cs_vector_room(limits, (uint32_t)*count + 1, &capacity, sizeof limits[0]);
            limits[(*count)++] = series->points[k];
        }
    }
    if (*count)
        qsort(limits, *count, sizeof limits[0], plot_data_order_limits);
    return limits;
}

/* The bound at each x; of several bounds, the weakest, which holds for every
 * series. */
static void plot_data_add_limit_data(const struct cs_figure *figure, enum cs_helper helper,
                                     struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text name = {0};
    bool is_lower = figure->limit == CS_LIMIT_LOWER;
    size_t count;
    struct cs_point *limits = plot_data_limits(figure, helper, &count);

    cs_plot_add_limit_name(figure, helper, &name);
    cs_plot_add_quoted(out, "\n\n# ", cs_text_str(&name), "\n# x bound\n");
    for (size_t i = 0; i < count; i++) {
        bool is_first = i == 0 || limits[i - 1].x != limits[i].x;
        bool is_last = i + 1 == count || limits[i + 1].x != limits[i].x;

        if (is_lower ? !is_first : !is_last)
            continue;
        cs_plot_add_real(out, limits[i].x);
        cs_text_add(out, " ");
        cs_plot_add_real(out, limits[i].limit_y);
        cs_text_add(out, "\n");
    }
    free(limits);
}

void cs_figure_data(const struct cs_figure *figure, struct cs_text *out)
{
    for (size_t i = 0; i < figure->count; i++) {
        const struct cs_series *series = &figure->series[i];

        cs_plot_add_quoted(out, i > 0 ? "\n\n# " : "# ", series->name,
                           "\n# x simulated closed_form\n");
        for (size_t k = 0; k < series->count; k++) {
            cs_plot_add_real(out, series->points[k].x);
            cs_text_add(out, " ");
            cs_plot_add_real(out, series->points[k].y);
            cs_text_add(out, " ");
            cs_plot_add_real(out, series->points[k].model_y);
            cs_text_add(out, "\n");
        }
    }
    for (int helper = 0; helper < CS_HELPERS; helper++)
        if (cs_plot_has_limit(figure, (enum cs_helper)helper))
            plot_data_add_limit_data(figure, (enum cs_helper)helper, out);
}

bool cs_plot_has_models(const struct cs_figure *figure)
{
    for (size_t i = 0; i < figure->count; i++) {
        const struct cs_series *series = &figure->series[i];

        for (size_t k = 0; k < series->count && !series->is_other; k++)
            if (isfinite(series->points[k].model_y))
                return true;
    }
    return false;
}

size_t cs_plot_count_others(const struct cs_figure *figure, bool hypothetical)
{
    size_t count = 0;

    for (size_t i = 0; i < figure->count; i++)
        count += figure->series[i].is_other && figure->series[i].is_hypothetical == hypothetical;
    return count;
}
