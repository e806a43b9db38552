#include "scenarios/run/simulate.h"

#include "scenarios/run/case/closed_form.h"
#include "scenarios/run/case/fingerprint.h"
#include "scenarios/run/case/finish.h"
#include "scenarios/run/case/prove.h"
#include "scenarios/run/case/run.h"
#include "scenarios/run/concurrent_jobs.h"
#include "scenarios/run/fold/execute.h"
#include "scenarios/run/fold/folding.h"
#include "scenarios/run/fold/time_limit.h"
#include "scenarios/run/open.h"
#include "scenarios/run/record/record.h"
#include "scenarios/run/record/timeline.h"
#include "scenarios/run/repeat.h"
#include "scenarios/run/slower_run.h"

#include <math.h>

/* ---- without faults ---- */

/* Links that carry messages with the faults only: the first, and the number of
 * further links. */
static const char *healthy_detour(const struct cs_run *run, const struct cs_run *healthy)
{
    const char *first = "";
    uint32_t more = 0;

    for (uint32_t i = 0; i < run->net.link_count; i++) {
        if (!cs_run_uses_link(run, i) || cs_run_uses_link(healthy, i))
            continue;
        more += *first != '\0';
        first = *first ? first : cs_machine_link_name(run, i);
    }
    return more ? cs_arena_printf(run->arena, "%s and %u more", first, more) : first;
}

static uint32_t healthy_rings(const struct cs_run *run)
{
    return run->call.rings ? run->call.rings->count : 0;
}

/* The plan depends on the machine, so a different plan may cause part of a slowdown. */
static void healthy_note_plan(const struct cs_run *run, const struct cs_run *healthy)
{
    const struct cs_call *now = &run->call;
    const struct cs_call *then = &healthy->call;

    if (run->which->notes && (now->channels != then->channels || now->chunks != then->chunks ||
                              healthy_rings(run) != healthy_rings(healthy)))
        cs_text_printf(run->which->notes,
                       "planned for the machine with its faults: %u channels, %u chunks; without "
                       "them %u and %u\n",
                       now->channels, now->chunks, then->channels, then->chunks);
}

/* The bound of the healthy machine holds while faults come and go; the bound of
 * the machine at a single time does not. */
int cs_healthy_compare(const struct cs_run *run, cs_healthy_fn *simulate, struct cs_record *record)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_case which = *run->which;
    struct cs_run healthy = {.which = &which, .arena = &arena, .err = run->err, .healthy = true};
    struct cs_record of = {0};
    int code;

    which.notes = NULL; /* printed already */
    code = cs_run_open(&healthy);
    if (!code)
        code = simulate(&healthy, NULL, &of);
    if (!code) {
        cs_run_collect(&healthy, &of);
        record->healthy_s = (double)of.time_ps * 1e-12;
        record->slowdown = (double)record->time_ps / (double)of.time_ps;
        record->healthy_bottleneck = cs_arena_text(run->arena, of.bottleneck);
        record->detour = healthy_detour(run, &healthy);
        healthy_note_plan(run, &healthy);
        if (run->which->notes && cs_slower_run_is((double)record->time_ps, (double)of.time_ps))
            cs_slower_run_note_faults(run->which, run->which->notes);
        if (run->change_count) {
            record->lower_bound_s = of.lower_bound_s;
            record->bound = cs_arena_text(run->arena, of.bound);
            record->own_bound_s = of.own_bound_s;
            record->reachable_s = isnan(of.own_bound_s) ? of.lower_bound_s : of.own_bound_s;
            record->reachable = record->bound;
        }
    }
    return code;
}

/* Folded if possible; otherwise whole, unless the user required a fold. */
static int simulate_execute(struct cs_run *run, const struct cs_exec_watch *watch)
{
    const char *why = NULL;
    int code = watch ? 0 : cs_run_fold(run, &why);

    if (code || run->fold)
        return code;
    if (run->which->scenario->fold == CS_FOLD_ON && why) {
        cs_err_set(run->err, CS_EINPUT, "%s cannot be folded: %s", run->which->algo->name, why);
        return CS_SIMULATE_REFUSED; /* further algorithms may fold */
    }
    cs_progress_line_note(run->which->display,
                          why && *why ? cs_arena_printf(run->arena, "not folded: %s", why) : NULL);
    code = cs_run_expand(run);
    if (!code && run->limit && !run->limit->load_count)
        *run->limit = *cs_time_limit_of(run);
    return code ? code : cs_run_execute(run, &run->program, watch, run->arena, &run->result);
}

/* Jobs contend for links, so the model needs links; ranks of different jobs differ,
 * so the fold of the single run is dropped. */
static int run_concurrent(struct cs_run *run, const struct cs_exec_watch *watch)
{
    if (run->which->scenario->model->ignores_links)
        return cs_err_set(run->err, CS_EINPUT, "--with needs a model with links, not %s",
                          run->which->scenario->model->name);
    run->fold = NULL;
    return cs_concurrent_jobs_run(run, watch);
}

static int run_noisy(struct cs_run *run, const struct cs_exec_watch *watch,
                     struct cs_record_spread *spread)
{
    if (run->which->scenario->fold == CS_FOLD_ON)
        return cs_err_set(run->err, CS_EINPUT, "%s no two ranks do the same; leave --fold out",
                          cs_run_has_noise(run) ? "with jitter or stragglers"
                                                : "with routes drawn for each run");
    run->fold = NULL;
    return cs_run_repeat(run, watch, spread);
}

/* Alone, then with the concurrent jobs, then with noise. */
static int execute_all(struct cs_run *run, const struct cs_exec_watch *watch,
                       struct cs_record *record)
{
    bool noisy = cs_run_is_noisy(run);
    bool concurrent = run->which->scenario->other_jobs.count > 0;
    int code = simulate_execute(run, noisy || concurrent ? NULL : watch);

    if (!code && (concurrent || run->which->scenario->jitter.runs > 1))
        run->limit = NULL; /* the time of the job, or of the median run, counts */
    if (!code && concurrent)
        code = run_concurrent(run, noisy ? NULL : watch);
    if (!code && noisy)
        code = run_noisy(run, watch, &record->spread);
    if (!code && concurrent)
        code = cs_concurrent_jobs_report(run, record);
    return code;
}

/* Up to the limit of the case, if any, which may be passed before the start. */
static int execute_to_limit(struct cs_run *run, const struct cs_exec_watch *watch,
                            struct cs_record *record)
{
    struct cs_time_limit *limit = run->limit = cs_time_limit_of(run);
    int code = CS_SIMULATE_SLOWER;

    if (!limit || !limit->passed)
        code = execute_all(run, watch, record);
    if (limit && code == CS_SIMULATE_SLOWER)
        record->time_ps = limit->least_ps;
    return code;
}

/* The proof comes first, as a wrong program may not even end; but with a limit
 * last, as most of several algorithms end there, and where ranks may fold, as a
 * fold leaves less time for a proof. */
static bool is_proved_last(const struct cs_run *run)
{
    const char *why;

    return run->which->limit_ps > 0 || cs_run_may_fold(run, &why);
}

/* Of several algorithms only the fastest so far. */
static bool is_worth_a_proof(const struct cs_run *run)
{
    uint64_t best_ps = run->which->best_ps;

    return best_ps == 0 || run->result.time_ps <= best_ps;
}

static int simulate_here(struct cs_run *run, const struct cs_exec_watch *watch,
                         struct cs_record *record)
{
    bool is_last = is_proved_last(run);
    int code = is_last ? 0 : cs_run_prove(run, record);

    if (!code)
        code = execute_to_limit(run, watch, record);
    if (!code && is_last && is_worth_a_proof(run))
        code = cs_run_prove(run, record);
    if (!code)
        cs_note_late_faults(run, &record->spread);
    if (!code)
        cs_run_collect(run, record);
    if (!code)
        cs_note_closed_form(run, record);
    if (!code && run->which->scenario->faults.count && !run->which->is_candidate &&
        !run->which->is_planned)
        code = cs_healthy_compare(run, execute_all, record);
    if (!code)
        code = cs_record_check_bound(record, run->err);
    if (!code)
        cs_note_kept_rates(run);
    if (!code && (run->fold || run->result.jumped > 0))
        record->folding = cs_run_fold_describe(run);
    return code;
}

/* Asks the hook of the case for an earlier result; the fingerprint is computed only
 * for the hook, since hashing a program takes time. */
static int request_known(const struct cs_run *run, struct cs_record *record)
{
    const struct cs_known *known = run->which->known;
    bool is_known = false;
    int code;

    if (!known)
        return 0;
    record->fingerprint = cs_fingerprint_run(run);
    code = known->look_up(known->ctx, record, &is_known, run->err);
    return !code && is_known ? CS_SIMULATE_KNOWN : code;
}

/* Whether the program has too many messages for the case; the estimate counts a
 * send and a receive. */
static bool simulate_later(const struct cs_run *run, struct cs_record *record)
{
    const struct cs_proof_options options = {0};
    uint64_t most = run->which->messages_max;

    if (!most)
        return false;
    record->messages = cs_proof_estimate(&run->program, &options).ops / 2;
    if (record->messages <= most)
        return false;
    record->closed_form_s = cs_run_closed_form_s(run, CS_LOOKS_AT_SOME);
    return true;
}

/* With the memory of ranks over time, a timeline, or both. */
static int simulate_watched(struct cs_run *run, struct cs_record *record)
{
    const struct cs_case *which = run->which;
    struct cs_exec_watch watch = {.held = cs_memory_curve_held, .ctx = which->memory};
    int code;

    if (which->memory)
        cs_memory_curve_open(which->memory, run->all_ranks, run->arena);
    if (which->timeline) {
        which->timeline->memory = which->memory;
        cs_run_timeline_open(which->timeline, run);
        watch = cs_run_timeline_watch(which->timeline);
    }
    code = simulate_here(run, &watch, record);
    if (which->memory)
        cs_memory_curve_close(which->memory, run->result.time_ps);
    if (!code && which->timeline)
        cs_run_timeline_close(which->timeline, run);
    return code;
}

int cs_simulate(const struct cs_case *which, struct cs_arena *arena, struct cs_record *record,
                struct cs_err *err)
{
    struct cs_run run = {.which = which,
                         .arena = arena,
                         .err = err,
                         .replicas_from = cs_machines_replicas_from(which->scenario)};
    int code = cs_run_open(&run);

    if (code)
        return code;
    cs_note_unused_routing(&run);
    cs_note_default_algo(&run);
    if (which->notes && which->algo->remark)
        cs_text_printf(which->notes, "%s\n", which->algo->remark);
    cs_run_describe(&run, record);
    code = request_known(&run, record);
    if (!code && simulate_later(&run, record))
        code = CS_SIMULATE_LATER;
    if (code)
        return code;
    if (!which->memory && !which->timeline)
        return simulate_here(&run, NULL, record);
    return simulate_watched(&run, record);
}

int cs_simulate_run(struct cs_run *run, struct cs_record_spread *spread)
{
    bool noisy = cs_run_is_noisy(run);
    const char *why;
    int code = noisy ? 0 : cs_run_fold(run, &why);

    *spread = (struct cs_record_spread){0};
    if (!code && !run->fold)
        code = cs_run_execute(run, &run->program, NULL, run->arena, &run->result);
    if (!code && noisy)
        code = cs_run_repeat(run, NULL, spread);
    return code;
}

int cs_simulate_steps(const struct cs_case *which, struct cs_arena *arena, struct cs_record *record,
                      struct cs_steps *steps, struct cs_err *err)
{
    struct cs_run run = {.which = which, .arena = arena, .err = err};
    struct cs_exec_watch watch = {.delivered = cs_steps_delivered,
                                  .worked = cs_steps_worked,
                                  .carried = cs_steps_carried,
                                  .ctx = steps};
    int code = cs_run_open(&run);

    if (code)
        return code;
    cs_run_describe(&run, record);
    code = cs_steps_of(&run.program, arena, steps, err);
    if (!code)
        code = simulate_here(&run, &watch, record);
    if (!code)
        cs_steps_finish(steps, record->time_ps);
    return code;
}

/* The run and what is exported of it; the run must outlive `what`. */
static int open_export(struct cs_run *run, struct cs_export *what)
{
    struct cs_run_reducers reducers;
    int code = cs_run_open(run);

    if (code)
        return code;
    reducers = cs_run_reducers(run);
    *what = (struct cs_export){.algo = run->which->algo,
                               .program = &run->program,
                               .call = &run->call,
                               .reduce_ps_per_byte = reducers.s_per_byte * 1e12,
                               .reduce_overhead_ps = reducers.overhead_ps};
    return 0;
}

int cs_simulate_export(const struct cs_case *which, const struct cs_exporter *exporter,
                       struct cs_arena *arena, struct cs_text *out, struct cs_err *err)
{
    struct cs_run run = {.which = which, .arena = arena, .err = err};
    struct cs_export what;
    int code = open_export(&run, &what);

    return code ? code : cs_export_write(exporter, &what, out, err);
}

int cs_simulate_export_parts(const struct cs_case *which, const struct cs_exporter *exporter,
                             struct cs_arena *arena, struct cs_export_parts *parts,
                             struct cs_err *err)
{
    struct cs_run *run = cs_arena_alloc(arena, 1, sizeof(*run));
    struct cs_export *what = cs_arena_alloc(arena, 1, sizeof(*what));
    int code;

    *run = (struct cs_run){.which = which, .arena = arena, .err = err};
    code = open_export(run, what);
    return code ? code : cs_export_open(exporter, what, arena, parts, err);
}

int cs_simulate_proof(const struct cs_case *which, struct cs_arena *arena, struct cs_proof *proof,
                      uint32_t *ranks, struct cs_err *err)
{
    struct cs_proof_options options = {.seed = which->scenario->seed};
    struct cs_run run = {.which = which, .arena = arena, .err = err};
    int code = cs_run_open(&run);

    *ranks = run.call.ranks;
    if (code)
        return code;
    options.monitor = cs_progress_line_begin(which->display, "proving");
    code = cs_proof_run(&run.program, &options, proof, err);
    return cs_progress_line_end(which->display, code, err);
}

/* ---- estimate ---- */

int cs_run_estimate(const struct cs_case *which, struct cs_arena *arena,
                    struct cs_estimate *estimate, struct cs_err *err)
{
    const struct cs_scenario *scenario = which->scenario;
    struct cs_run run = {.which = which,
                         .arena = arena,
                         .err = err,
                         .replicas_from = cs_machines_replicas_from(scenario),
                         .machines = scenario->machines ? scenario->machines
                                                        : cs_machines_of_run(scenario, arena)};
    struct cs_textbook book;
    int code = cs_run_open(&run);

    if (code)
        return code;
    book = cs_run_closed_form(&run, CS_LOOKS_AT_ALL);
    *estimate = (struct cs_estimate){
        .closed_form_s =
            cs_algo_closed_form_of_nodes_s(which->algo, &run.call, &book.between, &book.within),
        .bus_factor = cs_collective_bus_factor(run.call.collective, run.call.ranks),
        .bytes = (double)which->bytes,
    };
    return 0;
}
