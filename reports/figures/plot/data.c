/*
 * Plot data: see plot/data.h.
 */
#include "reports/figures/plot/data.h"
#include "reports/figures/plot/look.h"
#include "reports/figures/plot/text.h"
#include "sim/base/collections/vector.h"

#include <math.h>
#include <stdlib.h>

static int plot_data_order_reals(const void *a, const void *b)
{
    const double *left = a;
    const double *right = b;

    return (*left > *right) - (*left < *right);
}

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
        qsort(all, n, sizeof all[0], plot_data_order_reals);
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
    struct cs_text name = {0};
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
    cs_text_free(&name);
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
