#include "scenarios/run/simulate.h"

#include "algorithms/shared/rings.h"
#include "scenarios/options/unused.h"
#include "scenarios/run/fingerprint.h"
#include "sim/base/units.h"

/* Blocks that a proof may visit beside any run: a quarter to half a second. */
#define PROOF_VISITS (UINT64_C(3) << 24)

/*
 * A proof runs along where it takes no time that anybody notices, or less than
 * half of what the simulation takes; `collsim check` is for the others.  What an
 * op takes, measured by `collsim bench`, as multiples of model fifo's:
 *
 *     fifo and most others 1     fluid 3     packet 10     the proof 1.5
 *
 * which are CS_PROOF_OP_VISITS: half a proof is three quarters of an op of model
 * fifo, and so many visits.
 */
bool cs_run_proof_is_cheap(const struct cs_run *run, uint64_t *visits)
{
    const struct cs_scenario *scenario = run->which->scenario;
    const struct cs_proof_options options = {.seed = scenario->seed};
    struct cs_proof_work work = cs_proof_estimate(&run->program, &options);
    uint64_t runs = scenario->jitter.runs ? scenario->jitter.runs : 1;
    double cost = scenario->model->op_cost > 0 ? scenario->model->op_cost : 1;

    *visits = work.visits;
    return work.visits <= PROOF_VISITS ||
           (double)work.visits <= (double)work.ops * cost * (double)runs *
                                      CS_PROOF_OP_VISITS * 0.4;
}

void cs_run_note_unproven(const struct cs_run *run, const char *what,
                          uint64_t visits)
{
    if (!run->which->notes)
        return;
    cs_text_printf(run->which->notes,
                   "the proof of %s is skipped: it takes about %.0f million "
                   "visits of chunks, and the limit beside a run is %.0f "
                   "million; collsim check proves it\n",
                   what, (double)visits / 1e6, (double)PROOF_VISITS / 1e6);
}

static int simulate_prove(struct cs_run *run, struct cs_record *record)
{
    const struct cs_scenario *scenario = run->which->scenario;
    struct cs_progress_line *display = run->which->display;
    struct cs_proof_options options = {.seed = scenario->seed};
    uint64_t visits;
    int code;

    if (scenario->unproven)
        return 0;
    if (!cs_run_proof_is_cheap(run, &visits)) {
        record->verified = CS_VERIFIED_LEFT_OUT;
        cs_run_note_unproven(run, run->which->algo->name, visits);
        return 0;
    }
    options.monitor = cs_progress_line_begin(display, "proving");
    code = cs_proof_run(&run->program, &options, &run->proof, run->err);
    code = cs_progress_line_end(display, code, run->err);
    if (run->proof.one_order && run->which->notes)
        cs_text_printf(run->which->notes,
                       "%s is proved in one order of its lanes, which are too "
                       "many for a proof of all orders\n",
                       run->which->algo->name);
    record->verified =
        run->proof.nothing_owed ? CS_VERIFIED_MATCHED : CS_VERIFIED_PROVED;
    record->has_reduce_scatter = run->proof.has_reduce_scatter;
    record->redundant_bytes_after_reduce_scatter =
        run->proof.redundant_after_scatter_bytes;
    record->redundant_bytes = run->proof.redundant_bytes;
    return code;
}

/* ---- folding ---- */

enum {
    FOLD_FROM = 1 << 22 /* rounds of all ranks; below them it gains nothing */
};

static bool is_worth_folding(const struct cs_run *run)
{
    const struct cs_program *program = &run->program;

    return program->rounds(program->ctx, 0, 0) >= FOLD_FROM / program->ranks;
}

/* Why the answer stands for all ranks, for people. */
static const char *describe_fold(const struct cs_run *run)
{
    const struct cs_fold *fold = run->fold;
    const struct cs_fold_group *group = &fold->group;
    uint32_t row = group->orbits * group->columns;
    struct cs_text text = {0};
    const char *kept;

    cs_text_printf(&text, "%u of %u ranks simulated, %s by %u", group->orbits,
                   group->ranks, group->is_xor ? "xor" : "rotation", row);
    if (group->columns > 1)
        cs_text_printf(&text, ", and by %u inside of %u", group->orbits, row);
    if (fold->checked < fold->rounds)
        cs_text_printf(&text, ", checked in %llu rounds drawn at random",
                       (unsigned long long)fold->checked);
    if (fold->uneven)
        cs_text_add(&text, ", buffers as if all blocks were of the longest");
    kept = cs_arena_text(run->arena, cs_text_str(&text));
    cs_text_free(&text);
    return kept;
}

static int search_fold(struct cs_run *run, const struct cs_program *program,
                       const char **why)
{
    struct cs_progress_line *display = run->which->display;
    const struct cs_fold_request request = {
        .program = program,
        .net = &run->net,
        .seed = run->which->scenario->seed,
        .monitor = cs_progress_line_begin(display,
                                          "looking for ranks that do the same"),
    };
    int code = cs_fold_find(&request, run->arena, &run->fold, why, run->err);

    return cs_progress_line_end(display, code, run->err);
}

static int run_fold(struct cs_run *run)
{
    struct cs_progress_line *display = run->which->display;
    const struct cs_fold_run request = {
        .model = run->which->scenario->model,
        .params = &run->params,
        .eager = run->machine->transport.eager,
        .monitor = cs_progress_line_begin(
            display, "simulating ranks that stand for all"),
    };
    int code =
        cs_fold_run(run->fold, &request, run->arena, &run->result, run->err);

    return cs_progress_line_end(display, code, run->err);
}

/* Where unequal blocks are in the way: the next smaller vector, of equal ones,
 * if that folds. */
static int suggest_size(struct cs_run *run, const char **why)
{
    uint64_t pieces = run->program.blocks / cs_program_parts(&run->program);
    struct cs_program even = run->program;
    const char *other;
    int code;

    even.elements -= even.elements % pieces;
    if (even.elements == run->program.elements || even.elements == 0)
        return 0;
    code = search_fold(run, &even, &other);
    if (!code && run->fold)
        *why = cs_arena_printf(
            run->arena,
            "its %llu blocks are unequal; with a multiple of %llu B, such as "
            "%llu B, they fold",
            (unsigned long long)pieces,
            (unsigned long long)pieces * even.element_bytes,
            (unsigned long long)even.elements * even.element_bytes);
    run->fold = NULL;
    return code;
}

/* Whether ranks alike are looked for; else why not, or "". */
static bool may_fold(const struct cs_run *run, const char **why)
{
    const struct cs_scenario *scenario = run->which->scenario;

    *why = "";
    if (scenario->model->is_compat)
        *why = "the model is another simulator's";
    if (scenario->per_rank)
        *why = "the time of every rank is asked for";
    if (run->change_count)
        *why = "faults at a time break what is alike";
    return **why == '\0' &&
           (scenario->fold == CS_FOLD_ON ||
            (scenario->fold == CS_FOLD_AUTO && is_worth_folding(run)));
}

/* A fold that ran is left in the stage; else there is none, and `why`. */
static int try_fold(struct cs_run *run, const char **why)
{
    int code;

    if (!may_fold(run, why))
        return 0;
    code = search_fold(run, &run->program, why);
    if (!code && run->fold) {
        code = run_fold(run);
        if (code <= 0)
            return code;
        *why = "messages or sums wait for each other, so that the order of "
               "events of equal time may matter";
    }
    run->fold = NULL;
    if (code == CS_FOLD_WAITED)
        return 0;
    return code < 0 ? code : suggest_size(run, why);
}

/* Folded where that can be; else, unless it was asked for, whole. */
static int simulate_execute(struct cs_run *run,
                            const struct cs_exec_watch *watch)
{
    struct cs_progress_line *display = run->which->display;
    const char *why = NULL;
    int code = watch ? 0 : try_fold(run, &why);

    if (code || run->fold)
        return code;
    if (run->which->scenario->fold == CS_FOLD_ON && why)
        return cs_err_set(run->err, CS_EINPUT, "%s cannot be folded: %s",
                          run->which->algo->name, why);
    if (display)
        display->note = why && *why
                            ? cs_arena_printf(run->arena, "not folded: %s", why)
                            : NULL;
    code = cs_run_expand(run);
    return code ? code
                : cs_run_execute(run, &run->program, watch, run->arena,
                                 &run->result);
}

static int run_concurrent(struct cs_run *run, const struct cs_exec_watch *watch)
{
    if (run->which->scenario->model->ignores_links)
        return cs_err_set(run->err, CS_EINPUT,
                          "--with needs a model with links, not %s",
                          run->which->scenario->model->name);
    run->fold = NULL;
    return cs_run_concurrent_jobs(run, watch);
}

static int run_noisy(struct cs_run *run, const struct cs_exec_watch *watch,
                     struct cs_record_spread *spread)
{
    if (run->which->scenario->fold == CS_FOLD_ON)
        return cs_err_set(run->err, CS_EINPUT,
                          "with jitter or stragglers no two ranks do the same; "
                          "leave --fold out");
    run->fold = NULL;
    return cs_run_repeat(run, watch, spread);
}

/* Alone, then with the other jobs, then with noise. */
static int execute_all(struct cs_run *run, const struct cs_exec_watch *watch,
                       struct cs_record *record)
{
    bool noisy = cs_run_is_noisy(run);
    bool concurrent = run->which->scenario->other_jobs.count > 0;
    int code = simulate_execute(run, noisy || concurrent ? NULL : watch);

    if (!code && concurrent)
        code = run_concurrent(run, noisy ? NULL : watch);
    if (!code && noisy)
        code = run_noisy(run, watch, &record->spread);
    if (!code && concurrent)
        code = cs_run_report_jobs(run, record);
    return code;
}

/* The links that carry something with the faults alone: the first, and how many
 * more. */
static const char *describe_detour(const struct cs_run *run,
                                   const struct cs_run *healthy)
{
    const char *first = "";
    uint32_t more = 0;
    uint32_t i;

    if (run->fold || healthy->fold)
        return "";
    for (i = 0; i < run->net.link_count; i++) {
        if (!run->result.use[i].messages || healthy->result.use[i].messages)
            continue;
        more += *first != '\0';
        first = *first ? first : cs_run_link_name(run, i);
    }
    return more ? cs_arena_printf(run->arena, "%s and %u more", first, more)
                : first;
}

static uint32_t rings_of(const struct cs_run *run)
{
    return run->call.rings ? run->call.rings->count : 0;
}

/* Each machine has the plan that suits it. */
static void note_plan(const struct cs_run *run, const struct cs_run *healthy)
{
    const struct cs_call *now = &run->call;
    const struct cs_call *then = &healthy->call;

    if (run->which->notes &&
        (now->channels != then->channels || now->chunks != then->chunks ||
         rings_of(run) != rings_of(healthy)))
        cs_text_printf(run->which->notes,
                       "planned for the machine with its faults: %u channels, "
                       "%u chunks; without them %u and %u\n",
                       now->channels, now->chunks, then->channels,
                       then->chunks);
}

/* Faults at a time that slow a link, in models that settle at the start of a
 * message how long it takes. */
static void note_rates(const struct cs_run *run)
{
    const struct cs_faults *faults = &run->which->scenario->faults;
    const struct cs_link_model *model = run->which->scenario->model;
    uint32_t i = 0;

    if (!run->which->notes || !model->queues_messages)
        return;
    while (i < faults->count &&
           (faults->item[i].at_ps == 0 || !(faults->item[i].rate > 0) ||
            faults->item[i].rate >= 1))
        i++;
    if (i < faults->count)
        cs_text_printf(run->which->notes,
                       "in model %s a message that a link has begun keeps its "
                       "rate; fluid and packet change it\n",
                       model->name);
}

/* What it takes on the machine without its faults, all else being the same; the
 * bound of that machine holds while faults come and go, that of one moment does
 * not. */
static int run_healthy(const struct cs_run *run, struct cs_record *record)
{
    struct cs_arena arena = {0};
    struct cs_case which = *run->which;
    struct cs_run healthy = {
        .which = &which, .arena = &arena, .err = run->err, .healthy = true};
    struct cs_record of = {0};
    int code;

    which.notes = NULL; /* told already */
    code = cs_run_open(&healthy);
    if (!code)
        code = execute_all(&healthy, NULL, &of);
    if (!code) {
        cs_run_collect(&healthy, &of);
        record->healthy_s = (double)of.time_ps * 1e-12;
        record->slowdown = (double)record->time_ps / (double)of.time_ps;
        record->healthy_bottleneck = cs_arena_text(run->arena, of.bottleneck);
        record->detour = describe_detour(run, &healthy);
        note_plan(run, &healthy);
        if (run->change_count) {
            record->lower_bound_s = of.lower_bound_s;
            record->bound = cs_arena_text(run->arena, of.bound);
        }
    }
    cs_arena_free(&arena);
    return code;
}

/* Faults that came when all was over. */
static void note_late_faults(const struct cs_run *run,
                             const struct cs_record_spread *spread)
{
    const struct cs_faults *faults = &run->which->scenario->faults;
    double ended_ps =
        (double)(run->ended_ps ? run->ended_ps : run->result.time_ps);
    char text[CS_UNITS_TEXT];
    uint32_t i;

    if (spread->runs > 1)
        ended_ps = spread->most * 1e12;
    for (i = 0; i < faults->count && run->which->notes; i++)
        if ((double)faults->item[i].at_ps > ended_ps)
            cs_text_printf(run->which->notes,
                           "fault %s has no effect: all was over at %s\n",
                           faults->item[i].text,
                           cs_units_show_seconds(text, ended_ps * 1e-12));
}

static void note_loggp(const struct cs_run *run)
{
    const struct cs_scenario *scenario = run->which->scenario;

    if (run->which->notes && scenario->model->ignores_links &&
        !scenario->peers.named)
        cs_text_printf(run->which->notes,
                       "model %s knows no wires, only the numbers of --loggp: "
                       "LogGOPSim's own, L=2500ns,o=1500ns,g=1000ns,G=6ns/B\n",
                       scenario->model->name);
}

/* What closed forms know nothing of. */
static void note_form(const struct cs_run *run, const struct cs_record *record)
{
    const struct cs_scenario *scenario = run->which->scenario;
    struct cs_text *notes = run->which->notes;
    uint64_t overhead_ps = cs_run_reducers(run).overhead_ps;
    double above_s = (double)record->time_ps * 1e-12 - record->closed_form_s;
    char text[CS_UNITS_TEXT];

    if (!notes || !(above_s > 1e-6 * record->closed_form_s) ||
        cs_run_is_noisy(run) || scenario->other_jobs.count ||
        scenario->faults.count)
        return;
    if (overhead_ps > 0)
        cs_text_printf(
            notes, "closed forms leave out the overhead of sums, %s each\n",
            cs_units_show_seconds(text, (double)overhead_ps * 1e-12));
    if (scenario->model->ignores_links)
        cs_text_printf(notes, "in closed forms ranks send while they receive; "
                              "in model loggp their processors take turns\n");
}

static int simulate_here(struct cs_run *run, const struct cs_exec_watch *watch,
                         struct cs_record *record)
{
    int code = simulate_prove(run, record);

    if (!code)
        code = execute_all(run, watch, record);
    if (!code)
        note_late_faults(run, &record->spread);
    if (!code)
        cs_run_collect(run, record);
    if (!code) {
        note_form(run, record);
        note_loggp(run);
    }
    if (!code && run->which->scenario->faults.count)
        code = run_healthy(run, record);
    if (!code)
        code = cs_record_check_bound(record, run->err);
    if (!code)
        note_rates(run);
    if (!code && run->fold)
        record->folding = describe_fold(run);
    return code;
}

uint64_t cs_case_count(const struct cs_scenario *scenario)
{
    uint64_t ranks = scenario->rank_count ? scenario->rank_count : 1;

    return ranks * scenario->size_count * scenario->algo_count;
}

struct cs_case cs_case_of(const struct cs_scenario *scenario, uint64_t i)
{
    uint64_t rest = i / scenario->algo_count;

    return (struct cs_case){
        .scenario = scenario,
        .algo = scenario->algos[i % scenario->algo_count],
        .bytes = scenario->sizes[rest % scenario->size_count],
        .ranks = scenario->rank_count
                     ? scenario->ranks[rest / scenario->size_count]
                     : 0,
    };
}

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

int cs_simulate(const struct cs_case *which, struct cs_arena *arena,
                struct cs_record *record, struct cs_err *err)
{
    struct cs_run run = {.which = which,
                         .arena = arena,
                         .err = err,
                         .replicas_from =
                             cs_scenario_replicas_from(which->scenario)};
    struct cs_exec_watch watch;
    int code = cs_run_open(&run);

    if (code)
        return code;
    cs_unused_routes_note(&run);
    cs_run_describe(&run, record);
    code = request_known(&run, record);
    if (code)
        return code;
    if (!which->memory)
        return simulate_here(&run, NULL, record);
    watch = (struct cs_exec_watch){.held = cs_memory_curve_held,
                                   .ctx = which->memory};
    cs_memory_curve_open(which->memory, run.all_ranks, arena);
    code = simulate_here(&run, &watch, record);
    cs_memory_curve_close(which->memory, run.result.time_ps);
    return code;
}

int cs_simulate_run(struct cs_run *run, struct cs_record_spread *spread)
{
    int code =
        cs_run_execute(run, &run->program, NULL, run->arena, &run->result);

    *spread = (struct cs_record_spread){0};
    if (!code && cs_run_is_noisy(run))
        code = cs_run_repeat(run, NULL, spread);
    return code;
}

int cs_simulate_steps(const struct cs_case *which, struct cs_arena *arena,
                      struct cs_record *record, struct cs_steps *steps,
                      struct cs_err *err)
{
    struct cs_run run = {.which = which, .arena = arena, .err = err};
    struct cs_exec_watch watch = {.delivered = cs_steps_delivered,
                                  .worked = cs_steps_worked,
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

int cs_simulate_export(const struct cs_case *which,
                       const struct cs_exporter *exporter,
                       struct cs_arena *arena, struct cs_text *out,
                       struct cs_err *err)
{
    struct cs_run run = {.which = which, .arena = arena, .err = err};
    struct cs_export what = {
        .algo = which->algo, .program = &run.program, .call = &run.call};
    struct cs_run_reducers reducers;
    int code = cs_run_open(&run);

    if (code)
        return code;
    reducers = cs_run_reducers(&run);
    what.reduce_ps_per_byte = reducers.s_per_byte * 1e12;
    what.reduce_overhead_ps = reducers.overhead_ps;
    return cs_export_write(exporter, &what, out, err);
}

int cs_simulate_proof(const struct cs_case *which, struct cs_arena *arena,
                      struct cs_proof *proof, uint32_t *ranks,
                      struct cs_err *err)
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
