/*
 * Curves: see curves.h.
 */
#include "reports/curves.h"
#include "sim/base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double cs_curves_time_s(const struct cs_record *record)
{
    return (double)record->time_ps * 1e-12;
}

double cs_curves_closed_form_s(const struct cs_record *record)
{
    return record->closed_form_s;
}

/* Agents are help that the others do not have: what binds a run with them is
 * less, and no bound for the figure. */
double cs_curves_lower_bound_s(const struct cs_record *record)
{
    return record->agents ? (double)NAN : record->lower_bound_s;
}

static int order_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* What all runs of a figure agree on, whatever is on its x axis. */
static int order_common(const struct cs_record *a, const struct cs_record *b)
{
    int order = strcmp(a->topology, b->topology);

    if (order == 0)
        order = strcmp(a->collective, b->collective);
    if (order == 0)
        order = strcmp(a->model, b->model);
    if (order == 0)
        order = strcmp(a->dtype, b->dtype);
    if (order == 0)
        order = strcmp(a->placement, b->placement);
    return order;
}

/* Over sizes the machine stays the same; over ranks a generated machine may
 * grow with them, so its specification is not compared. */
int cs_curves_order(const struct cs_record *a, const struct cs_record *b,
                    enum cs_curves_over over)
{
    int order = order_common(a, b);

    if (order != 0)
        return order;
    if (over == CS_OVER_RANKS)
        return order_u64(a->bytes, b->bytes);
    order = order_u64(a->ranks, b->ranks);
    return order != 0 ? order : strcmp(a->topology_spec, b->topology_spec);
}

/* Pointers into one array: their order is that of the runs, which makes the
 * sort stable. */
static int order_runs(const void *a, const void *b, void *ctx)
{
    const enum cs_curves_over *over = ctx;
    const struct cs_record *const *left = a;
    const struct cs_record *const *right = b;
    int order = cs_curves_order(*left, *right, *over);

    return order != 0 ? order : (*left > *right) - (*left < *right);
}

static double x_of(const struct cs_record *record, enum cs_curves_over over)
{
    return over == CS_OVER_BYTES ? (double)record->bytes
                                 : (double)record->ranks;
}

/* Points with numbers that a logarithmic axis cannot show are left out. */
static bool is_shown(const struct cs_curves *curves,
                     const struct cs_record *record)
{
    double y = curves->y(record);

    return isfinite(y) && y > 0 && x_of(record, curves->over) > 0;
}

static bool has_two_x(const struct cs_curves *curves,
                      const struct cs_record *const *runs, size_t count)
{
    double first = 0;

    for (size_t i = 0; i < count; i++) {
        double x = x_of(runs[i], curves->over);

        if (!is_shown(curves, runs[i]))
            continue;
        if (first > 0 && x != first)
            return true;
        first = x;
    }
    return false;
}

static void begin_figure(const struct cs_curves *curves,
                         const struct cs_record *run,
                         struct cs_figures *figures)
{
    struct cs_arena arena = {0};
    char size[CS_UNITS_TEXT];
    bool over_bytes = curves->over == CS_OVER_BYTES;
    const char *what = cs_arena_printf(&arena, "%" PRIu32 " ranks", run->ranks);

    if (!over_bytes)
        what = cs_units_show_bytes(size, run->bytes);
    cs_figures_begin(
        figures,
        &(struct cs_figure){
            .name = cs_arena_printf(&arena, "%s-%s-%s-%s-%s", curves->name,
                                    run->topology, run->collective, what,
                                    run->model),
            .title = cs_arena_printf(&arena, "%s on %s, %s", run->collective,
                                     run->topology, what),
            .subtitle = cs_arena_printf(
                &arena, "%s; %s, model %s, placement %s", curves->about,
                run->dtype, run->model, run->placement),
            .alt = cs_arena_printf(&arena, "%s: %s on %s, %s", curves->about,
                                   run->collective, run->topology, what),
            .x_title = over_bytes ? "message size V (bytes)" : "ranks p",
            .y_title = curves->y_title,
            .x_axis = over_bytes ? CS_AXIS_BYTES : CS_AXIS_RANKS,
            .y_axis = curves->y_axis,
            .limit = curves->limit,
            .limit_name = curves->limit_name,
        });
    cs_arena_free(&arena);
}

/* "ps, 4 servers": the same algorithm with more servers is another curve. */
static const char *series_name(const struct cs_record *run,
                               struct cs_arena *arena)
{
    if (run->agents == 0)
        return run->algorithm;
    return cs_arena_printf(arena, "%s, %" PRIu32 " server%s", run->algorithm,
                           run->agents, run->agents == 1 ? "" : "s");
}

static void add_figure(const struct cs_curves *curves,
                       const struct cs_record *const *runs, size_t count,
                       struct cs_figures *figures)
{
    struct cs_arena arena = {0};

    if (!has_two_x(curves, runs, count))
        return;
    begin_figure(curves, runs[0], figures);
    for (size_t i = 0; i < count; i++) {
        if (!is_shown(curves, runs[i]))
            continue;
        cs_figures_series(figures, series_name(runs[i], &arena));
        cs_figures_point(figures, &(struct cs_point){
                                      .x = x_of(runs[i], curves->over),
                                      .y = curves->y(runs[i]),
                                      .model_y = curves->model_y(runs[i]),
                                      .limit_y = curves->limit_y(runs[i]),
                                  });
    }
    cs_arena_free(&arena);
}

void cs_curves_add(const struct cs_curves *curves,
                   const struct cs_report_data *data,
                   struct cs_figures *figures)
{
    const struct cs_record **runs = cs_grow(NULL, data->count, sizeof runs[0]);
    enum cs_curves_over over = curves->over;
    size_t end;

    for (size_t i = 0; i < data->count; i++)
        runs[i] = &data->records[i];
    qsort_r(runs, data->count, sizeof runs[0], order_runs, &over);
    for (size_t begin = 0; begin < data->count; begin = end) {
        end = begin + 1;
        while (end < data->count &&
               cs_curves_order(runs[begin], runs[end], over) == 0)
            end++;
        add_figure(curves, &runs[begin], end - begin, figures);
    }
    free(runs);
}
