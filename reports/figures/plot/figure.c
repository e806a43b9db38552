#include "reports/figures/plot/figure.h"
#include "sim/base/collections/vector.h"
#include "sim/base/order.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_MAX_BYTES = 100
};

static bool figure_is_safe(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
}

/* ASCII only, in every locale. */
static char figure_to_lower(char c)
{
    static const char lower[] = "abcdefghijklmnopqrstuvwxyz";

    if (c >= 'A' && c <= 'Z')
        return lower[c - 'A'];
    return c;
}

void cs_figure_safe_name(const char *text, struct cs_text *out)
{
    char name[NAME_MAX_BYTES + 1];
    size_t length = 0;

    for (; *text && length < NAME_MAX_BYTES; text++) {
        char c = figure_to_lower(*text);

        if (figure_is_safe(c) && (length > 0 || c != '.'))
            name[length++] = c;
        else if (length > 0 && name[length - 1] != '-')
            name[length++] = '-';
    }
    while (length > 0 && name[length - 1] == '-')
        length--;
    if (length == 0)
        cs_text_add(out, "figure");
    cs_text_add_n(out, name, length);
}

/* Whether no figure has the name, which is then taken. */
static bool figure_takes(struct cs_figures *figures, const char *name)
{
    uint32_t number = figures->names.count;

    if (figures->names.capacity == 0)
        cs_names_init(&figures->names, &figures->arena, 0);
    if (cs_names_add(&figures->names, name, number) != CS_NO_NAME)
        return false;
    figures->endings = cs_vector_room(figures->endings, number + 1, &figures->ending_capacity,
                                      sizeof figures->endings[0]);
    figures->endings[number] = 1;
    return true;
}

/* Names of machines may differ only in characters that are unsafe in file
 * names, so a safe name may be taken. */
static const char *figure_free_name(struct cs_figures *figures, const char *wanted)
{
    CS_AT_END(cs_text_free) struct cs_text safe = {0};
    const char *first, *name;

    cs_figure_safe_name(wanted, &safe);
    first = cs_arena_text(&figures->arena, cs_text_str(&safe));
    for (name = first; !figure_takes(figures, name);)
        name = cs_arena_printf(&figures->arena, "%s-%u", first,
                               ++figures->endings[cs_names_find(&figures->names, first)]);
    return name;
}

static const char *figure_copy(struct cs_figures *figures, const char *text)
{
    return cs_arena_text(&figures->arena, text ? text : "");
}

void cs_figures_begin(struct cs_figures *figures, const struct cs_figure *figure)
{
    const char *name = figure_free_name(figures, figure->name);
    struct cs_figure *to;

    figures->items = cs_vector_room(figures->items, (uint32_t)figures->count + 1,
                                    &figures->capacity, sizeof figures->items[0]);
    to = &figures->items[figures->count++];
    *to = *figure;
    to->name = name;
    to->title = figure_copy(figures, figure->title);
    to->subtitle = figure_copy(figures, figure->subtitle);
    to->alt = figure_copy(figures, figure->alt);
    to->x_title = figure_copy(figures, figure->x_title);
    to->y_title = figure_copy(figures, figure->y_title);
    to->limit_name = figure_copy(figures, figure->limit_name);
    to->series = NULL;
    to->count = to->capacity = to->current = 0;
    cs_names_init(&figures->series, &figures->arena, 0);
}

static struct cs_figure *figure_last_figure(struct cs_figures *figures)
{
    assert(figures->count > 0);
    return &figures->items[figures->count - 1];
}

void cs_figures_series(struct cs_figures *figures, const char *name)
{
    struct cs_figure *figure = figure_last_figure(figures);
    uint32_t known;

    if (figure->count > 0 && cs_same(figure->series[figure->current].name, name))
        return;
    known = cs_names_find(&figures->series, name);
    if (known != CS_NO_NAME) {
        figure->current = known;
        return;
    }
    figure->series = cs_vector_room(figure->series, (uint32_t)figure->count + 1, &figure->capacity,
                                    sizeof figure->series[0]);
    name = figure_copy(figures, name);
    figure->current = figure->count++;
    figure->series[figure->current] = (struct cs_series){.name = name};
    (void)cs_names_add(&figures->series, name, (uint32_t)figure->current);
}

static struct cs_series *figure_last_series(struct cs_figures *figures)
{
    struct cs_figure *figure = figure_last_figure(figures);

    assert(figure->count > 0);
    return &figure->series[figure->current];
}

void cs_figures_reference(struct cs_figures *figures)
{
    figure_last_series(figures)->is_reference = true;
}

void cs_figures_hypothetical(struct cs_figures *figures)
{
    figure_last_series(figures)->is_hypothetical = true;
}

void cs_figures_point(struct cs_figures *figures, const struct cs_point *point)
{
    struct cs_series *series = figure_last_series(figures);
    size_t last = series->count - 1;

    if (series->count > 0 && series->points[last].x == point->x) {
        series->points[last] = *point;
        return;
    }
    series->is_mixed |= series->count > 0 && series->points[last].x > point->x;
    series->points = cs_vector_room(series->points, (uint32_t)series->count + 1, &series->capacity,
                                    sizeof series->points[0]);
    series->points[series->count++] = *point;
}

void cs_figures_xy(struct cs_figures *figures, double x, double y)
{
    cs_figures_point(figures, &(struct cs_point){
                                  .x = x, .y = y, .model_y = (double)NAN, .limit_y = (double)NAN});
}

/* Pointers into an array: the comparison of pointers makes the sort stable. */
static int figure_order_points(const void *a, const void *b)
{
    const struct cs_point *const *left = a;
    const struct cs_point *const *right = b;

    if ((*left)->x != (*right)->x)
        return (*left)->x < (*right)->x ? -1 : 1;
    return (*left > *right) - (*left < *right);
}

/* In ascending x; of equal x, the last point. */
static void figure_sort_series(struct cs_series *series)
{
    const struct cs_point **order;
    struct cs_point *sorted;
    size_t count = 0;

    if (!series->is_mixed)
        return;
    order = cs_grow(NULL, series->count, sizeof *order);
    sorted = cs_grow(NULL, series->count, sizeof *sorted);
    for (size_t i = 0; i < series->count; i++)
        order[i] = &series->points[i];
    qsort(order, series->count, sizeof *order, figure_order_points);
    for (size_t i = 0; i < series->count; i++)
        if (i + 1 == series->count || order[i + 1]->x != order[i]->x)
            sorted[count++] = *order[i];
    free(order);
    free(series->points);
    series->points = sorted;
    series->capacity = (uint32_t)series->count;
    series->count = count;
    series->is_mixed = false;
}

/* ---- series with a name ---- */

struct figure_place {
    size_t series;
    int rank;     /* 0 reference, 2 hypothetical, 1 otherwise */
    bool is_best; /* at an x */
    double away;  /* logarithm of the mean ratio to the best */
};

static int figure_order_places(const void *a, const void *b)
{
    const struct figure_place *left = a;
    const struct figure_place *right = b;

    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->is_best != right->is_best)
        return left->is_best ? -1 : 1;
    if (left->away != right->away)
        return left->away < right->away ? -1 : 1;
    return (left->series > right->series) - (left->series < right->series);
}

/* By x, then by y. */
static int figure_order_values(const void *a, const void *b)
{
    const struct cs_point *left = a;
    const struct cs_point *right = b;

    if (left->x != right->x)
        return left->x < right->x ? -1 : 1;
    return (left->y > right->y) - (left->y < right->y);
}

/* At each x the point with the best value among series that the machine is known to
 * support. */
struct figure_best {
    struct cs_point *points; /* in ascending x */
    size_t count;
};

/* All points of those series, sorted. */
static struct figure_best figure_collect(const struct cs_figure *figure)
{
    struct figure_best all = {NULL, 0};
    size_t count = 0;

    for (size_t i = 0; i < figure->count; i++)
        count += figure->series[i].count;
    all.points = cs_grow(NULL, count, sizeof all.points[0]);
    for (size_t i = 0; i < figure->count; i++) {
        const struct cs_series *series = &figure->series[i];

        if (series->is_hypothetical || series->count == 0)
            continue;
        memcpy(&all.points[all.count], series->points, series->count * sizeof all.points[0]);
        all.count += series->count;
    }
    if (all.count)
        qsort(all.points, all.count, sizeof all.points[0], figure_order_values);
    return all;
}

static struct figure_best figure_find_best(const struct cs_figure *figure)
{
    struct figure_best best = figure_collect(figure);
    size_t count = 0;

    for (size_t i = 0; i < best.count; i++) {
        if (count == 0 || best.points[count - 1].x != best.points[i].x)
            best.points[count++] = best.points[i];
        else if (figure->limit == CS_LIMIT_UPPER)
            best.points[count - 1] = best.points[i];
    }
    best.count = count;
    return best;
}

/* The time at which half of the runs are finished. */
static double figure_median_of(const struct cs_series *series)
{
    size_t k = 0;

    while (k + 1 < series->count && series->points[k].y < 0.5)
        k++;
    return series->count ? series->points[k].x : (double)INFINITY;
}

/* The place of a series in the choice of names. The distance to the best is
 * a mean of logarithms: a factor counts equally at every x. */
static struct figure_place figure_place_of(const struct cs_figure *figure,
                                           const struct figure_best *best, size_t number)
{
    const struct cs_series *series = &figure->series[number];
    struct figure_place place = {.series = number,
                                 .rank = series->is_reference      ? 0
                                         : series->is_hypothetical ? 2
                                                                   : 1};

    if (figure->y_axis == CS_AXIS_SHARE) {
        place.away = figure_median_of(series);
        return place;
    }
    for (size_t k = 0; k < series->count; k++) {
        const struct cs_point *at = bsearch(&series->points[k], best->points, best->count,
                                            sizeof best->points[0], cs_order_of_doubles);

        if (!at) /* only hypothetical series have the x */
            continue;
        place.is_best |= series->points[k].y == at->y;
        place.away += fabs(log(series->points[k].y / at->y)) / (double)series->count;
    }
    return place;
}

/* The key has room for CS_FIGURE_NAMED names; series beyond that are grey. */
static void figure_choose_names(struct cs_figure *figure)
{
    struct figure_place *places;
    struct figure_best best;

    if (figure->count <= CS_FIGURE_NAMED)
        return;
    best = figure_find_best(figure);
    places = cs_grow(NULL, figure->count, sizeof places[0]);
    for (size_t i = 0; i < figure->count; i++)
        places[i] = figure_place_of(figure, &best, i);
    qsort(places, figure->count, sizeof places[0], figure_order_places);
    for (size_t i = CS_FIGURE_NAMED; i < figure->count; i++)
        figure->series[places[i].series].is_other = true;
    free(places);
    free(best.points);
}

/* ---- looks ---- */

/* Looks in use: in figure `f`, and in the figures before. */
struct taken {
    bool here[CS_FIGURE_NAMED];
    bool before[CS_FIGURE_NAMED];
};

/* The look of the name in an earlier figure, or CS_FIGURE_NAMED. */
static uint32_t figure_earlier_style(const struct cs_figures *figures, size_t f, const char *name)
{
    while (f-- > 0) {
        const struct cs_figure *figure = &figures->items[f];

        for (size_t i = 0; i < figure->count; i++)
            if (!figure->series[i].is_other && cs_same(figure->series[i].name, name))
                return figure->series[i].style;
    }
    return CS_FIGURE_NAMED;
}

/* The first look without a figure; otherwise the first free look of `f`. */
static uint32_t figure_free_style(const struct taken *taken)
{
    uint32_t style = 0;

    while (style < CS_FIGURE_NAMED && (taken->here[style] || taken->before[style]))
        style++;
    if (style < CS_FIGURE_NAMED)
        return style;
    for (style = 0; taken->here[style];)
        style++;
    return style;
}

/* First the looks from earlier figures, then free looks: a name that recurs
 * must not lose its colour to a new name. */
static void figure_choose_styles(const struct cs_figures *figures, size_t f, struct taken *taken)
{
    struct cs_figure *figure = &figures->items[f];

    memset(taken->here, 0, sizeof taken->here);
    for (size_t i = 0; i < figure->count; i++) {
        struct cs_series *series = &figure->series[i];

        if (series->is_other)
            continue;
        series->style = figure_earlier_style(figures, f, series->name);
        if (series->style == CS_FIGURE_NAMED)
            continue;
        if (taken->here[series->style])
            series->style = CS_FIGURE_NAMED;
        else
            taken->here[series->style] = true;
    }
    for (size_t i = 0; i < figure->count; i++) {
        struct cs_series *series = &figure->series[i];

        if (series->is_other || series->style < CS_FIGURE_NAMED)
            continue;
        series->style = figure_free_style(taken);
        taken->here[series->style] = true;
    }
    for (size_t i = 0; i < CS_FIGURE_NAMED; i++)
        taken->before[i] |= taken->here[i];
}

/* In the order of the figures, as later figures copy looks of earlier ones. */
void cs_figures_settle(struct cs_figures *figures)
{
    struct taken taken = {{false}, {false}};

    for (size_t f = 0; f < figures->count; f++) {
        struct cs_figure *figure = &figures->items[f];

        for (size_t i = 0; i < figure->count; i++)
            figure_sort_series(&figure->series[i]);
        figure_choose_names(figure);
        figure_choose_styles(figures, f, &taken);
    }
}

static void figure_free(struct cs_figure *figure)
{
    for (size_t i = 0; i < figure->count; i++)
        free(figure->series[i].points);
    free(figure->series);
}

size_t cs_figures_keep(struct cs_figures *figures, size_t most)
{
    size_t others = 0;

    for (; figures->count > most; others++)
        figure_free(&figures->items[--figures->count]);
    return others;
}

void cs_figures_free(struct cs_figures *figures)
{
    for (size_t f = 0; f < figures->count; f++)
        figure_free(&figures->items[f]);
    free(figures->items);
    free(figures->endings);
    cs_arena_free(&figures->arena);
    *figures = (struct cs_figures){0};
}
