/*
 * Report spread: the distribution of times of runs.
 *
 * The fraction of runs finished within a time (the empirical distribution
 * function): a figure per machine, size and number of ranks, a series per
 * algorithm.  Above fifty runs, a series has fifty-one points.
 */
#include "reports/figures/curves.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <inttypes.h>

enum {
    STEPS = 50
};

/* The unit for a time with up to three digits before the point. */
struct spread_unit {
    const char *name;
    double per_second;
};

static struct spread_unit spread_unit_of(double time_s)
{
    static const struct spread_unit units[] = {{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}};
    size_t i = 0;

    while (i < 3 && time_s * units[i].per_second < 1)
        i++;
    return units[i];
}

static bool spread_has_times(const struct cs_record *run)
{
    return run->spread.runs > 1 && run->spread.times;
}

/* Runs for one machine, size and number of ranks; algorithms may differ. */
static int spread_order(const struct cs_report *report, const struct cs_record *a,
                        const struct cs_record *b)
{
    int order = cs_curves_order(a, b, CS_OVER_BYTES);

    (void)report;
    return order != 0 ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* The runs of a figure, and the parameters that they share. */
struct spread_group {
    const struct cs_report_data *data;
    const struct cs_record *first;
    const struct cs_record_parameter *common;
    uint32_t common_count;
};

/* The parameters of the run that the figure's runs share, or the others: " a=1
 * b=2". */
static const char *spread_parameters(const struct spread_group *group, const struct cs_record *run,
                                     bool shared, struct cs_arena *arena)
{
    const char *text = "";

    for (uint32_t i = 0; i < run->parameter_count; i++)
        if (cs_curves_has_parameter(group->common, group->common_count, &run->parameter[i]) ==
            shared)
            text = cs_arena_printf(arena, "%s %s=%s", text, run->parameter[i].name,
                                   run->parameter[i].value);
    return text;
}

/* The algorithm, with the parameters that differ in the figure. */
static const char *spread_series_name(const struct spread_group *group, const struct cs_record *run,
                                      struct cs_arena *arena)
{
    return cs_arena_printf(arena, "%s%s", cs_curves_algorithm(run, arena),
                           spread_parameters(group, run, false, arena));
}

static void spread_begin_figure(const struct spread_group *group, struct spread_unit unit,
                                struct cs_figures *figures)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const struct cs_record *run = group->first;
    const char *parameters = spread_parameters(group, run, true, &arena);
    const char *machine = cs_curves_machine(group->data, run, CS_OVER_BYTES, &arena);
    const char *what = cs_arena_printf(&arena, "%s of %s on %s, %" PRIu32 " ranks", run->collective,
                                       cs_show_bytes(run->bytes).text, machine, run->ranks);

    cs_figures_begin(
        figures, &(struct cs_figure){
                     .name = cs_arena_printf(&arena, "spread-%s-%s-%s-%" PRIu32 "-%s", machine,
                                             run->collective, cs_show_bytes(run->bytes).text,
                                             run->ranks, run->model),
                     .title = what,
                     .subtitle = cs_arena_printf(
                         &arena, "fraction of runs finished within the time; model %s%s%s",
                         run->model, *parameters ? ";" : "", parameters),
                     .alt = cs_arena_printf(&arena, "distribution of the times of runs: %s", what),
                     .x_title = cs_arena_printf(&arena, "time (%s)", unit.name),
                     .y_title = "fraction of runs finished",
                     .x_axis = CS_AXIS_PLAIN,
                     .y_axis = CS_AXIS_SHARE,
                 });
}

/* Points at evenly spaced fractions, with the first and the last run. */
static void spread_add_series(const struct cs_record *run, const char *name,
                              struct spread_unit unit, struct cs_figures *figures)
{
    const struct cs_record_spread *spread = &run->spread;
    uint32_t steps = spread->runs - 1 < STEPS ? spread->runs - 1 : STEPS;

    cs_figures_series(figures, name);
    cs_curves_mark(run, figures);
    for (uint32_t i = 0; i <= steps; i++) {
        uint32_t at = (uint32_t)((uint64_t)(spread->runs - 1) * i / steps);

        cs_figures_xy(figures, spread->times[at] * unit.per_second,
                      (double)(at + 1) / spread->runs);
    }
}

static void spread_add(const struct cs_report *report, const struct cs_report_data *data,
                       const struct cs_record *const *runs, size_t count,
                       struct cs_figures *figures)
{
    struct spread_group group = {.data = data, .first = runs[0]};
    struct spread_unit unit = spread_unit_of(runs[0]->spread.median);
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    (void)report;
    group.common = cs_curves_common(runs, count, &group.common_count, &arena);
    spread_begin_figure(&group, unit, figures);
    for (size_t i = 0; i < count; i++)
        spread_add_series(runs[i], spread_series_name(&group, runs[i], &arena), unit, figures);
}

const struct cs_report cs_report_spread = {
    .name = "spread",
    .title = "distribution of times",
    .about = "The fraction of runs finished within each time, of runs with --jitter and --runs.",
    .keeps = spread_has_times,
    .order = spread_order,
    .add = spread_add,
};
