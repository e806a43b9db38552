/*
 * Report what_if: slowdown by the loss of a link, NIC or switch.
 *
 * A figure per algorithm, machine, size and number of ranks, for runs with a
 * single fault, as stored by --what-if.  Losses are sorted, the costliest first;
 * a loss represents the losses identical by symmetry.  A series is for links
 * that are down, a second series for links at half the rate.  The subtitle names
 * the costliest loss.
 */
#include "reports/figures/curves.h"
#include "sim/base/text.h"
#include "sim/base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The end of the fault's text, and the name of the series. */
static const struct state {
    const char *ending, *name;
} states[] = {{":down", "down"}, {":rate=50%", "at half the rate"}};

enum {
    STATES = sizeof(states) / sizeof(*states)
};

/* The location of the run's only fault; length 0 for other runs. */
struct what_if_place {
    const char *text;
    size_t length;
};

/* The only fault of the run, or NULL. */
static const char *what_if_fault(const struct cs_record *run)
{
    const char *fault = NULL;

    for (uint32_t i = 0; i < run->parameter_count; i++) {
        if (!cs_same(run->parameter[i].name, "fault"))
            continue;
        if (fault)
            return NULL;
        fault = run->parameter[i].value;
    }
    return isnan(run->slowdown) ? NULL : fault;
}

static struct what_if_place what_if_place_of(const struct cs_record *run,
                                             const struct state *state)
{
    const char *fault = what_if_fault(run);
    size_t ending = strlen(state->ending);
    size_t length = fault ? strlen(fault) : 0;

    if (length <= ending || strcmp(fault + length - ending, state->ending) != 0)
        return (struct what_if_place){0};
    return (struct what_if_place){fault, length - ending};
}

static bool what_if_has_place(const struct cs_record *run)
{
    for (size_t i = 0; i < STATES; i++)
        if (what_if_place_of(run, &states[i]).length)
            return true;
    return false;
}

/* Runs of a figure share everything but the fault. */
static bool what_if_same_figure(const struct cs_record *a,
                                const struct cs_record *b)
{
    return what_if_has_place(a) && what_if_has_place(b) &&
           a->bytes == b->bytes && cs_same(a->algorithm, b->algorithm) &&
           a->agents == b->agents && cs_curves_order(a, b, CS_OVER_BYTES) == 0;
}

/* The costliest first, ties by name. */
static int figures_what_if_compare(const void *a, const void *b)
{
    const struct cs_record *x = *(const struct cs_record *const *)a;
    const struct cs_record *y = *(const struct cs_record *const *)b;

    if (x->slowdown != y->slowdown)
        return x->slowdown < y->slowdown ? 1 : -1;
    return strcmp(x->parameters, y->parameters);
}

/* The sorted runs of the first run's figure in the state. */
static size_t what_if_collect(const struct cs_report_data *data,
                              const struct cs_record *first,
                              const struct state *state,
                              const struct cs_record **runs)
{
    size_t count = 0;

    for (size_t i = 0; i < data->count; i++)
        if (what_if_same_figure(&data->records[i], first) &&
            what_if_place_of(&data->records[i], state).length)
            runs[count++] = &data->records[i];
    qsort(runs, count, sizeof(*runs), figures_what_if_compare);
    return count;
}

static void what_if_begin_figure(const struct cs_report_data *data,
                                 const struct cs_record *worst,
                                 const struct state *state,
                                 struct cs_figures *figures)
{
    struct cs_arena arena = {0};
    char size[CS_UNITS_TEXT];
    struct what_if_place place = what_if_place_of(worst, state);
    const char *machine = cs_curves_machine(data, worst, CS_OVER_BYTES, &arena);
    const char *what = cs_arena_printf(
        &arena, "%s %s of %s on %s, %" PRIu32 " ranks", worst->algorithm,
        worst->collective, cs_units_show_bytes(size, worst->bytes), machine,
        worst->ranks);

    cs_figures_begin(
        figures,
        &(struct cs_figure){
            .name =
                cs_arena_printf(&arena, "what_if-%s-%s-%s-%s-%" PRIu32 "-%s",
                                machine, worst->collective, worst->algorithm,
                                size, worst->ranks, worst->model),
            .title = what,
            .subtitle = cs_arena_printf(
                &arena,
                "effect of losing each, costliest first: %.*s %s, %.3g x; "
                "model %s",
                (int)place.length, place.text, state->name, worst->slowdown,
                worst->model),
            .alt = cs_arena_printf(&arena, "slowdown by each loss: %s", what),
            .x_title = "losses, costliest first",
            .y_title = "time / time without the loss",
            .x_axis = CS_AXIS_PLAIN,
            .y_axis = CS_AXIS_PLAIN,
        });
    cs_arena_free(&arena);
}

static void what_if_add_series(const struct cs_record *const *runs,
                               size_t count, const struct state *state,
                               struct cs_figures *figures)
{
    cs_figures_series(figures, state->name);
    for (size_t i = 0; i < count; i++)
        cs_figures_point(figures, &(struct cs_point){
                                      .x = (double)(i + 1),
                                      .y = runs[i]->slowdown,
                                      .model_y = (double)NAN,
                                      .limit_y = (double)NAN,
                                  });
}

/* Of at least two runs. */
static void what_if_add_figure(const struct cs_report_data *data,
                               const struct cs_record *first,
                               const struct cs_record **runs,
                               struct cs_figures *figures)
{
    bool begun = false;
    size_t all = 0;

    for (size_t i = 0; i < STATES; i++)
        all += what_if_collect(data, first, &states[i], runs);
    for (size_t i = 0; i < STATES; i++) {
        size_t count = what_if_collect(data, first, &states[i], runs);

        if (count == 0 || all < 2)
            continue;
        if (!begun)
            what_if_begin_figure(data, runs[0], &states[i], figures);
        begun = true;
        what_if_add_series(runs, count, &states[i], figures);
    }
}

/* Begins a figure at the first run of the figure. */
static void what_if_write_figures(const struct cs_report *report,
                                  const struct cs_report_data *data,
                                  struct cs_figures *figures)
{
    struct cs_arena arena = {0};
    const struct cs_record **runs =
        cs_arena_alloc(&arena, data->count, sizeof(*runs));
    size_t i;
    size_t k;

    (void)report;
    for (i = 0; i < data->count; i++) {
        if (!what_if_has_place(&data->records[i]))
            continue;
        for (k = 0; !what_if_same_figure(&data->records[k], &data->records[i]);)
            k++;
        if (k == i)
            what_if_add_figure(data, &data->records[i], runs, figures);
    }
    cs_arena_free(&arena);
}

const struct cs_report cs_report_what_if = {
    .name = "what_if",
    .title = "what each loss costs",
    .about = "How much slower a run is without each link, NIC or switch: the "
             "runs of --what-if.",
    .write = what_if_write_figures,
};
