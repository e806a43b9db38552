#include "validate/gpu/comparison.h"

#include "sim/base/text.h"

#include <math.h>

static bool same_figure(const struct cs_compared *a, const struct cs_compared *b)
{
    return a->measured->work.ranks == b->measured->work.ranks &&
           cs_same(a->measured->gpu, b->measured->gpu) &&
           cs_same(a->measured->run.algorithm, b->measured->run.algorithm) &&
           cs_same(a->measured->work.dtype, b->measured->work.dtype) && cs_same(a->setup, b->setup);
}

static void begin_figure(const struct cs_compared *run, struct cs_figures *figures)
{
    const struct cs_measured *m = run->measured;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    cs_figures_begin(
        figures, &(struct cs_figure){
                     .name = cs_arena_printf(&arena, "%s-%s-%llu-%s", m->run.algorithm, run->setup,
                                             (unsigned long long)m->work.ranks, m->work.dtype),
                     .title = cs_arena_printf(&arena, "%s, %llu ranks on one %s", m->run.algorithm,
                                              (unsigned long long)m->work.ranks, m->gpu),
                     .subtitle = cs_arena_printf(
                         &arena, "%s by %s; dashed: closed form; grey: below the bound",
                         m->work.dtype, run->setup),
                     .alt = "Measured and predicted time over size",
                     .x_title = "vector",
                     .y_title = "time",
                     .x_axis = CS_AXIS_BYTES,
                     .y_axis = CS_AXIS_SECONDS,
                     .limit = CS_LIMIT_LOWER,
                     .limit_name = "lower bound",
                 });
}

/* The two series of the figure that a run begins. */
static void add_points(const struct cs_comparison *comparison, size_t first,
                       struct cs_figures *figures)
{
    for (int predicted = 0; predicted < 2; predicted++) {
        cs_figures_series(figures, predicted ? "predicted" : "measured");
        for (size_t i = first; i < comparison->run_count; i++) {
            const struct cs_compared *run = &comparison->runs[i];

            if (run->unknown || !same_figure(run, &comparison->runs[first]))
                continue;
            cs_figures_point(figures, &(struct cs_point){
                                          .x = (double)run->measured->work.bytes,
                                          .y = predicted ? run->predicted.time_s : run->time_s,
                                          .model_y = predicted ? run->predicted.closed_form_s : NAN,
                                          .limit_y = run->predicted.bound_s,
                                      });
        }
    }
}

void cs_comparison_figures(const struct cs_comparison *comparison, struct cs_figures *figures)
{
    for (size_t i = 0; i < comparison->run_count; i++) {
        const struct cs_compared *run = &comparison->runs[i];
        bool first = !run->unknown;

        for (size_t k = 0; k < i && first; k++)
            first = comparison->runs[k].unknown || !same_figure(run, &comparison->runs[k]);
        if (!first)
            continue;
        begin_figure(run, figures);
        add_points(comparison, i, figures);
    }
}
