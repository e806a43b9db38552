#include "scenarios/run/command/best.h"

#include "algorithms/shared/trees/trees.h"
#include "scenarios/run/machine/machine.h"
#include "scenarios/run/simulate.h"
#include "sim/base/units.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum {
    CLIMBED_MAX = 1 << 22, /* messages of a run with other chunks */
    COARSE_MAX = 1 << 17,  /* messages of the first run of trees */
    LONG_RUN = 1 << 20,    /* messages that take a second or so */
    PROVED_MAX = 1 << 18,  /* messages of a schedule that is proved at once */
    BEST_UNFIT = 100       /* beside CS_SIMULATE_: the file cannot hold the schedule */
};

/* A schedule that takes longer by this factor does not win by other chunks. */
static const double hopeless = 1.4;
/* Nor after a number of chunks that gained less. */
static const double small_gain = 0.995;
/* At this share of the bound more messages are not worth their simulation. */
static const double near_bound = 0.98;
/* Nor where a pipeline fills in this share of its time; twice it where that takes long. */
static const double short_fill = 0.01;
/* With so many times the chunks a long schedule is simulated again. */
static const double worth_a_run = 2;
/* Estimates from so few chunks hold for at most so many times more. */
static const double known_range = 8;

/* Schedules that were the best, but that the file cannot hold. */
struct best_unfit {
    uint64_t count;
    struct cs_record fastest;
    struct cs_err why;
};

struct best_search {
    struct cs_best *best;
    struct best_unfit *unfit;
    struct cs_progress_line *display;
    struct cs_arena *arena;
    struct cs_err *err;
};

/* A parameter that is searched. */
struct knob {
    const char *name;
    size_t at; /* in struct cs_call, a uint32_t */
};

static const struct knob knobs[] = {
    {"chunks", offsetof(struct cs_call, chunks)},
    {"peers", offsetof(struct cs_call, peers)},
    {"radix", offsetof(struct cs_call, radix)},
};

static uint32_t *knob_of(struct cs_scenario *scenario, const struct knob *knob)
{
    return (uint32_t *)(void *)((char *)&scenario->call + knob->at);
}

/* One algorithm of the scenario, with the chunks of the user. */
static struct cs_scenario best_named(const struct cs_scenario *scenario,
                                     const struct cs_algo *const *algo)
{
    struct cs_scenario named = *scenario;

    named.algos = (const struct cs_algo **)algo;
    named.algo_count = 1;
    named.choice = CS_CHOICE_NAMED;
    named.is_searched = true;
    named.unproven = true;
    return named;
}

/* Whether the file can hold the schedule, which is written and read back; GOAL, which is
 * written in parts, holds all. */
static int best_fits(const struct best_search *search, const struct cs_case *which,
                     const struct cs_record *record)
{
    const struct cs_exporter *exporter = which->scenario->written_as;
    struct cs_case quiet = *which;
    struct cs_export_parts parts = {0};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    int code;

    if (!exporter || exporter->open)
        return 0;
    quiet.notes = NULL;
    code = cs_simulate_export_parts(&quiet, exporter, &arena, &parts, search->err);
    cs_export_close(&parts);
    if (!code || code == CS_ESTOPPED)
        return code;
    if (!search->unfit->count++ || record->time_ps < search->unfit->fastest.time_ps) {
        search->unfit->fastest = *record;
        search->unfit->why = *search->err;
    }
    *search->err = (struct cs_err){0};
    return BEST_UNFIT;
}

/* Whether chunks of a long schedule are worth an estimate. */
static bool begins_with_few(const struct cs_algo *algo)
{
    return algo->takes_trees || algo->takes_relays;
}

/* Simulates; `record` is of a run to the end alone.  Returns as cs_simulate, a refusal as
 * CS_SIMULATE_REFUSED without an error, and BEST_UNFIT. */
static int best_simulate(const struct best_search *search, const struct cs_scenario *named,
                         struct cs_text *notes, struct cs_record *record)
{
    struct cs_case which = cs_case_of(named, 0);
    uint64_t best_ps = search->best->record.time_ps;
    int code;

    which.scenario = cs_arena_copy(search->arena, named, 1, sizeof(*named));
    which.notes = notes;
    which.display = search->display;
    which.limit_ps = best_ps;
    which.best_ps = best_ps;
    which.is_candidate = true;
    which.messages_max = begins_with_few(named->algos[0]) && !named->call.chunks ? COARSE_MAX : 0;
    code = cs_simulate(&which, search->arena, record, search->err);
    if (code == CS_SIMULATE_REFUSED)
        *search->err = (struct cs_err){0};
    if (code || (best_ps && record->time_ps >= best_ps))
        return code;
    code = best_fits(search, &which, record);
    if (!code)
        *search->best = (struct cs_best){*record, *named};
    return code;
}

static uint32_t knob_value(const struct cs_record *record, const struct knob *knob)
{
    const char *value = cs_record_parameter(record, knob->name);

    return value ? (uint32_t)strtoul(value, NULL, 10) : 0;
}

static bool best_is_near(const struct cs_record *record)
{
    return cs_candidates_share(record) >= near_bound;
}

/* Doubles the number from *ps on, or halves it, while the time falls, or until the file
 * can hold the schedule. */
static int best_climb(const struct best_search *search, struct cs_scenario next,
                      const struct knob *knob, uint32_t began, bool doubles, uint64_t *ps)
{
    uint64_t most = began * (CLIMBED_MAX / (search->best->record.messages + 1));
    struct cs_record record;
    bool is_small;
    int code = 0;

    for (uint64_t value = began; !code;) {
        value = doubles ? value * 2 : value / 2;
        if (value == 0 || value > most)
            break;
        *knob_of(&next, knob) = (uint32_t)value;
        code = best_simulate(search, &next, NULL, &record);
        if (code == BEST_UNFIT && !doubles) {
            code = 0;
            continue;
        }
        if (code || record.time_ps >= *ps || knob_value(&record, knob) != value)
            break;
        is_small = (double)record.time_ps > small_gain * (double)*ps;
        *ps = record.time_ps;
        if (doubles && (is_small || best_is_near(&record)))
            break;
    }
    return code < 0 ? code : 0;
}

/* ---- long schedules ---- */

/* A pipeline of k chunks takes full_s + fill_s / k. */
struct pipeline {
    double full_s, fill_s;
};

static struct pipeline pipeline_of(const double chunks[2], const double time_s[2])
{
    double fill_s = (time_s[0] - time_s[1]) / (1 / chunks[0] - 1 / chunks[1]);

    return (struct pipeline){time_s[1] - fill_s / chunks[1], fill_s};
}

/* The least chunks near the bound, or whose pipeline fills in the share of the time. */
static double pipeline_chunks(struct pipeline pipeline, double reachable_s, double share)
{
    double enough_s = fmax(pipeline.full_s * share, reachable_s / near_bound - pipeline.full_s);

    return ceil(pipeline.fill_s / enough_s);
}

/* The chunks to try next, of `each` messages; 0: none. */
static double pipeline_next(const double chunks[2], const double time_s[2], double reachable_s,
                            double each)
{
    struct pipeline pipeline = pipeline_of(chunks, time_s);
    double few = pipeline_chunks(pipeline, reachable_s, 2 * short_fill);
    double next =
        fmin(pipeline_chunks(pipeline, reachable_s, short_fill), fmax(few, 2.5 * LONG_RUN / each));

    next = fmin(next, chunks[1] * known_range);
    return next > chunks[1] * (next * each > LONG_RUN ? worth_a_run : 1) ? next : 0;
}

/* Begins with few chunks, and what two numbers of chunks take says how many are enough.
 * `whole` has the chunks and messages of the closed form's choice. */
static int best_from_few(const struct best_search *search, const struct cs_scenario *named,
                         const struct cs_record *whole)
{
    struct cs_scenario next = *named;
    double each = (double)whole->messages / fmax(knob_value(whole, &knobs[0]), 1);
    double most = fmax((double)whole->messages, CLIMBED_MAX) / each;
    double chunks[2] = {0}, time_s[2] = {0}, value = fmax(floor(0.5 * COARSE_MAX / each), 1);
    struct cs_record record;
    int code = 0;

    while (!code && value > chunks[1]) {
        next.call.chunks = (uint32_t)value;
        code = best_simulate(search, &next, NULL, &record);
        if (code == BEST_UNFIT) {
            value = floor(value / 2);
            code = 0;
            continue;
        }
        if (code || knob_value(&record, &knobs[0]) != next.call.chunks || best_is_near(&record))
            break;
        chunks[0] = chunks[1], time_s[0] = time_s[1];
        chunks[1] = value, time_s[1] = (double)record.time_ps * 1e-12;
        value = time_s[0] > 0 ? pipeline_next(chunks, time_s, record.reachable_s, each) : value * 2;
        value = fmin(value, most);
    }
    return code < 0 ? code : 0;
}

/* An algorithm with its own parameters and with others. */
static int best_attempt(const struct best_search *search, const struct cs_scenario *named,
                        struct cs_text *notes)
{
    struct cs_record first;
    int code = best_simulate(search, named, notes, &first);
    bool fits = code != BEST_UNFIT;

    if (code == CS_SIMULATE_LATER)
        return best_from_few(search, named, &first);
    if (fits && (code || (double)first.time_ps > hopeless * (double)search->best->record.time_ps))
        return code < 0 ? code : 0;
    code = 0;
    for (size_t i = 0; i < sizeof(knobs) / sizeof(*knobs) && !code; i++) {
        struct cs_scenario next = *named;
        uint32_t began = knob_value(&first, &knobs[i]);
        uint64_t from_ps = fits ? first.time_ps : UINT64_MAX, ps = from_ps;

        if (!began || *knob_of(&next, &knobs[i]))
            continue;
        /* Downwards first: fewer messages are simulated sooner. */
        code = best_climb(search, next, &knobs[i], began, false, &ps);
        if (!code && ps == from_ps && fits && !best_is_near(&first))
            code = best_climb(search, next, &knobs[i], began, true, &ps);
    }
    return code;
}

static const struct cs_algo *const *best_trees(const struct cs_scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->algo_count; i++)
        if (scenario->algos[i]->takes_trees)
            return (const struct cs_algo *const *)&scenario->algos[i];
    return NULL;
}

static void best_remove(struct cs_scenario *scenario, const struct cs_algo *algo)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < scenario->algo_count; i++)
        if (scenario->algos[i] != algo)
            scenario->algos[kept++] = scenario->algos[i];
    scenario->algo_count = kept;
}

/* Of all algorithms but the trees the one that is faster than the trees and all others, and the
 * next where the file cannot hold it. */
static int best_others(const struct best_search *search, const struct cs_scenario *scenario,
                       const struct cs_algo *trees)
{
    struct cs_scenario others = *scenario;

    others.algos = cs_arena_copy(search->arena, scenario->algos, scenario->algo_count,
                                 sizeof(const struct cs_algo *));
    best_remove(&others, trees);
    while (others.algo_count) {
        struct cs_scenario named = others;
        uint64_t unfit = search->unfit->count;
        int code = cs_run_group_choose(&others, search->best->record.time_ps, search->display,
                                       &named, search->err);
        const struct cs_algo **algo;

        if (code == CS_EINPUT && unfit) {
            *search->err = (struct cs_err){0};
            return 0;
        }
        if (code || !named.algo_count)
            return code;
        algo = cs_arena_copy(search->arena, named.algos, 1, sizeof(*algo));
        named = best_named(&named, algo);
        code = best_attempt(search, &named, NULL);
        if (code || search->unfit->count == unfit)
            return code;
        best_remove(&others, *algo);
    }
    return 0;
}

static int best_of_search(const struct best_search *search, const struct cs_scenario *scenario,
                          struct cs_text *notes)
{
    const struct cs_algo *const *trees = best_trees(scenario);
    struct cs_scenario named = *scenario;
    int code = 0;

    if (trees) {
        named = best_named(scenario, trees);
        code = best_attempt(search, &named, notes);
    }
    return code || search->best->record.ranks > CS_TREES_RANKS_LISTED
               ? code
               : best_others(search, scenario, trees ? *trees : NULL);
}

/* What is faster, but not in the file. */
static const char *best_left_out(const struct best_search *search, const char *format)
{
    const struct cs_record *faster = &search->unfit->fastest;

    return cs_arena_printf(search->arena,
                           "%s (%s) takes %s, but cannot be written: %s; the schedule is the "
                           "fastest found that format %s holds",
                           faster->algorithm, faster->parameters,
                           cs_show_time(faster->time_ps).text, search->unfit->why.text, format);
}

/* Proves the best schedule, unless that takes long. */
static int best_prove(const struct best_search *search)
{
    struct cs_best *best = search->best;
    struct cs_case which = cs_case_of(&best->scenario, 0);
    struct cs_proof proof;
    uint32_t ranks;
    int code;

    if (best->record.messages == 0 || best->record.messages > PROVED_MAX)
        return 0;
    which.display = search->display;
    code = cs_simulate_proof(&which, search->arena, &proof, &ranks, search->err);
    best->record.verified = CS_VERIFIED_PROVED;
    return code;
}

int cs_best_find(const struct cs_scenario *scenario, struct cs_progress_line *display,
                 struct cs_text *notes, struct cs_arena *arena, struct cs_best *best,
                 struct cs_err *err)
{
    struct best_unfit unfit = {0};
    const struct best_search search = {best, &unfit, display, arena, err};
    int code;

    *best = (struct cs_best){.record = {.time_ps = 0}};
    code = best_of_search(&search, scenario, notes);
    if (!code && best->record.time_ps == 0)
        code = cs_err_set(err, CS_EINPUT, "%s",
                          unfit.count ? unfit.why.text
                                      : "no algorithm runs this call on this machine");
    else if (!code && unfit.count && unfit.fastest.time_ps < best->record.time_ps)
        best->scenario.left_out = best_left_out(&search, scenario->written_as->name);
    return code ? code : best_prove(&search);
}

/* The case's own scenario: of one size and one number of ranks. */
static struct cs_scenario best_call(const struct cs_scenario *scenario, uint64_t first)
{
    struct cs_case which = cs_case_of(scenario, first);
    struct cs_scenario one = *scenario;

    one.sizes = cs_arena_copy(scenario->arena, &which.bytes, 1, sizeof(*one.sizes));
    one.ranks = cs_arena_copy(scenario->arena, &which.ranks, 1, sizeof(*one.ranks));
    one.size_count = 1;
    one.rank_count = which.ranks ? 1 : 0;
    return one;
}

int cs_best_run_group(struct cs_run_group *group, uint64_t first, struct cs_run_outcome *outcome,
                      struct cs_err *err)
{
    struct cs_run_group named = *group;
    struct cs_scenario one;
    struct cs_best best;
    int code;

    if (!group->scenario->is_searched)
        return cs_run_group(group, first, outcome, err);
    *outcome = (struct cs_run_outcome){0};
    one = best_call(group->scenario, first);
    code = cs_best_find(&one, group->display, NULL, one.arena, &best, err);
    if (code)
        return code;
    one = best.scenario;
    one.unproven = group->scenario->unproven;
    named.scenario = &one;
    named.announced = NULL;
    named.done += group->scenario->algo_count - 1;
    code = cs_run_group(&named, 0, outcome, err);
    for (size_t i = 0; i < outcome->records.count; i++)
        outcome->records.items[i].is_searched = true;
    group->done = named.done;
    group->known = named.known;
    return code;
}

int cs_best_choose(struct cs_scenario *scenario, struct cs_progress_line *display,
                   struct cs_err *err)
{
    struct cs_best best;
    bool unproven = scenario->unproven;
    int code = 0;

    if (scenario->choice != CS_CHOICE_AUTO)
        return 0;
    if (cs_case_count(scenario) > scenario->algo_count)
        return scenario->is_searched
                   ? cs_err_set(err, CS_EINPUT,
                                "synth makes one schedule; expected one --size and one --ranks")
                   : 0;
    if (!scenario->machines)
        scenario->machines = cs_machines_of_run(scenario, scenario->arena);
    if (!scenario->is_searched)
        return cs_run_group_choose(scenario, 0, display, scenario, err);
    code = cs_best_find(scenario, display, NULL, scenario->arena, &best, err);
    if (!code)
        *scenario = best.scenario;
    scenario->unproven = unproven;
    return code;
}

int cs_best_choose_alone(struct cs_scenario *scenario, struct cs_progress_line *display,
                         struct cs_err *err)
{
    int code;

    cs_progress_line_open(display, scenario->format == CS_FORMAT_JSON);
    code = cs_best_choose(scenario, display, err);
    cs_progress_line_close(display);
    return code;
}
