/*
 * Figures: see figure.h.
 */
#include "reports/figure.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_MAX_BYTES = 100
};

static bool is_safe(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_';
}

/* Of ASCII, whatever the locale. */
static char to_lower(char c)
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
        char c = to_lower(*text);

        if (is_safe(c) && (length > 0 || c != '.'))
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

static bool is_taken(const struct cs_figures *figures, const char *name)
{
    for (size_t i = 0; i < figures->count; i++)
        if (cs_same(figures->items[i].name, name))
            return true;
    return false;
}

static const char *free_name(struct cs_figures *figures, const char *wanted)
{
    struct cs_text safe = {0};
    const char *name;

    cs_figure_safe_name(wanted, &safe);
    name = cs_arena_text(&figures->arena, cs_text_str(&safe));
    for (unsigned n = 2; is_taken(figures, name); n++)
        name = cs_arena_printf(&figures->arena, "%s-%u", cs_text_str(&safe), n);
    cs_text_free(&safe);
    return name;
}

static const char *copy(struct cs_figures *figures, const char *text)
{
    return cs_arena_text(&figures->arena, text ? text : "");
}

void cs_figures_begin(struct cs_figures *figures,
                      const struct cs_figure *figure)
{
    const char *name = free_name(figures, figure->name);
    struct cs_figure *to;

    if (figures->count == figures->capacity) {
        figures->capacity = figures->capacity ? 2 * figures->capacity : 8;
        figures->items = cs_grow(figures->items, figures->capacity,
                                 sizeof figures->items[0]);
    }
    to = &figures->items[figures->count++];
    *to = *figure;
    to->name = name;
    to->title = copy(figures, figure->title);
    to->subtitle = copy(figures, figure->subtitle);
    to->alt = copy(figures, figure->alt);
    to->x_title = copy(figures, figure->x_title);
    to->y_title = copy(figures, figure->y_title);
    to->limit_name = copy(figures, figure->limit_name);
    to->series = NULL;
    to->count = to->capacity = to->current = 0;
}

/* The looks of a name: those it had in an earlier figure, or new ones. */
static uint32_t style_of(struct cs_figures *figures, const char *name)
{
    for (size_t f = 0; f < figures->count; f++) {
        const struct cs_figure *figure = &figures->items[f];

        for (size_t i = 0; i < figure->count; i++)
            if (cs_same(figure->series[i].name, name))
                return figure->series[i].style;
    }
    return figures->styles++;
}

static struct cs_figure *last_figure(struct cs_figures *figures)
{
    assert(figures->count > 0);
    return &figures->items[figures->count - 1];
}

void cs_figures_series(struct cs_figures *figures, const char *name)
{
    struct cs_figure *figure = last_figure(figures);
    uint32_t style;

    for (size_t i = 0; i < figure->count; i++) {
        if (cs_same(figure->series[i].name, name)) {
            figure->current = i;
            return;
        }
    }
    style = style_of(figures, name);
    if (figure->count == figure->capacity) {
        figure->capacity = figure->capacity ? 2 * figure->capacity : 8;
        figure->series =
            cs_grow(figure->series, figure->capacity, sizeof figure->series[0]);
    }
    figure->current = figure->count++;
    figure->series[figure->current] = (struct cs_series){
        .name = copy(figures, name),
        .style = style,
    };
}

void cs_figures_point(struct cs_figures *figures, const struct cs_point *point)
{
    struct cs_figure *figure = last_figure(figures);
    struct cs_series *series = &figure->series[figure->current];
    size_t at = series->count;

    assert(figure->count > 0);
    while (at > 0 && series->points[at - 1].x > point->x)
        at--;
    if (at > 0 && series->points[at - 1].x == point->x) {
        series->points[at - 1] = *point;
        return;
    }
    if (series->count == series->capacity) {
        series->capacity = series->capacity ? 2 * series->capacity : 16;
        series->points =
            cs_grow(series->points, series->capacity, sizeof series->points[0]);
    }
    memmove(&series->points[at + 1], &series->points[at],
            (series->count - at) * sizeof series->points[0]);
    series->points[at] = *point;
    series->count++;
}

void cs_figures_free(struct cs_figures *figures)
{
    for (size_t f = 0; f < figures->count; f++) {
        for (size_t i = 0; i < figures->items[f].count; i++)
            free(figures->items[f].series[i].points);
        free(figures->items[f].series);
    }
    free(figures->items);
    cs_arena_free(&figures->arena);
    *figures = (struct cs_figures){0};
}
