#include "scenarios/compare/table.h"

#include "algorithms/libraries/profile.h"
#include "sim/base/text.h"
#include "sim/base/units_show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double cs_compare_busbw(const struct cs_compared_table *of, uint64_t bytes, double time_s)
{
    return (double)bytes / time_s * cs_collective_bus_factor(of->collective, of->ranks);
}

/* ---- points ---- */

static int compare_point_order(const void *left, const void *right)
{
    const struct cs_diagnosis_point *a = left;
    const struct cs_diagnosis_point *b = right;

    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static struct cs_diagnosis_point *compare_points(const struct cs_log_table_request *request,
                                                 uint32_t ranks, uint32_t *count)
{
    const struct cs_log_table *table = request->table;
    struct cs_diagnosis_point *points =
        cs_arena_alloc(request->arena, table->row_count, sizeof(*points));

    *count = table->row_count;
    for (uint32_t i = 0; i < *count; i++) {
        points[i].bytes = cs_log_table_bytes(table, &table->rows[i], ranks);
        points[i].measured_s = table->rows[i].time_s;
    }
    qsort(points, *count, sizeof(*points), compare_point_order);
    return points;
}

/* Rows that the profile of --library was fitted to. */
static uint32_t compare_in_sample(const struct cs_log_table_request *request,
                                  const struct cs_compared_table *to)
{
    const struct cs_profile *profile = request->scenario->by.profile;
    uint32_t rows = 0;

    for (uint32_t i = 0; i < to->diagnosis.point_count; i++)
        rows += cs_profile_has_row(
            profile, cs_profile_row_hash(to->collective, to->ranks, to->diagnosis.points[i].bytes,
                                         to->diagnosis.points[i].measured_s));
    return rows;
}

/* ---- figures ---- */

static double compare_wire(const struct cs_site *site)
{
    double local = site->ring_Bps > 0 ? site->ring_Bps : site->pcie_Bps;

    if (site->nodes < 2)
        return local;
    return site->node_ranks > 1 && local > 0 ? fmin(local, site->node_Bps) : site->node_Bps;
}

static void compare_count_choices(const struct cs_log_table_request *request,
                                  struct cs_compared_table *to)
{
    const struct cs_log_facts *facts = &request->log->facts;

    if (request->log->table_count > 1)
        return; /* choices of another table would count */
    for (uint32_t c = 0; c < facts->choice_count; c++)
        for (uint32_t i = 0; i < to->diagnosis.point_count; i++) {
            const struct cs_diagnosis_point *point = &to->diagnosis.points[i];
            const struct cs_log_choice *choice = &facts->choices[c];

            if (point->bytes != choice->bytes)
                continue;
            to->choices++;
            to->same_choices += cs_same(choice->engine, point->expected.engine) &&
                                cs_same(choice->protocol, point->expected.protocol);
        }
}

static void compare_figures(const struct cs_log_table_request *request,
                            struct cs_compared_table *to)
{
    const struct cs_diagnosis *diagnosis = &to->diagnosis;
    const struct cs_diagnosis_point *last = &diagnosis->points[diagnosis->point_count - 1];

    to->wire_Bps = compare_wire(&to->site);
    to->expected_Bps = cs_compare_busbw(to, last->bytes, last->expected.total_s);
    to->measured_Bps = cs_compare_busbw(to, last->bytes, last->measured_s);
    for (uint32_t i = 0; i < diagnosis->point_count; i++)
        if (cs_diagnosis_ratio(&diagnosis->points[i]) >
            cs_diagnosis_ratio(&diagnosis->points[to->worst]))
            to->worst = i;
    compare_count_choices(request, to);
}

/* ---- words ---- */

static void compare_say(struct cs_compared_table *to, const char *sentence)
{
    if (to->word_count < CS_COMPARE_WORDS)
        to->words[to->word_count++] = sentence;
}

static const char *compare_number(double rate_Bps, struct cs_arena *arena)
{
    return cs_arena_printf(arena, "%.4g", rate_Bps / 1e9);
}

/* " of 450"; "" where trees or NVLS may pass the rate that bounds rings. */
static const char *compare_of_wire(const struct cs_compared_table *to, struct cs_arena *arena)
{
    if (to->expected_Bps > to->wire_Bps)
        return "";
    return cs_arena_printf(arena, " of %s", compare_number(to->wire_Bps, arena));
}

/* "361 of 450 GB/s expected; you see 210 from 64 MiB on" */
static const char *compare_finding(const struct cs_compared_table *to, struct cs_arena *arena)
{
    const struct cs_diagnosis *diagnosis = &to->diagnosis;
    const struct cs_diagnosis_point *worst = &diagnosis->points[to->worst];
    char size[CS_UNITS_TEXT];
    char time[CS_UNITS_TEXT];
    char expected[CS_UNITS_TEXT];

    if (diagnosis->short_from < diagnosis->point_count)
        return cs_arena_printf(
            arena, "%s%s GB/s expected; you see %s from %s on",
            compare_number(to->expected_Bps, arena), compare_of_wire(to, arena),
            compare_number(to->measured_Bps, arena),
            cs_units_show_bytes(size, diagnosis->points[diagnosis->short_from].bytes));
    if (cs_diagnosis_ratio(worst) <= 1)
        return cs_arena_printf(arena, "%s GB/s expected; you see %s, no size is slower",
                               compare_number(to->expected_Bps, arena),
                               compare_number(to->measured_Bps, arena));
    return cs_arena_printf(
        arena, "%s GB/s expected, you see %s; a call of %s takes %s, %s expected",
        compare_number(to->expected_Bps, arena), compare_number(to->measured_Bps, arena),
        cs_units_show_bytes(size, worst->bytes), cs_units_show_seconds(time, worst->measured_s),
        cs_units_show_seconds(expected, worst->expected.total_s));
}

static const char *compare_cause(const struct cs_explanation *explanation,
                                 char text[CS_CAUSE_WORDS])
{
    if (!explanation->cause)
        return "the machine is as described";
    return cs_cause_words(explanation->cause, &explanation->changed, text);
}

/* Further explanations of at least 5 %. */
static const char *compare_others(const struct cs_diagnosis *diagnosis, struct cs_arena *arena)
{
    const char *list = NULL;
    char text[CS_CAUSE_WORDS];

    for (uint32_t i = 1; i < diagnosis->explanation_count && i < 4; i++) {
        const struct cs_explanation *other = &diagnosis->explanations[i];

        if (other->probability < .05)
            break;
        list = cs_arena_printf(arena, "%s%s (%.0f %%)",
                               list ? cs_arena_printf(arena, "%s; ", list) : "or: ",
                               compare_cause(other, text), 100 * other->probability);
    }
    return list;
}

static void compare_words(struct cs_compared_table *to, struct cs_arena *arena)
{
    const double poor = .25; /* r.m.s. of ln, that no cause explains */
    const struct cs_diagnosis *diagnosis = &to->diagnosis;
    const struct cs_explanation *first = &diagnosis->explanations[0];
    const char *others = compare_others(diagnosis, arena);
    char text[CS_CAUSE_WORDS];

    compare_say(to, cs_arena_printf(arena, "%s: %s%s (%.0f %%)", compare_finding(to, arena),
                                    first->cause ? "as if " : "", compare_cause(first, text),
                                    100 * first->probability));
    if (first->cause && first->evidence.factor > 1)
        compare_say(to, cs_arena_printf(arena, "the log names the cause: %s (counts %g times)",
                                        first->evidence.fact, first->evidence.factor));
    if (others)
        compare_say(to, others);
    compare_say(to, cs_arena_printf(arena, "%u of %u sizes are inside the 90 %% interval",
                                    diagnosis->inside, diagnosis->point_count));
    if (first->error > poor)
        compare_say(to, cs_arena_printf(arena,
                                        "the best explanation leaves an error of %.0f %% (root "
                                        "mean square of ln), so that another cause is likely",
                                        100 * first->error));
    if (to->in_sample)
        compare_say(to, cs_arena_printf(arena,
                                        "in sample: the profile was fitted to %u of these %u sizes",
                                        to->in_sample, diagnosis->point_count));
    if (to->choices)
        compare_say(
            to, cs_arena_printf(
                    arena,
                    "algorithm and protocol in the log are those of the model for %u of %u sizes",
                    to->same_choices, to->choices));
}

/* ---- the table ---- */

int cs_compare_table(const struct cs_log_table_request *request, struct cs_compared_table *to,
                     struct cs_err *err)
{
    const struct cs_scenario *scenario = request->scenario;
    struct cs_library_calls *calls = cs_arena_alloc(request->arena, 1, sizeof(*calls));
    struct cs_library_request call;
    int code;

    *to = (struct cs_compared_table){.table = request->table};
    code = cs_log_table_open(request, &to->collective, calls, err);
    if (code)
        return code;
    to->library = scenario->by.library->name;
    to->version = scenario->by.version;
    to->site = calls->site;
    to->ranks = calls->site.ranks;
    call = cs_library_calls_request(calls, 0, NULL);
    to->diagnosis.points = compare_points(request, to->ranks, &to->diagnosis.point_count);
    to->diagnosis.facts = &request->log->facts;
    to->in_sample = compare_in_sample(request, to);
    code = cs_diagnose(scenario->by.library, &call, request->arena, &to->diagnosis, err);
    if (code)
        return code == CS_ECANNOT ? (err->code = CS_EINPUT) : code;
    compare_figures(request, to);
    compare_words(to, request->arena);
    return 0;
}
