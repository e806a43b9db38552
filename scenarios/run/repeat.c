#include "scenarios/run/repeat.h"

#include "scenarios/run/concurrent_jobs.h"
#include "scenarios/run/fold/execute.h"
#include "scenarios/run/fold/folding.h"

#include "sim/base/cores.h"
#include "sim/base/order.h"
#include "sim/base/statistics.h"
#include "sim/base/units.h"

#include <math.h>
#include <stdlib.h>

#define PS_TO_S 1e-12

/* The error for a straggler on an unknown device, with the nearest name. */
static int repeat_no_device(const struct cs_run *run, const char *name)
{
    (void)cs_graph_no_device(&run->graph, name, run->err);
    return cs_err_prefix(run->err, "straggler");
}

/* Sets the slowness of the party on a device. */
static int slow_device(const struct cs_run *run, const struct cs_stragglers *who, double *slow)
{
    uint32_t device = cs_graph_find(&run->graph, who->device);
    bool found = false;

    if (device == UINT32_MAX)
        return repeat_no_device(run, who->device);
    for (uint32_t i = 0; i < run->all_net.party_count; i++) {
        if (run->all_net.parties[i].node != device)
            continue;
        slow[i] = who->slow;
        found = true;
    }
    if (found)
        return 0;
    return cs_err_set(
        run->err, CS_EINPUT,
        "straggler: no rank is placed on '%.40s'; --fault %.40s:rate=80%% slows its links",
        who->device, who->device);
}

static int slow_ranks(const struct cs_run *run, const struct cs_stragglers *who, double *slow)
{
    if (who->last >= run->all_ranks)
        return cs_err_set(run->err, CS_EINPUT, "straggler rank=%u is beyond the last rank, %u",
                          who->last, run->all_ranks - 1);
    for (uint32_t r = who->first; r <= who->last; r++)
        slow[r] = who->slow;
    return 0;
}

/* Slowness of each party as a share; the last option wins. */
static int find_slowness(const struct cs_run *run, double *slow)
{
    const struct cs_jitter *jitter = &run->which->scenario->jitter;
    int code = 0;

    for (uint32_t i = 0; i < jitter->straggler_count && !code; i++)
        code = jitter->stragglers[i].device ? slow_device(run, &jitter->stragglers[i], slow)
                                            : slow_ranks(run, &jitter->stragglers[i], slow);
    return code;
}

/* Whether every distribution of the noise has that moment. */
static bool repeat_all_have(const struct cs_jitter *jitter,
                            bool (*has)(const struct cs_distribution *distribution))
{
    uint32_t i = 0;

    while (i < jitter->term_count && has(&jitter->terms[i].distribution))
        i++;
    return i == jitter->term_count;
}

/* Runs from which on the interval covers the mean in 95 % of cases
 * (spread_test.c). */
enum {
    RUNS_FOR_HEAVY_TAILS = 1000
};

/* Notes distributions whose tails make the interval of the mean unreliable. */
static void note_tails(const struct cs_run *run)
{
    const struct cs_jitter *jitter = &run->which->scenario->jitter;

    if (jitter->runs < 2 || !run->which->notes)
        return;
    if (!repeat_all_have(jitter, cs_distribution_has_variance))
        cs_text_add(run->which->notes,
                    "a pareto of shape 2 or less has no variance: neither the standard deviation "
                    "nor the interval of the mean settles with more runs\n");
    else if (!repeat_all_have(jitter, cs_distribution_has_skewness) &&
             jitter->runs < RUNS_FOR_HEAVY_TAILS)
        cs_text_printf(run->which->notes,
                       "a pareto of shape 3 or less has heavy tails: with %llu runs the interval "
                       "of the mean may hold it in fewer than 95 %% of cases (in 87 to 94 %%, "
                       "where shape 2.5 was tried); --runs %d or more\n",
                       (unsigned long long)jitter->runs, RUNS_FOR_HEAVY_TAILS);
}

/* A run with the noise of its number. */
static int repeat_run_once(struct cs_run *run, uint64_t number, struct cs_noise *noise,
                           const struct cs_exec_watch *watch, struct cs_arena *arena,
                           struct cs_exec_result *result)
{
    noise->seed = cs_noise_seed(run->which->scenario->seed, number);
    run->noise = cs_run_has_noise(run) ? noise : NULL;
    run->routing.seed = noise->seed;
    return cs_run_execute(run, cs_concurrent_jobs_program(run), watch, arena, result);
}

/* The launch of a kernel is no part of the simulation. */
static double time_s(const struct cs_run *run, const struct cs_exec_result *result)
{
    return (double)cs_time_after(result->time_ps, run->machine->transport.launch_ps) * PS_TO_S;
}

/* The spread of the finished runs, when the user stops the rest. */
static void note_stop(const struct cs_run *run, double *times_s, uint64_t finished, uint64_t runs)
{
    struct cs_spread of = cs_spread_of(times_s, finished);

    if (!run->which->notes)
        return;
    cs_text_printf(
        run->which->notes,
        "stopped after %llu of %llu runs: mean %s, 5 %% %s, median %s, 95 %% %s, most %s\n",
        (unsigned long long)finished, (unsigned long long)runs, cs_show_seconds(of.mean).text,
        cs_show_seconds(of.p5).text, cs_show_seconds(of.median).text, cs_show_seconds(of.p95).text,
        cs_show_seconds(of.most).text);
}

/* ---- runs on several cores ---- */

enum {
    RUNS_FOR_CORES = 16 /* fewer are simulated before workers have started */
};

struct repeat_runs {
    struct cs_run *run;
    struct cs_noise *noise;
    uint64_t first, count;
    const struct cs_monitor *monitor; /* NULL: none */
};

/* The item of cores.h: the time of a run. */
static int repeat_item(void *ctx, uint64_t number, void *result)
{
    struct repeat_runs *runs = ctx;
    struct cs_exec_result one;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    int code = repeat_run_once(runs->run, runs->first + number, runs->noise, NULL, &arena, &one);

    *(double *)result = code ? 0 : time_s(runs->run, &one);
    return code;
}

static bool repeat_look(void *ctx, uint64_t finished)
{
    const struct repeat_runs *runs = ctx;

    return cs_monitor_count(runs->monitor, finished, runs->count);
}

/* The monitor of a run in a worker: the waiting process shows the progress. */
static bool repeat_goes_on(void *ctx, const struct cs_progress *progress)
{
    (void)ctx;
    (void)progress;
    return true;
}

/* Notes the runs that had finished; a time is above 0. */
static void note_stop_of_cores(const struct cs_run *run, double *times_s, uint64_t count)
{
    uint64_t finished = 0;

    for (uint64_t i = 0; i < count; i++)
        if (times_s[i] > 0)
            times_s[finished++] = times_s[i];
    if (finished)
        note_stop(run, times_s, finished, count);
}

/* CS_ECANNOT: not done. */
static int repeat_on_cores(struct cs_run *run, struct cs_noise *noise, uint64_t count,
                           double *times_s)
{
    const struct cs_scenario *scenario = run->which->scenario;
    struct repeat_runs runs = {
        .run = run, .noise = noise, .first = scenario->jitter.first_run, .count = count};
    struct cs_cores cores = {.workers = cs_scenario_jobs(scenario),
                             .count = count,
                             .size = sizeof(*times_s),
                             .item = repeat_item,
                             .look = repeat_look,
                             .ctx = &runs};
    const struct cs_monitor silent = {repeat_goes_on, NULL};
    int code;

    if (cores.workers < 2 || count < RUNS_FOR_CORES ||
        cs_progress_line_is_hosted(run->which->display))
        return CS_ECANNOT;
    runs.monitor = cs_progress_line_begin(run->which->display, "simulating");
    run->monitor = &silent;
    code = cs_cores_run(&cores, times_s);
    run->monitor = NULL;
    if (code == CS_ESTOPPED) {
        note_stop_of_cores(run, times_s, count);
        return cs_err_set(run->err, CS_ESTOPPED, "stopped");
    }
    return code == CS_ECANNOT ? code : cs_progress_line_end(run->which->display, code, run->err);
}

/* Simulates every run; times in seconds. */
static int repeat_run_all(struct cs_run *run, struct cs_noise *noise, uint64_t runs,
                          double *times_s)
{
    uint64_t first = run->which->scenario->jitter.first_run;
    struct cs_progress_line *display = run->which->display;
    struct cs_monitor_part part = {.whole = cs_progress_line_begin(display, "simulating"),
                                   .parts = runs};
    struct cs_monitor monitor = {cs_monitor_part_update, &part};
    int code = 0;

    run->monitor = part.whole ? &monitor : NULL;
    for (part.part = 0; part.part < runs && !code; part.part++) {
        struct cs_exec_result result;
        CS_AT_END(cs_arena_free) struct cs_arena arena = {0};

        code = repeat_run_once(run, first + part.part, noise, NULL, &arena, &result);
        times_s[part.part] = time_s(run, &result);
    }
    run->monitor = NULL;
    if (code == CS_ESTOPPED && part.part > 1)
        note_stop(run, times_s, part.part - 1, runs);
    return cs_progress_line_end(display, code, run->err);
}

/* Runs faster than without noise are correct: noise changes the order in which
 * messages and reductions queue. */
static void note_faster(const struct cs_run *run, const double *times_s,
                        const struct cs_record_spread *spread)
{
    uint64_t faster = 0;

    for (uint32_t i = 0; i < spread->runs; i++)
        faster += times_s[i] < spread->baseline;
    if (faster == 0 || !run->which->notes)
        return;
    cs_text_printf(run->which->notes,
                   "%llu of %u runs with noise are faster than %s, the time without noise; the "
                   "minimum is %s%s: noise changes the order in which messages queue\n",
                   (unsigned long long)faster, spread->runs, cs_show_seconds(spread->baseline).text,
                   cs_show_seconds(spread->min).text,
                   spread->mean < spread->baseline ? ", and the mean is faster as well" : "");
}

/* The number of the run of median time; of two, the faster. */
static uint64_t median_run(const double *times_s, uint64_t runs)
{
    double *sorted = cs_grow(NULL, runs, sizeof(*sorted));
    double median_s;
    uint64_t i;

    for (i = 0; i < runs; i++)
        sorted[i] = times_s[i];
    qsort(sorted, runs, sizeof(*sorted), cs_order_of_doubles);
    median_s = sorted[(runs - 1) / 2];
    free(sorted);
    for (i = 0; times_s[i] != median_s; i++) {
    }
    return i;
}

static void repeat_describe(const struct cs_spread *of, uint64_t runs,
                            struct cs_record_spread *spread)
{
    *spread = (struct cs_record_spread){
        .runs = (uint32_t)runs,
        .baseline = spread->baseline,
        .mean = of->mean,
        .mean_low = of->mean_low,
        .mean_high = of->mean_high,
        .sd = of->sd,
        .min = of->least,
        .p5 = of->p5,
        .median = of->median,
        .p95 = of->p95,
        .p99 = of->p99,
        .max = of->most,
        .slowdown = spread->baseline > 0 ? of->mean / spread->baseline : (double)NAN,
    };
}

/* Whether the noise is slow ranks alone and lanes are rings or lines, of which nodes with a
 * slow rank are regions like others (sim/fold/regions.h). */
static bool repeat_may_fold(const struct cs_run *run, const struct cs_exec_watch *watch)
{
    const struct cs_scenario *scenario = run->which->scenario;

    return scenario->jitter.straggler_count > 0 && scenario->jitter.term_count == 0 && !watch &&
           scenario->other_jobs.count == 0 && (run->program.ring_lanes || run->program.line_lanes);
}

/* run->fold stays NULL where no ranks are equivalent. */
static int repeat_fold(struct cs_run *run, const struct cs_noise *noise)
{
    struct cs_net net = run->net;
    const char *why;
    int code;

    cs_noise_net(noise, &run->net, run->arena);
    code = cs_run_fold(run, &why);
    run->net = net;
    return code;
}

/* Runs are simulated one by one with numbered seeds, so that any run can be repeated
 * alone.  The median run is simulated again for path, links and memory: keeping every
 * result would take memory in proportion to the runs. */
int cs_run_repeat(struct cs_run *run, const struct cs_exec_watch *watch,
                  struct cs_record_spread *spread)
{
    const struct cs_jitter *jitter = &run->which->scenario->jitter;
    uint64_t runs = jitter->runs ? jitter->runs : 1;
    double *slow = cs_arena_alloc(run->arena, run->all_net.party_count, sizeof(*slow));
    double *times_s = cs_arena_alloc(run->arena, runs, sizeof(*times_s));
    struct cs_noise *noise = cs_arena_alloc(run->arena, 1, sizeof(*noise));
    uint64_t chosen = jitter->first_run;
    struct cs_spread of;
    int code = find_slowness(run, slow);

    *noise = (struct cs_noise){.terms = jitter->terms, .count = jitter->term_count, .slow = slow};
    note_tails(run);
    spread->baseline = cs_run_has_noise(run) ? time_s(run, &run->result) : (double)NAN;
    if (!code && runs > 1) {
        code = repeat_on_cores(run, noise, runs, times_s);
        if (code == CS_ECANNOT)
            code = repeat_run_all(run, noise, runs, times_s);
    }
    if (!code && runs > 1)
        chosen += median_run(times_s, runs);
    if (!code && repeat_may_fold(run, watch))
        code = repeat_fold(run, noise);
    if (!code && !run->fold)
        code = repeat_run_once(run, chosen, noise, watch, run->arena, &run->result);
    if (code)
        return code;
    if (runs == 1)
        times_s[0] = time_s(run, &run->result);
    of = cs_spread_of(times_s, runs);
    repeat_describe(&of, runs, spread);
    note_faster(run, times_s, spread);
    spread->times = runs > 1 ? times_s : NULL; /* sorted by cs_spread_of */
    return 0;
}
