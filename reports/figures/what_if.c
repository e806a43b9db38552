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

static struct what_if_place what_if_place_of(const struct cs_record *run, const struct state *state)
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
static int what_if_order(const struct cs_report *report, const struct cs_record *a,
                         const struct cs_record *b)
{
    int order = cs_curves_order(a, b, CS_OVER_BYTES);

    (void)report;
    if (order == 0)
        order = (a->bytes > b->bytes) - (a->bytes < b->bytes);
    if (order == 0)
        order = strcmp(a->algorithm, b->algorithm);
    return order != 0 ? order : (a->agents > b->agents) - (a->agents < b->agents);
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

/* The figure's runs in the state, sorted. */
static size_t what_if_collect(const struct cs_record *const *runs, size_t count,
                              const struct state *state, const struct cs_record **sorted)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        if (what_if_place_of(runs[i], state).length)
            sorted[found++] = runs[i];
    qsort(sorted, found, sizeof(*sorted), figures_what_if_compare);
    return found;
}

static void what_if_begin_figure(const struct cs_report_data *data, const struct cs_record *worst,
                                 const struct state *state, struct cs_figures *figures)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct what_if_place place = what_if_place_of(worst, state);
    const char *machine = cs_curves_machine(data, worst, CS_OVER_BYTES, &arena);
    const char *what =
        cs_arena_printf(&arena, "%s %s of %s on %s, %" PRIu32 " ranks", worst->algorithm,
                        worst->collective, cs_show_bytes(worst->bytes).text, machine, worst->ranks);

    cs_figures_begin(
        figures,
        &(struct cs_figure){
            .name = cs_arena_printf(&arena, "what_if-%s-%s-%s-%s-%" PRIu32 "-%s", machine,
                                    worst->collective, worst->algorithm,
                                    cs_show_bytes(worst->bytes).text, worst->ranks, worst->model),
            .title = what,
            .subtitle = cs_arena_printf(
                &arena, "effect of losing each, costliest first: %.*s %s, %.3g x; model %s",
                (int)place.length, place.text, state->name, worst->slowdown, worst->model),
            .alt = cs_arena_printf(&arena, "slowdown by each loss: %s", what),
            .x_title = "losses, costliest first",
            .y_title = "time / time without the loss",
            .x_axis = CS_AXIS_PLAIN,
            .y_axis = CS_AXIS_PLAIN,
        });
}

static void what_if_add_series(const struct cs_record *const *runs, size_t count,
                               const struct state *state, struct cs_figures *figures)
{
    cs_figures_series(figures, state->name);
    for (size_t i = 0; i < count; i++)
        cs_figures_xy(figures, (double)(i + 1), runs[i]->slowdown);
}

/* A figure needs two runs. */
static void what_if_add(const struct cs_report *report, const struct cs_report_data *data,
                        const struct cs_record *const *runs, size_t count,
                        struct cs_figures *figures)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const struct cs_record **sorted = cs_arena_alloc(&arena, count, sizeof(*sorted));
    bool begun = false;

    (void)report;
    for (size_t i = 0; i < STATES && count > 1; i++) {
        size_t found = what_if_collect(runs, count, &states[i], sorted);

        if (found == 0)
            continue;
        if (!begun)
            what_if_begin_figure(data, sorted[0], &states[i], figures);
        begun = true;
        what_if_add_series(sorted, found, &states[i], figures);
    }
}

const struct cs_report cs_report_what_if = {
    .name = "what_if",
    .title = "what each loss costs",
    .about = "How much slower a run is without each link, NIC or switch: the runs of --what-if.",
    .keeps = what_if_has_place,
    .order = what_if_order,
    .add = what_if_add,
};
