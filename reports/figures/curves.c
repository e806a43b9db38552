#include "reports/figures/curves.h"
#include "reports/figures/machine.h"
#include "sim/base/order.h"
#include "sim/base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs with agents have a different bound: agents add links. */
static enum cs_helper curves_helper(const struct cs_record *record)
{
    if (record->agents == 0)
        return CS_HELPER_NONE;
    return record->agent_kind && cs_same(record->agent_kind, "switch") ? CS_HELPER_SWITCH
                                                                       : CS_HELPER_SERVER;
}

const char *cs_curves_algorithm(const struct cs_record *record, struct cs_arena *arena)
{
    return cs_record_is_hypothetical(record)
               ? cs_arena_printf(arena, "%s (hypothetical)", record->algorithm)
               : record->algorithm;
}

/* The default algorithm of libraries is the reference. */
void cs_curves_mark(const struct cs_record *record, struct cs_figures *figures)
{
    if (cs_same(record->algorithm, "ring") || cs_same(record->algorithm, "multi-ring"))
        cs_figures_reference(figures);
    if (cs_record_is_hypothetical(record))
        cs_figures_hypothetical(figures);
}

double cs_curves_time_s(const struct cs_record *record)
{
    return (double)record->time_ps * 1e-12;
}

double cs_curves_closed_form_s(const struct cs_record *record)
{
    return record->closed_form_s;
}

double cs_curves_lower_bound_s(const struct cs_record *record)
{
    return record->lower_bound_s;
}

/* Runs of a database share most texts. */
static int curves_order_text(const char *a, const char *b)
{
    return a == b ? 0 : strcmp(a, b);
}

/* The common properties of the runs of a figure, for either x axis. */
static int curves_order_common(const struct cs_record *a, const struct cs_record *b)
{
    int order = curves_order_text(a->topology, b->topology);

    if (order == 0)
        order = curves_order_text(a->collective, b->collective);
    if (order == 0)
        order = curves_order_text(a->model, b->model);
    if (order == 0)
        order = curves_order_text(a->dtype, b->dtype);
    if (order == 0)
        order = curves_order_text(a->placement, b->placement);
    return order;
}

/* A generated machine may grow with the number of ranks, but not with the
 * size. */
static enum cs_machine_words curves_words(enum cs_curves_over over)
{
    return over == CS_OVER_RANKS ? CS_MACHINE_BUT_SIZE : CS_MACHINE_ALL;
}

int cs_curves_order(const struct cs_record *a, const struct cs_record *b, enum cs_curves_over over)
{
    int order = curves_order_common(a, b);

    if (order != 0)
        return order;
    order = over == CS_OVER_RANKS ? cs_order(a->bytes, b->bytes) : cs_order(a->ranks, b->ranks);
    if (order != 0 || a->topology_spec == b->topology_spec)
        return order;
    return cs_machine_order(a->topology_spec, b->topology_spec, curves_words(over));
}

static double curves_x_of(const struct cs_record *record, enum cs_curves_over over)
{
    return over == CS_OVER_BYTES ? (double)record->bytes : (double)record->ranks;
}

/* A logarithmic axis shows positive numbers only. */
static bool curves_is_shown(const struct cs_curves *curves, const struct cs_record *record)
{
    double y = curves->y(record);

    return isfinite(y) && y > 0 && curves_x_of(record, curves->over) > 0;
}

/* A figure with a single x would show points without a curve. */
static bool curves_has_two_x(const struct cs_curves *curves, const struct cs_record *const *runs,
                             size_t count)
{
    double first = 0;

    for (size_t i = 0; i < count; i++) {
        double x = curves_x_of(runs[i], curves->over);

        if (!curves_is_shown(curves, runs[i]))
            continue;
        if (first > 0 && x != first)
            return true;
        first = x;
    }
    return false;
}

/* ---- differences between the runs of a figure ---- */

/* The runs of a figure with the parameters. */
struct curves_group {
    const struct cs_report *report;
    const struct cs_report_data *data; /* runs of all figures */
    const struct cs_record *const *runs;
    const char **given;                       /* by run: parameters chosen by the user */
    const char *shared;                       /* parameters common to the runs */
    const struct cs_record_parameter *common; /* whoever chose them */
    uint32_t common_count;
    struct curves_twice *twice; /* by run */
    size_t count;
};

/* A second run has the point of a run, but differs in the property. */
struct curves_twice {
    bool parameters, machine;
};

/* Whether a parameter of a run is kept. */
typedef bool curves_keep_fn(const struct cs_record_parameter *parameter,
                            const struct curves_group *group);

/* The parameters of a run accepted by `keep`, as text. */
static const char *curves_join(const struct curves_group *group, size_t number,
                               curves_keep_fn *keep, struct cs_arena *arena)
{
    const struct cs_record *run = group->runs[number];
    struct cs_record_parameter *kept = cs_arena_alloc(arena, run->parameter_count, sizeof *kept);
    uint32_t count = 0;

    for (uint32_t i = 0; i < run->parameter_count; i++)
        if (keep(&run->parameter[i], group))
            kept[count++] = run->parameter[i];
    return cs_record_join(kept, count, arena);
}

/* Parameters chosen by the algorithm vary with size and ranks along a series, and
 * do not start a series. */
static bool curves_is_given(const struct cs_record_parameter *parameter,
                            const struct curves_group *group)
{
    (void)group;
    return cs_same(parameter->chosen_by, "user");
}

bool cs_curves_has_parameter(const struct cs_record_parameter *parameters, uint32_t count,
                             const struct cs_record_parameter *parameter)
{
    for (uint32_t i = 0; i < count; i++)
        if (cs_same(parameters[i].name, parameter->name) &&
            cs_same(parameters[i].value, parameter->value))
            return true;
    return false;
}

/* A parameter chosen by the user for every run of the figure belongs into the
 * subtitle. */
static bool curves_is_shared(const struct cs_record_parameter *parameter,
                             const struct curves_group *group)
{
    return curves_is_given(parameter, group) &&
           cs_curves_has_parameter(group->common, group->common_count, parameter);
}

const struct cs_record_parameter *cs_curves_common(const struct cs_record *const *runs,
                                                   size_t count, uint32_t *common_count,
                                                   struct cs_arena *arena)
{
    const struct cs_record *first = runs[0];
    struct cs_record_parameter *common =
        cs_arena_alloc(arena, first->parameter_count, sizeof *common);

    *common_count = 0;
    for (uint32_t i = 0; i < first->parameter_count; i++) {
        size_t k = 0;

        while (k < count && cs_curves_has_parameter(runs[k]->parameter, runs[k]->parameter_count,
                                                    &first->parameter[i]))
            k++;
        if (k == count)
            common[(*common_count)++] = first->parameter[i];
    }
    return common;
}

static bool curves_is_not_shared(const struct cs_record_parameter *parameter,
                                 const struct curves_group *group)
{
    return !curves_is_shared(parameter, group);
}

static bool curves_is_given_apart(const struct cs_record_parameter *parameter,
                                  const struct curves_group *group)
{
    return curves_is_given(parameter, group) && !curves_is_shared(parameter, group);
}

/* 0 for two runs whose points coincide, unless parameters chosen by the
 * algorithm or machines show them apart. */
static int curves_order_points(const void *a, const void *b, void *ctx)
{
    const struct curves_group *group = ctx;
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    const struct cs_record *left = group->runs[i], *right = group->runs[k];
    enum cs_curves_over over = group->report->curves->over;
    int order = over == CS_OVER_BYTES ? cs_order(left->bytes, right->bytes)
                                      : cs_order(left->ranks, right->ranks);

    if (order == 0)
        order = cs_order(left->agents, right->agents);
    if (order == 0)
        order = strcmp(left->algorithm, right->algorithm);
    return order != 0 ? order : strcmp(group->given[i], group->given[k]);
}

/* Marks the runs at numbers[0..count), whose points coincide.  Where two differ,
 * each run differs from one of them. */
static void curves_mark_twice(const struct curves_group *group, const size_t *numbers, size_t count)
{
    const struct cs_record *first = group->runs[numbers[0]];
    struct curves_twice twice = {false, false};

    for (size_t i = 1; i < count; i++) {
        const struct cs_record *run = group->runs[numbers[i]];

        twice.parameters |= strcmp(run->parameters, first->parameters) != 0;
        twice.machine |= strcmp(run->topology_spec, first->topology_spec) != 0;
    }
    for (size_t i = 0; i < count; i++)
        group->twice[numbers[i]] = twice;
}

static void curves_find_twice(struct curves_group *group, struct cs_arena *arena)
{
    size_t *numbers = cs_arena_alloc(arena, group->count, sizeof *numbers);
    size_t end;

    group->twice = cs_arena_alloc(arena, group->count, sizeof *group->twice);
    for (size_t i = 0; i < group->count; i++)
        numbers[i] = i;
    qsort_r(numbers, group->count, sizeof *numbers, curves_order_points, group);
    for (size_t begin = 0; begin < group->count; begin = end) {
        end = begin + 1;
        while (end < group->count &&
               curves_order_points(&numbers[begin], &numbers[end], group) == 0)
            end++;
        curves_mark_twice(group, &numbers[begin], end - begin);
    }
}

/* The texts are computed once per figure. */
static void curves_open_group(struct curves_group *group, struct cs_arena *arena)
{
    group->common = cs_curves_common(group->runs, group->count, &group->common_count, arena);
    group->given = cs_arena_alloc(arena, group->count, sizeof(const char *));
    for (size_t i = 0; i < group->count; i++)
        group->given[i] = curves_join(group, i, curves_is_given, arena);
    group->shared = curves_join(group, 0, curves_is_shared, arena);
    curves_find_twice(group, arena);
}

/* "ps, 4 servers": the number of servers separates curves.  "ring,
 * fault=gpu0-gpu4:down": a fault separates curves unless common to the runs. */
static const char *curves_series_name(const struct curves_group *group, size_t number,
                                      struct cs_arena *arena)
{
    const struct cs_record *run = group->runs[number];
    const char *name = cs_curves_algorithm(run, arena);
    bool twice = group->twice[number].parameters;
    const char *apart =
        curves_join(group, number, twice ? curves_is_not_shared : curves_is_given_apart, arena);

    if (run->agents > 1 && curves_helper(run) == CS_HELPER_SERVER)
        name = cs_arena_printf(arena, "%s, %" PRIu32 " servers", name, run->agents);
    if (*apart)
        name = cs_arena_printf(arena, "%s, %s", name, apart);
    if (group->twice[number].machine)
        name = cs_arena_printf(arena, "%s, %s", name,
                               cs_machine_apart(group->data, run, CS_MACHINE_ALL, arena));
    return name;
}

/* ---- figures ---- */

/* "fat-tree, oversubscription=3" where the database has several fat-trees. */
const char *cs_curves_machine(const struct cs_report_data *data, const struct cs_record *run,
                              enum cs_curves_over over, struct cs_arena *arena)
{
    const char *apart = cs_machine_apart(data, run, curves_words(over), arena);

    return cs_arena_printf(arena, "%s%s%s", run->topology, *apart ? ", " : "", apart);
}

/* File name, title, subtitle and alternative text come from the common
 * properties of the runs. */
static void curves_begin_figure(const struct curves_group *group, struct cs_figures *figures)
{
    const struct cs_curves *curves = group->report->curves;
    const struct cs_record *run = group->runs[0];
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    char size[CS_UNITS_TEXT];
    bool over_bytes = curves->over == CS_OVER_BYTES;
    const char *machine = cs_curves_machine(group->data, run, curves->over, &arena);
    const char *what = cs_arena_printf(&arena, "%" PRIu32 " ranks", run->ranks);

    if (!over_bytes)
        what = cs_units_show_bytes(size, run->bytes);
    cs_figures_begin(
        figures,
        &(struct cs_figure){
            .name = cs_arena_printf(&arena, "%s-%s-%s-%s-%s", group->report->name, machine,
                                    run->collective, what, run->model),
            .title = cs_arena_printf(&arena, "%s on %s, %s", run->collective, machine, what),
            .subtitle = cs_arena_printf(&arena, "%s; %s, model %s, placement %s%s%s",
                                        group->report->title, run->dtype, run->model,
                                        run->placement, *group->shared ? "; " : "", group->shared),
            .alt = cs_arena_printf(&arena, "%s: %s on %s, %s", group->report->title,
                                   run->collective, machine, what),
            .x_title = over_bytes ? "message size V (bytes)" : "ranks p",
            .y_title = curves->y_title,
            .x_axis = over_bytes ? CS_AXIS_BYTES : CS_AXIS_RANKS,
            .y_axis = curves->y_axis,
            .limit = curves->limit,
            .limit_name = curves->limit_name,
        });
}

static void curves_add_run(const struct curves_group *group, size_t number,
                           struct cs_figures *figures, struct cs_arena *arena)
{
    const struct cs_curves *curves = group->report->curves;
    const struct cs_record *run = group->runs[number];

    cs_figures_series(figures, curves_series_name(group, number, arena));
    cs_curves_mark(run, figures);
    cs_figures_point(figures, &(struct cs_point){
                                  .x = curves_x_of(run, curves->over),
                                  .y = curves->y(run),
                                  .model_y = curves->model_y(run),
                                  .limit_y = curves->limit_y(run),
                                  .helper = curves_helper(run),
                              });
}

int cs_curves_order_runs(const struct cs_report *report, const struct cs_record *a,
                         const struct cs_record *b)
{
    return cs_curves_order(a, b, report->curves->over);
}

void cs_curves_add(const struct cs_report *report, const struct cs_report_data *data,
                   const struct cs_record *const *runs, size_t count, struct cs_figures *figures)
{
    struct curves_group group = {.report = report, .data = data, .runs = runs, .count = count};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

    if (!curves_has_two_x(report->curves, runs, count))
        return;
    curves_open_group(&group, &arena);
    curves_begin_figure(&group, figures);
    for (size_t i = 0; i < count; i++)
        if (curves_is_shown(report->curves, runs[i]))
            curves_add_run(&group, i, figures, &arena);
}
