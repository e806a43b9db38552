/*
 * Charts of a capacity report.
 */
#include "scenarios/plan/cases/measured.h"
#include "scenarios/plan/report/report.h"
#include "scenarios/run/library_call.h"
#include "sim/base/units_show.h"

#include <math.h>
#include <stdio.h>

enum {
    CHART_POINTS = 64,
    CHART_SIZES = 24,
};

/* The cases of a name are neighbours: one for each number of GPUs. */
static uint32_t group_count(const struct cs_plan *plan)
{
    return plan->count / plan->options->gpus.count;
}

static const struct cs_plan_case *group(const struct cs_plan *plan, uint32_t g)
{
    return &plan->cases[(size_t)g * plan->options->gpus.count];
}

static double *numbers(const struct cs_plan *plan, uint32_t count)
{
    return cs_arena_alloc(plan->options->train.scenario.arena, count, sizeof(double));
}

static bool are_equal(const double *a, const double *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        if (isfinite(a[i]) != isfinite(b[i]) || a[i] < b[i] || a[i] > b[i])
            return false;
    return true;
}

/* Adds a curve; machines with the same curve share it, and their names. */
static void add_curve(const struct cs_plan *plan, struct cs_chart_series series,
                      struct cs_chart *chart)
{
    for (uint32_t s = 0; s < chart->series_count; ++s) {
        struct cs_chart_series *other = &chart->series[s];

        if (other->count == series.count && other->is_bound == series.is_bound &&
            are_equal(other->x, series.x, series.count) &&
            are_equal(other->y, series.y, series.count)) {
            other->name = cs_arena_printf(plan->options->train.scenario.arena, "%s; %s",
                                          other->name, series.name);
            return;
        }
    }
    if (chart->series_count < CS_CHART_SERIES_MAX)
        chart->series[chart->series_count++] = series;
}

typedef uint32_t measured_fn(const struct cs_plan *plan, const char *node,
                             struct cs_plan_measured sets[CS_MEASURED_SETS]);

static void add_sets(const struct cs_plan *plan, const struct cs_plan_measured *sets,
                     uint32_t count, struct cs_chart *chart)
{
    for (uint32_t s = 0; s < count; ++s)
        add_curve(plan,
                  (struct cs_chart_series){.name = sets[s].name,
                                           .x = sets[s].x,
                                           .y = sets[s].y,
                                           .count = sets[s].count,
                                           .is_points = true},
                  chart);
}

/* Published measurements of each node of the plan, with its own links; their
 * number. */
static uint32_t add_measured(const struct cs_plan *plan, measured_fn *measured,
                             struct cs_chart *chart)
{
    const struct cs_plan_options *options = plan->options;
    uint32_t all = 0;

    for (uint32_t n = 0; n < options->nodes.count && !options->links.count; ++n) {
        struct cs_plan_measured *sets =
            cs_arena_alloc(options->train.scenario.arena, CS_MEASURED_SETS, sizeof(*sets));
        uint32_t count = measured(plan, options->nodes.item[n], sets);

        add_sets(plan, sets, count, chart);
        all += count;
    }
    return all;
}

/* The caption with the origin of the measured points, or that none exist. */
static const char *caption_of(const struct cs_plan *plan, const char *caption, uint32_t measured,
                              const char *points)
{
    struct cs_arena *arena = plan->options->train.scenario.arena;

    if (measured)
        return cs_arena_printf(arena, "%s %s", caption, points);
    return cs_arena_printf(arena, "%s No published measurements of these %s.", caption,
                           plan->options->mix.count ? "nodes with this mix"
                                                    : "nodes with this model");
}

/* The place of a figure in a case. */
#define AT(member) offsetof(struct cs_plan_case, member)

/* A figure by the numbers of GPUs of a group; NAN where a case is refused. */
static double *figures(const struct cs_plan *plan, const struct cs_plan_case *cases, size_t place)
{
    double *values = numbers(plan, plan->options->gpus.count);

    for (uint32_t i = 0; i < plan->options->gpus.count; ++i)
        values[i] =
            cases[i].refusal ? (double)NAN : *(const double *)((const char *)&cases[i] + place);
    return values;
}

static struct cs_chart_series curve_of(const struct cs_plan *plan, const struct cs_plan_case *cases,
                                       size_t place)
{
    uint32_t count = plan->options->gpus.count;
    double *x = numbers(plan, count);

    for (uint32_t i = 0; i < count; ++i)
        x[i] = cases[i].gpus;
    return (struct cs_chart_series){
        .name = cases->name, .x = x, .y = figures(plan, cases, place), .count = count};
}

/* ---- efficiency against GPUs ---- */

static void add_bounds(const struct cs_plan *plan, bool is_efficiency, struct cs_chart *chart)
{
    for (uint32_t g = 0; g < group_count(plan); ++g) {
        const struct cs_plan_case *cases = group(plan, g);
        struct cs_chart_series curve = curve_of(plan, cases, AT(time.bound_s));
        double *y = figures(plan, cases, AT(efficiency));
        bool is_known = false;

        for (uint32_t i = 0; i < curve.count; ++i) {
            y[i] *= cases[i].time.time_s / curve.y[i];
            is_known |= isfinite(curve.y[i]);
        }
        curve.y = is_efficiency ? y : curve.y;
        curve.is_bound = true;
        curve.name =
            cs_arena_printf(plan->options->train.scenario.arena, "bound of %s", curve.name);
        if (is_known)
            add_curve(plan, curve, chart);
    }
}

static void add_efficiency(const struct cs_plan *plan, struct cs_document *document)
{
    bool is_mix = plan->options->mix.count > 0;
    struct cs_chart chart = {
        .caption = is_mix ? "Least time among the numbers of GPUs over the time; 100 % is a mix "
                            "whose time does not grow; dashed: the lower bound of the time."
                          : "Rate per GPU against the best number of GPUs of the same machine; "
                            "100 % is linear scaling.",
        .x_title = "GPUs",
        .y_title = "efficiency",
        .y_number = CS_CHART_SHARE,
        .x_log = true,
        .from_zero = true};

    if (plan->options->gpus.count < 2)
        return;
    for (uint32_t g = 0; g < group_count(plan); ++g)
        add_curve(plan, curve_of(plan, group(plan, g), AT(efficiency)), &chart);
    if (is_mix)
        add_bounds(plan, true, &chart);
    chart.caption = caption_of(
        plan, chart.caption, add_measured(plan, cs_plan_measured_efficiency, &chart),
        is_mix ? "Measured: published tables of the node, the median of each number of GPUs."
               : "Measured: published runs of a model with the same dimensions on the node, the "
                 "fastest of each number of GPUs, the best of them on the curve; batches grow "
                 "with GPUs in most.");
    cs_document_add_chart(document, &chart);
}

/* ---- time against GPUs ---- */

static void add_times(const struct cs_plan *plan, struct cs_document *document)
{
    struct cs_chart chart = {.caption = plan->options->mix.count
                                            ? "Time with failures; the band is the 90 % interval, "
                                              "dashed lines are lower bounds."
                                            : "Time with failures; the band is the 90 % interval.",
                             .x_title = "GPUs",
                             .y_title = "time",
                             .y_number = CS_CHART_SECONDS,
                             .x_log = true,
                             .y_log = true};

    if (plan->options->gpus.count < 2)
        return;
    for (uint32_t g = 0; g < group_count(plan); ++g) {
        struct cs_chart_series curve = curve_of(plan, group(plan, g), AT(effective_s));

        curve.low = g ? NULL : figures(plan, group(plan, g), AT(ranges.effective_s.low));
        curve.high = g ? NULL : figures(plan, group(plan, g), AT(ranges.effective_s.high));
        add_curve(plan, curve, &chart);
    }
    add_bounds(plan, false, &chart);
    chart.caption = caption_of(
        plan, chart.caption, add_measured(plan, cs_plan_measured_times, &chart),
        plan->options->mix.count
            ? "Measured: published tables, without failures."
            : "Measured: published steps with this global batch and sequence, without failures.");
    cs_document_add_chart(document, &chart);
}

/* ---- where the time goes ---- */

static const char *case_label(const struct cs_plan *plan, const struct cs_plan_case *one)
{
    return cs_arena_printf(plan->options->train.scenario.arena, "%s, %s",
                           cs_show_count(one->gpus).text, one->name);
}

/* A part of the time in every answered case; false for a part without time. */
static bool part_of_all(const struct cs_plan *plan, uint32_t part, double *seconds)
{
    uint32_t count = 0;
    bool is_any = false;

    for (uint32_t c = 0; c < plan->count && count < CHART_POINTS; ++c)
        if (!plan->cases[c].refusal) {
            seconds[count] = plan->cases[c].time.parts[part].seconds;
            is_any |= seconds[count++] > 0;
        }
    return is_any;
}

static void add_parts(const struct cs_plan *plan, struct cs_document *document)
{
    const struct cs_plan_case *first = &plan->cases[plan->fastest];
    struct cs_arena *arena = plan->options->train.scenario.arena;
    const char **labels = cs_arena_alloc(arena, CHART_POINTS, sizeof(*labels));
    struct cs_chart chart = {
        .kind = CS_CHART_STACK,
        .caption = "Shares of the time of the slowest rank, and the whole, without failures.",
        .x_title = "GPUs, machine",
        .y_title = "time",
        .y_number = CS_CHART_SECONDS,
        .categories = labels};

    for (uint32_t c = 0; c < plan->count; ++c)
        if (!plan->cases[c].refusal && chart.category_count < CHART_POINTS)
            labels[chart.category_count++] = case_label(plan, &plan->cases[c]);
    for (uint32_t p = 0; p < first->time.part_count; ++p) {
        double *seconds = numbers(plan, CHART_POINTS);

        if (chart.series_count < CS_CHART_SERIES_MAX && part_of_all(plan, p, seconds))
            chart.series[chart.series_count++] = (struct cs_chart_series){
                .name = first->time.parts[p].name, .y = seconds, .count = chart.category_count};
    }
    cs_document_add(document, CS_BLOCK_HEADING, "Where the time goes");
    cs_document_add_chart(document, &chart);
}

/* ---- goodput against GPUs ---- */

static void add_goodput(const struct cs_plan *plan, struct cs_document *document)
{
    static const char *const names[] = {"with spare nodes", "no spare nodes",
                                        "two planes, spare nodes"};
    struct cs_failures failures = plan->cases[plan->fastest].failures;
    struct cs_chart chart = {.caption = "Share of time with progress against GPUs, at the rate of "
                                        "failures of the fastest case.",
                             .x_title = "GPUs",
                             .y_title = "effective training time",
                             .y_number = CS_CHART_SHARE,
                             .x_log = true,
                             .from_zero = true};

    for (uint32_t s = 0; s < 3; ++s) {
        double *x = numbers(plan, CHART_POINTS);
        double *y = numbers(plan, CHART_POINTS);
        uint32_t count = 0;

        failures.spares = s == 1 ? 0 : UINT32_MAX;
        failures.planes = s == 2 ? 2 : 1;
        for (uint32_t gpus = 64; gpus <= 131072; gpus *= 4) {
            x[count] = gpus;
            y[count++] = cs_goodput_of(&failures, gpus).share;
        }
        chart.series[chart.series_count++] =
            (struct cs_chart_series){.name = names[s], .x = x, .y = y, .count = count};
    }
    cs_document_add_chart(document, &chart);
}

void cs_plan_add_charts(const struct cs_plan *plan, struct cs_document *document)
{
    add_efficiency(plan, document);
    add_times(plan, document);
    add_parts(plan, document);
    cs_document_add(document, CS_BLOCK_HEADING, "Time lost by failures");
    add_goodput(plan, document);
}

/* ---- a collective's time against its size ---- */

/* Times of a collective by size, and the sizes where the library changes its
 * engine. */
struct size_curve {
    double *x, *y, *low, *high;
    struct cs_text changes;
};

static int fill_sizes(struct cs_library_calls *calls, const struct cs_library *library,
                      struct size_curve *curve, struct cs_err *err)
{
    const char *engine = "";
    int code = 0;

    for (uint32_t i = 0; i < CHART_SIZES && !code; ++i) {
        uint64_t bytes = UINT64_C(1) << (10 + i);
        struct cs_library_request request = cs_library_calls_request(calls, bytes, NULL);
        struct cs_library_time one;

        code = library->time(&request, &one, err);
        if (code)
            break;
        curve->x[i] = (double)bytes;
        curve->y[i] = one.total_s;
        curve->low[i] = one.low_s;
        curve->high[i] = one.high_s;
        if (!cs_same(engine, one.engine))
            cs_text_printf(&curve->changes, "%s%s from %s", curve->changes.length ? ", " : "",
                           one.engine, cs_show_bytes(bytes).text);
        engine = one.engine;
    }
    return code;
}

static int open_sizes(const struct cs_plan *plan, const char *topo, const struct cs_mix_call *call,
                      struct size_curve *curve)
{
    struct cs_train_options given = plan->options->train;
    struct cs_train_setup setup = {0};
    struct cs_case which = {.scenario = &given.scenario};
    struct cs_library_calls calls;
    struct cs_err ignored = {0};
    int code;

    given.scenario.topo = topo;
    given.scenario.collective = call->collective;
    code = cs_train_setup_machine(&given, &setup, &ignored);
    given.scenario.by.library = setup.job.library;
    given.scenario.by.version = setup.job.library_version;
    if (!code)
        code = cs_library_calls_open(&which, given.scenario.arena, &calls, &ignored);
    return code ? code : fill_sizes(&calls, setup.job.library, curve, &ignored);
}

static void draw_sizes(const struct cs_plan *plan, const struct cs_plan_case *one,
                       const struct cs_mix_call *call, const struct size_curve *curve,
                       struct cs_document *document)
{
    CS_AT_END(cs_text_free) struct cs_text caption = {0};
    struct cs_plan_measured sets[CS_MEASURED_SETS];
    uint32_t measured =
        one->link ? 0 : cs_plan_measured_sizes(plan, one->node, one->gpus, call->collective, sets);
    struct cs_chart chart = {.x_title = "size",
                             .y_title = "time",
                             .x_number = CS_CHART_BYTES,
                             .y_number = CS_CHART_SECONDS,
                             .x_log = true,
                             .y_log = true,
                             .series = {{.name = call->collective->name,
                                         .x = curve->x,
                                         .y = curve->y,
                                         .low = curve->low,
                                         .high = curve->high,
                                         .count = CHART_SIZES}},
                             .series_count = 1};

    cs_text_printf(
        &caption,
        "Time of %s against size, %u GPUs of %s, with the 90 %% interval; the library takes %s.",
        call->collective->name, one->gpus, one->name, cs_text_str(&curve->changes));
    chart.caption = cs_text_str(&caption);
    add_sets(plan, sets, measured, &chart);
    cs_document_add_chart(document, &chart);
}

static void add_sizes_of(const struct cs_plan *plan, const struct cs_mix_call *call,
                         struct cs_document *document)
{
    const struct cs_plan_case *one = &plan->cases[plan->fastest];
    struct size_curve curve = {.x = numbers(plan, CHART_SIZES),
                               .y = numbers(plan, CHART_SIZES),
                               .low = numbers(plan, CHART_SIZES),
                               .high = numbers(plan, CHART_SIZES)};

    if (!open_sizes(plan, one->topo, call, &curve))
        draw_sizes(plan, one, call, &curve, document);
    cs_text_free(&curve.changes);
}

void cs_plan_add_sizes(const struct cs_plan *plan, struct cs_document *document)
{
    const struct cs_mix *mix = &plan->options->mix;

    for (uint32_t c = 0; c < mix->count; ++c) {
        bool again = false;

        for (uint32_t o = 0; o < c; ++o)
            again |= mix->calls[o].collective == mix->calls[c].collective;
        if (!again)
            add_sizes_of(plan, &mix->calls[c], document);
    }
}
