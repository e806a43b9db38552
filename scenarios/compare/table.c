#include "scenarios/compare/table.h"

#include "algorithms/libraries/profile.h"
#include "scenarios/run/request/library_choice.h"
#include "sim/base/order.h"
#include "sim/base/text.h"
#include "sim/base/units_show.h"

#include <math.h>
#include <stdlib.h>

double cs_compare_busbw(const struct cs_compared_table *of, uint64_t bytes, double time_s)
{
    return (double)bytes / time_s * cs_collective_bus_factor(of->collective, of->ranks);
}

/* ---- points ---- */

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
    qsort(points, *count, sizeof(*points), cs_order_of_wide_numbers);
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

/* ", 450 on the wire"; "" where trees or NVLS may pass the rate that bounds rings. */
static const char *compare_on_wire(const struct cs_compared_table *to, struct cs_arena *arena)
{
    if (to->expected_Bps > to->wire_Bps)
        return "";
    return cs_arena_printf(arena, ", %s on the wire", compare_number(to->wire_Bps, arena));
}

/* "361 GB/s expected, 450 on the wire; you see 210, and each size from 64 MiB on is slower" */
static const char *compare_finding(const struct cs_compared_table *to, struct cs_arena *arena)
{
    const struct cs_diagnosis *diagnosis = &to->diagnosis;
    const struct cs_diagnosis_point *worst = &diagnosis->points[to->worst];

    if (diagnosis->short_from < diagnosis->point_count)
        return cs_arena_printf(arena,
                               "%s GB/s expected%s; you see %s, and each size from %s on is slower",
                               compare_number(to->expected_Bps, arena), compare_on_wire(to, arena),
                               compare_number(to->measured_Bps, arena),
                               cs_show_bytes(diagnosis->points[diagnosis->short_from].bytes).text);
    if (cs_diagnosis_ratio(worst) <= 1)
        return cs_arena_printf(arena, "%s GB/s expected; you see %s, no size is slower",
                               compare_number(to->expected_Bps, arena),
                               compare_number(to->measured_Bps, arena));
    return cs_arena_printf(
        arena, "%s GB/s expected, you see %s; a call of %s takes %s, %s expected",
        compare_number(to->expected_Bps, arena), compare_number(to->measured_Bps, arena),
        cs_show_bytes(worst->bytes).text, cs_show_seconds(worst->measured_s).text,
        cs_show_seconds(worst->expected.total_s).text);
}

static const char *compare_cause(const struct cs_explanation *explanation,
                                 char text[CS_CAUSE_WORDS])
{
    if (!explanation->cause)
        return "the machine as described";
    return cs_cause_words(explanation->cause, &explanation->changed, text);
}

/* Known causes of at least 5 %, from explanation `from` on: the group's alone, or all. */
static const char *compare_causes(const struct cs_diagnosis *diagnosis, uint32_t from,
                                  bool of_group, struct cs_arena *arena)
{
    const char *list = NULL;
    char text[CS_CAUSE_WORDS];

    for (uint32_t i = from, named = 0; i < diagnosis->explanation_count && named < 4; i++) {
        const struct cs_explanation *is = &diagnosis->explanations[i];

        if (is->probability < .05 || (of_group && !is->is_similar))
            continue;
        list = cs_arena_printf(arena, "%s%s (%.0f %%)",
                               list ? cs_arena_printf(arena, "%s; ", list) : "",
                               compare_cause(is, text), 100 * is->probability);
        named++;
    }
    return list;
}

/* By steps whose share of right cases is measured (validate published --verdicts). */
static const char *compare_verdict(const struct cs_diagnosis *diagnosis, struct cs_arena *arena)
{
    const struct cs_explanation *first = &diagnosis->explanations[0];
    char text[CS_CAUSE_WORDS];
    double percent = 100 * first->probability;

    switch (diagnosis->verdict) {
    case CS_VERDICT_SOUND:
        return cs_arena_printf(arena, "the machine is as described (%.0f %%)", percent);
    case CS_VERDICT_FASTER:
        return "faster than the machine described, which no fault explains: is --topo the machine "
               "of the log?";
    case CS_VERDICT_CAUSE:
        return cs_arena_printf(arena, "as if %s (%.0f %%)", compare_cause(first, text), percent);
    case CS_VERDICT_GROUP:
        return cs_arena_printf(arena,
                               "as if one of %u causes that look the same at these sizes (%.0f %% "
                               "together): %s",
                               diagnosis->similar, 100 * diagnosis->group,
                               compare_causes(diagnosis, 0, true, arena));
    case CS_VERDICT_LIKELY:
        return cs_arena_printf(arena, "most likely %s (%.0f %%)", compare_cause(first, text),
                               percent);
    case CS_VERDICT_OPEN:
    case CS_VERDICTS:
        break;
    }
    return cs_arena_printf(arena, "no known cause stands out; possible: %s",
                           compare_causes(diagnosis, 0, false, arena));
}

/* The probability of the known causes that a test confirms. */
static double compare_test_share(const struct cs_diagnosis *diagnosis, const char *check)
{
    double share = 0;

    for (uint32_t i = 0; i < diagnosis->explanation_count; i++) {
        const struct cs_explanation *is = &diagnosis->explanations[i];

        if (is->cause && cs_explanation_is_known(is) && cs_same(is->cause->check, check))
            share += is->probability;
    }
    return share;
}

/* The one test that divides: the nearer its causes are to half of what is possible, the more its
 * answer excludes.  Of a group of look-alikes it is a test of one of them. */
static const char *compare_check(const struct cs_diagnosis *diagnosis, struct cs_arena *arena)
{
    const char *best = NULL;
    double best_from_half = INFINITY;

    for (uint32_t i = 0; i < diagnosis->explanation_count; i++) {
        const struct cs_explanation *is = &diagnosis->explanations[i];
        double from_half;

        if (!is->cause || !cs_explanation_is_known(is) || is->probability < .05 ||
            (diagnosis->similar > 1 && !is->is_similar))
            continue;
        from_half = fabs(compare_test_share(diagnosis, is->cause->check) - .5);
        if (from_half < best_from_half) {
            best_from_half = from_half;
            best = is->cause->check;
        }
    }
    return best ? cs_arena_printf(arena, "to find out: %s", best) : NULL;
}

static void compare_say_odd(struct cs_compared_table *to, struct cs_arena *arena)
{
    const struct cs_diagnosis *diagnosis = &to->diagnosis;
    const char *list = NULL;

    for (uint32_t i = 0, named = 0; i < diagnosis->point_count && named < 4; i++)
        if (diagnosis->likelihood_points[i].is_odd) {
            list = cs_arena_printf(arena, "%s%s", list ? cs_arena_printf(arena, "%s, ", list) : "",
                                   cs_show_bytes(diagnosis->points[i].bytes).text);
            named++;
        }
    if (list)
        compare_say(to, cs_arena_printf(arena,
                                        "odd beside both neighbours, and left out of the search: "
                                        "%s%s; measure again",
                                        list, diagnosis->odd > 4 ? ", ..." : ""));
}

static void compare_say_verdict(struct cs_compared_table *to, struct cs_arena *arena)
{
    const struct cs_diagnosis *diagnosis = &to->diagnosis;
    const struct cs_explanation *first = &diagnosis->explanations[0];
    const char *others = NULL;
    const char *check = NULL;
    bool is_sound =
        diagnosis->verdict == CS_VERDICT_SOUND || diagnosis->verdict == CS_VERDICT_FASTER;
    /* Where large sizes are slower, the rest of the probability is worth a line, too. */
    bool is_slow = diagnosis->verdict == CS_VERDICT_SOUND && first->probability < CS_VERDICT_SURE &&
                   diagnosis->short_from < diagnosis->point_count;

    compare_say(to, compare_verdict(diagnosis, arena));
    if (first->cause && first->evidence.factor > 1)
        compare_say(
            to, cs_arena_printf(arena, "the log names the cause: %s%s%s", first->evidence.fact,
                                first->cause->repair[0] ? "; next: " : "", first->cause->repair));
    if (diagnosis->verdict == CS_VERDICT_CAUSE || diagnosis->verdict == CS_VERDICT_LIKELY ||
        is_slow)
        others = compare_causes(diagnosis, 1, false, arena);
    if (others)
        compare_say(to, cs_arena_printf(arena, "or: %s", others));
    if (!is_sound && first->evidence.factor <= 1)
        check = compare_check(diagnosis, arena);
    if (check)
        compare_say(to, check);
    if (!is_sound)
        compare_say(to, "not considered: other jobs, single GPUs, settings that the log does not "
                        "state");
}

static void compare_words(struct cs_compared_table *to, struct cs_arena *arena)
{
    const struct cs_diagnosis *diagnosis = &to->diagnosis;
    bool is_usual = diagnosis->verdict == CS_VERDICT_SOUND &&
                    10 * diagnosis->inside >= 9 * diagnosis->point_count;

    compare_say(to, compare_finding(to, arena));
    compare_say(to, cs_arena_printf(arena, "%s%u of %u sizes are inside the 90 %% interval",
                                    is_usual ? "this is what such machines show: " : "",
                                    diagnosis->inside, diagnosis->point_count));
    compare_say_odd(to, arena);
    compare_say_verdict(to, arena);
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
    call = cs_library_calls_request(calls, 0, cs_library_engine(scenario));
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

/* ---- two tables of a log ---- */

/* ln(later / earlier) of the common sizes from `from` to before `to`. */
static uint32_t again_changes(const struct cs_diagnosis *earlier, const struct cs_diagnosis *later,
                              uint64_t from, uint64_t to, double *changes)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < later->point_count; i++)
        for (uint32_t j = 0; j < earlier->point_count; j++)
            if (later->points[i].bytes == earlier->points[j].bytes &&
                later->points[i].bytes >= from && later->points[i].bytes < to)
                changes[count++] = log(later->points[i].measured_s / earlier->points[j].measured_s);
    return count;
}

/* "1.9 times the time (median of 12 sizes)". */
static const char *again_say(double *changes, uint32_t count, struct cs_arena *arena)
{
    const double noise = .03; /* repeated runs of quiet machines differ by 1 to 5 % */
    double median = cs_quantile(changes, count, .5);

    if (fabs(median) <= noise)
        return cs_arena_printf(arena, "as before (%u sizes)", count);
    return cs_arena_printf(arena, "%.3g times the time (median of %u sizes)", exp(median), count);
}

void cs_compare_again(const struct cs_compared_table *earlier, struct cs_compared_table *later,
                      struct cs_arena *arena)
{
    const uint64_t large = 1 << 20;
    double *changes = cs_arena_alloc(arena, later->diagnosis.point_count, sizeof(*changes));
    const char *words[2];
    uint32_t count[2];

    for (int part = 0; part < 2; part++) {
        count[part] = again_changes(&earlier->diagnosis, &later->diagnosis, part ? large : 0,
                                    part ? UINT64_MAX : large, changes);
        words[part] = count[part] ? again_say(changes, count[part], arena) : NULL;
    }
    if (!count[0] && !count[1])
        return;
    compare_say(later, cs_arena_printf(
                           arena, "against the table of line %u: %s%s%s%s", earlier->table->line,
                           words[0] ? "below 1 MiB " : "", words[0] ? words[0] : "",
                           words[1] ? (words[0] ? ", from 1 MiB on " : "from 1 MiB on ") : "",
                           words[1] ? words[1] : ""));
}
