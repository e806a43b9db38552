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
bool cs_stage_proof_is_cheap(const struct cs_stage *stage, uint64_t *visits)
{
    const struct cs_scenario *scenario = stage->point->scenario;
    const struct cs_proof_options options = {.seed = scenario->seed};
    struct cs_proof_work work = cs_proof_estimate(&stage->program, &options);
    uint64_t runs = scenario->jitter.runs ? scenario->jitter.runs : 1;
    uint64_t weight = scenario->model->has_packets              ? 10
                      : cs_same(scenario->model->name, "fluid") ? 3
                                                                : 1;

    *visits = work.visits;
    return work.visits <= PROOF_VISITS ||
           (double)work.visits <= (double)work.ops * (double)(weight * runs) *
                                      CS_PROOF_OP_VISITS * 0.4;
}

void cs_stage_note_unproven(const struct cs_stage *stage, const char *what,
                            uint64_t visits)
{
    if (!stage->point->notes)
        return;
    cs_text_printf(stage->point->notes,
                   "the proof of %s is skipped: it takes about %.0f million "
                   "visits of chunks, and the limit beside a run is %.0f "
                   "million; collsim check proves it\n",
                   what, (double)visits / 1e6, (double)PROOF_VISITS / 1e6);
}

static int simulate_prove(struct cs_stage *stage, struct cs_record *record)
{
    const struct cs_scenario *scenario = stage->point->scenario;
    struct cs_live *live = stage->point->live;
    struct cs_proof_options options = {.seed = scenario->seed};
    uint64_t visits;
    int code;

    if (scenario->unproven)
        return 0;
    if (!cs_stage_proof_is_cheap(stage, &visits)) {
        record->verified = CS_VERIFIED_LEFT_OUT;
        cs_stage_note_unproven(stage, stage->point->algo->name, visits);
        return 0;
    }
    options.pulse = cs_live_begin(live, "proving");
    code = cs_proof_run(&stage->program, &options, &stage->proof, stage->err);
    code = cs_live_end(live, code, stage->err);
    if (stage->proof.one_order && stage->point->notes)
        cs_text_printf(stage->point->notes,
                       "%s is proved in one order of its lanes, which are too "
                       "many for a proof of all orders\n",
                       stage->point->algo->name);
    record->verified =
        stage->proof.nothing_owed ? CS_VERIFIED_MATCHED : CS_VERIFIED_PROVED;
    record->has_reduce_scatter = stage->proof.has_reduce_scatter;
    record->redundant_bytes_after_reduce_scatter =
        stage->proof.redundant_after_scatter_bytes;
    record->redundant_bytes = stage->proof.redundant_bytes;
    return code;
}

/* ---- folding ---- */

enum {
    FOLD_FROM = 1 << 22 /* rounds of all ranks; below them it gains nothing */
};

static bool is_worth_folding(const struct cs_stage *stage)
{
    const struct cs_program *program = &stage->program;

    return program->rounds(program->ctx, 0, 0) >= FOLD_FROM / program->ranks;
}

/* Why the answer stands for all ranks, for people. */
static const char *describe_fold(const struct cs_stage *stage)
{
    const struct cs_fold *fold = stage->fold;
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
    kept = cs_arena_text(stage->arena, cs_text_str(&text));
    cs_text_free(&text);
    return kept;
}

static int search_fold(struct cs_stage *stage, const struct cs_program *program,
                       const char **why)
{
    struct cs_live *live = stage->point->live;
    const struct cs_fold_ask ask = {
        .program = program,
        .net = &stage->net,
        .seed = stage->point->scenario->seed,
        .pulse = cs_live_begin(live, "looking for ranks that do the same"),
    };
    int code = cs_fold_find(&ask, stage->arena, &stage->fold, why, stage->err);

    return cs_live_end(live, code, stage->err);
}

static int run_fold(struct cs_stage *stage)
{
    struct cs_live *live = stage->point->live;
    const struct cs_fold_run run = {
        .model = stage->point->scenario->model,
        .pulse = cs_live_begin(live, "simulating ranks that stand for all"),
    };
    int code = cs_fold_run(stage->fold, &run, stage->arena, &stage->result,
                           stage->err);

    return cs_live_end(live, code, stage->err);
}

/* Where unequal blocks are in the way: the next smaller vector, of equal ones,
 * if that folds. */
static int suggest_size(struct cs_stage *stage, const char **why)
{
    uint64_t pieces = stage->program.blocks / cs_program_parts(&stage->program);
    struct cs_program even = stage->program;
    const char *other;
    int code;

    even.elements -= even.elements % pieces;
    if (even.elements == stage->program.elements || even.elements == 0)
        return 0;
    code = search_fold(stage, &even, &other);
    if (!code && stage->fold)
        *why = cs_arena_printf(
            stage->arena,
            "its %llu blocks are unequal; with a multiple of %llu B, such as "
            "%llu B, they fold",
            (unsigned long long)pieces,
            (unsigned long long)pieces * even.element_bytes,
            (unsigned long long)even.elements * even.element_bytes);
    stage->fold = NULL;
    return code;
}

/* Whether ranks alike are looked for; else why not, or "". */
static bool may_fold(const struct cs_stage *stage, const char **why)
{
    const struct cs_scenario *scenario = stage->point->scenario;

    *why = "";
    if (scenario->model->is_peer)
        *why = "the model is another simulator's";
    if (scenario->per_rank)
        *why = "the time of every rank is asked for";
    if (stage->change_count)
        *why = "faults at a time break what is alike";
    return **why == '\0' &&
           (scenario->fold == CS_FOLD_ON ||
            (scenario->fold == CS_FOLD_AUTO && is_worth_folding(stage)));
}

enum {
    BRIEF_FROM = 1 << 16 /* ranks; below them all has room */
};

/* From how many ranks on the machine need not be told in full: it will likely
 * be folded, and nothing else looks at its parts. */
static uint32_t brief_from(const struct cs_point *point)
{
    const struct cs_scenario *scenario = point->scenario;

    if (scenario->fold == CS_FOLD_OFF || point->memory || scenario->per_rank ||
        scenario->transport || scenario->faults.count ||
        scenario->jitter.text || scenario->companions.count ||
        scenario->model->is_flat || scenario->model->is_peer ||
        scenario->placement != CS_PLACE_PACKED || scenario->ring_order)
        return 0;
    return scenario->fold == CS_FOLD_ON ? 1 : BRIEF_FROM;
}

/* A fold that ran is left in the stage; else there is none, and `why`. */
static int try_fold(struct cs_stage *stage, const char **why)
{
    int code;

    if (!may_fold(stage, why))
        return 0;
    code = search_fold(stage, &stage->program, why);
    if (!code && stage->fold) {
        code = run_fold(stage);
        if (code <= 0)
            return code;
        *why = "messages or sums wait for each other, so that the order of "
               "events of equal time may matter";
    }
    stage->fold = NULL;
    if (code == CS_FOLD_WAITED)
        return 0;
    return code < 0 ? code : suggest_size(stage, why);
}

/* Folded where that can be; else, unless it was asked for, whole. */
static int simulate_execute(struct cs_stage *stage,
                            const struct cs_exec_watch *watch)
{
    struct cs_live *live = stage->point->live;
    const char *why = NULL;
    int code = watch ? 0 : try_fold(stage, &why);

    if (code || stage->fold)
        return code;
    if (stage->point->scenario->fold == CS_FOLD_ON && why)
        return cs_err_set(stage->err, CS_EINPUT, "%s cannot be folded: %s",
                          stage->point->algo->name, why);
    if (live)
        live->remark =
            why && *why ? cs_arena_printf(stage->arena, "not folded: %s", why)
                        : NULL;
    code = cs_stage_expand(stage);
    return code ? code
                : cs_stage_execute(stage, &stage->program, watch, stage->arena,
                                   &stage->result);
}

static int run_together(struct cs_stage *stage,
                        const struct cs_exec_watch *watch)
{
    if (stage->point->scenario->model->is_flat)
        return cs_err_set(stage->err, CS_EINPUT,
                          "--with needs a model with links, not %s",
                          stage->point->scenario->model->name);
    stage->fold = NULL;
    return cs_stage_together(stage, watch);
}

static int run_noisy(struct cs_stage *stage, const struct cs_exec_watch *watch,
                     struct cs_record_spread *spread)
{
    if (stage->point->scenario->fold == CS_FOLD_ON)
        return cs_err_set(stage->err, CS_EINPUT,
                          "with jitter or stragglers no two ranks do the same; "
                          "leave --fold out");
    stage->fold = NULL;
    return cs_stage_repeat(stage, watch, spread);
}

/* Alone, then with the other jobs, then with noise. */
static int execute_all(struct cs_stage *stage,
                       const struct cs_exec_watch *watch,
                       struct cs_record *record)
{
    bool noisy = cs_stage_is_noisy(stage);
    bool together = stage->point->scenario->companions.count > 0;
    int code = simulate_execute(stage, noisy || together ? NULL : watch);

    if (!code && together)
        code = run_together(stage, noisy ? NULL : watch);
    if (!code && noisy)
        code = run_noisy(stage, watch, &record->spread);
    if (!code && together)
        code = cs_stage_tell_jobs(stage, record);
    return code;
}

/* The links that carry something with the faults alone: the first, and how many
 * more. */
static const char *describe_detour(const struct cs_stage *stage,
                                   const struct cs_stage *healthy)
{
    const char *first = "";
    uint32_t more = 0;
    uint32_t i;

    if (stage->fold || healthy->fold)
        return "";
    for (i = 0; i < stage->net.link_count; i++) {
        if (!stage->result.use[i].messages || healthy->result.use[i].messages)
            continue;
        more += *first != '\0';
        first = *first ? first : cs_stage_link_name(stage, i);
    }
    return more ? cs_arena_printf(stage->arena, "%s and %u more", first, more)
                : first;
}

static uint32_t rings_of(const struct cs_stage *stage)
{
    return stage->call.rings ? stage->call.rings->count : 0;
}

/* Each machine has the plan that suits it. */
static void note_plan(const struct cs_stage *stage,
                      const struct cs_stage *healthy)
{
    const struct cs_call *now = &stage->call;
    const struct cs_call *then = &healthy->call;

    if (stage->point->notes &&
        (now->channels != then->channels || now->chunks != then->chunks ||
         rings_of(stage) != rings_of(healthy)))
        cs_text_printf(stage->point->notes,
                       "planned for the machine with its faults: %u channels, "
                       "%u chunks; without them %u and %u\n",
                       now->channels, now->chunks, then->channels,
                       then->chunks);
}

/* Faults at a time that slow a link, in models that settle at the start of a
 * message how long it takes. */
static void note_rates(const struct cs_stage *stage)
{
    const struct cs_faults *faults = &stage->point->scenario->faults;
    const char *model = stage->point->scenario->model->name;
    uint32_t i = 0;

    if (!stage->point->notes ||
        (!cs_same(model, "fifo") && !cs_same(model, "postal")))
        return;
    while (i < faults->count &&
           (faults->item[i].at_ps == 0 || !(faults->item[i].rate > 0) ||
            faults->item[i].rate >= 1))
        i++;
    if (i < faults->count)
        cs_text_printf(stage->point->notes,
                       "in model %s a message that a link has begun keeps its "
                       "rate; fluid and packet change it\n",
                       model);
}

/* What it takes on the machine without its faults, all else being the same; the
 * bound of that machine holds while faults come and go, that of one moment does
 * not. */
static int run_healthy(const struct cs_stage *stage, struct cs_record *record)
{
    struct cs_arena arena = {0};
    struct cs_point point = *stage->point;
    struct cs_stage healthy = {
        .point = &point, .arena = &arena, .err = stage->err, .healthy = true};
    struct cs_record of = {0};
    int code;

    point.notes = NULL; /* told already */
    code = cs_stage_open(&healthy);
    if (!code)
        code = execute_all(&healthy, NULL, &of);
    if (!code) {
        cs_stage_answer(&healthy, &of);
        record->healthy_s = (double)of.time_ps * 1e-12;
        record->slowdown = (double)record->time_ps / (double)of.time_ps;
        record->healthy_bottleneck = cs_arena_text(stage->arena, of.bottleneck);
        record->detour = describe_detour(stage, &healthy);
        note_plan(stage, &healthy);
        if (stage->change_count) {
            record->lower_bound_s = of.lower_bound_s;
            record->bound = cs_arena_text(stage->arena, of.bound);
        }
    }
    cs_arena_free(&arena);
    return code;
}

/* Faults that came when all was over. */
static void note_late_faults(const struct cs_stage *stage,
                             const struct cs_record_spread *spread)
{
    const struct cs_faults *faults = &stage->point->scenario->faults;
    double ended_ps =
        (double)(stage->ended_ps ? stage->ended_ps : stage->result.time_ps);
    char text[CS_UNITS_TEXT];
    uint32_t i;

    if (spread->runs > 1)
        ended_ps = spread->most * 1e12;
    for (i = 0; i < faults->count && stage->point->notes; i++)
        if ((double)faults->item[i].at_ps > ended_ps)
            cs_text_printf(stage->point->notes,
                           "fault %s has no effect: all was over at %s\n",
                           faults->item[i].text,
                           cs_units_show_seconds(text, ended_ps * 1e-12));
}

static void note_loggp(const struct cs_stage *stage)
{
    const struct cs_scenario *scenario = stage->point->scenario;

    if (stage->point->notes && scenario->model->is_flat &&
        !scenario->peers.named)
        cs_text_printf(stage->point->notes,
                       "model %s knows no wires, only the numbers of --loggp: "
                       "LogGOPSim's own, L=2500ns,o=1500ns,g=1000ns,G=6ns/B\n",
                       scenario->model->name);
}

/* What closed forms know nothing of. */
static void note_form(const struct cs_stage *stage,
                      const struct cs_record *record)
{
    const struct cs_scenario *scenario = stage->point->scenario;
    struct cs_text *notes = stage->point->notes;
    uint64_t overhead_ps = cs_stage_adders(stage).overhead_ps;
    double above_s = (double)record->time_ps * 1e-12 - record->closed_form_s;
    char text[CS_UNITS_TEXT];

    if (!notes || !(above_s > 1e-6 * record->closed_form_s) ||
        cs_stage_is_noisy(stage) || scenario->companions.count ||
        scenario->faults.count)
        return;
    if (overhead_ps > 0)
        cs_text_printf(
            notes, "closed forms leave out the overhead of sums, %s each\n",
            cs_units_show_seconds(text, (double)overhead_ps * 1e-12));
    if (scenario->model->is_flat)
        cs_text_printf(notes, "in closed forms ranks send while they receive; "
                              "in model loggp their processors take turns\n");
}

static int simulate_here(struct cs_stage *stage,
                         const struct cs_exec_watch *watch,
                         struct cs_record *record)
{
    int code = simulate_prove(stage, record);

    if (!code)
        code = execute_all(stage, watch, record);
    if (!code)
        note_late_faults(stage, &record->spread);
    if (!code)
        cs_stage_answer(stage, record);
    if (!code) {
        note_form(stage, record);
        note_loggp(stage);
    }
    if (!code && stage->point->scenario->faults.count)
        code = run_healthy(stage, record);
    if (!code)
        code = cs_record_check_bound(record, stage->err);
    if (!code)
        note_rates(stage);
    if (!code && stage->fold)
        record->folding = describe_fold(stage);
    return code;
}

uint64_t cs_point_count(const struct cs_scenario *scenario)
{
    uint64_t ranks = scenario->rank_count ? scenario->rank_count : 1;

    return ranks * scenario->size_count * scenario->algo_count;
}

struct cs_point cs_point_of(const struct cs_scenario *scenario, uint64_t i)
{
    uint64_t rest = i / scenario->algo_count;

    return (struct cs_point){
        .scenario = scenario,
        .algo = scenario->algos[i % scenario->algo_count],
        .bytes = scenario->sizes[rest % scenario->size_count],
        .ranks = scenario->rank_count
                     ? scenario->ranks[rest / scenario->size_count]
                     : 0,
    };
}

static int ask_known(const struct cs_stage *stage, struct cs_record *record)
{
    const struct cs_known *known = stage->point->known;
    bool is_known = false;
    int code;

    if (!known)
        return 0;
    record->fingerprint = cs_fingerprint_run(stage);
    code = known->look_up(known->ctx, record, &is_known, stage->err);
    return !code && is_known ? CS_SIMULATE_KNOWN : code;
}

int cs_simulate(const struct cs_point *point, struct cs_arena *arena,
                struct cs_record *record, struct cs_err *err)
{
    struct cs_stage stage = {.point = point,
                             .arena = arena,
                             .err = err,
                             .brief_from = brief_from(point)};
    struct cs_exec_watch watch;
    int code = cs_stage_open(&stage);

    if (code)
        return code;
    cs_idle_ways_note(&stage);
    cs_stage_question(&stage, record);
    code = ask_known(&stage, record);
    if (code)
        return code;
    if (!point->memory)
        return simulate_here(&stage, NULL, record);
    watch = (struct cs_exec_watch){.held = cs_memory_curve_held,
                                   .ctx = point->memory};
    cs_memory_curve_open(point->memory, stage.program.ranks, arena);
    code = simulate_here(&stage, &watch, record);
    cs_memory_curve_close(point->memory, stage.result.time_ps);
    return code;
}

int cs_simulate_stage(struct cs_stage *stage, struct cs_record_spread *spread)
{
    int code = cs_stage_execute(stage, &stage->program, NULL, stage->arena,
                                &stage->result);

    *spread = (struct cs_record_spread){0};
    if (!code && cs_stage_is_noisy(stage))
        code = cs_stage_repeat(stage, NULL, spread);
    return code;
}

int cs_simulate_steps(const struct cs_point *point, struct cs_arena *arena,
                      struct cs_record *record, struct cs_steps *steps,
                      struct cs_err *err)
{
    struct cs_stage stage = {.point = point, .arena = arena, .err = err};
    struct cs_exec_watch watch = {.delivered = cs_steps_delivered,
                                  .worked = cs_steps_worked,
                                  .ctx = steps};
    int code = cs_stage_open(&stage);

    if (code)
        return code;
    cs_stage_question(&stage, record);
    code = cs_steps_of(&stage.program, arena, steps, err);
    if (!code)
        code = simulate_here(&stage, &watch, record);
    if (!code)
        cs_steps_finish(steps, record->time_ps);
    return code;
}

int cs_simulate_export(const struct cs_point *point,
                       const struct cs_exporter *exporter,
                       struct cs_arena *arena, struct cs_text *out,
                       struct cs_err *err)
{
    struct cs_stage stage = {.point = point, .arena = arena, .err = err};
    struct cs_export what = {
        .algo = point->algo, .program = &stage.program, .call = &stage.call};
    struct cs_stage_adders adders;
    int code = cs_stage_open(&stage);

    if (code)
        return code;
    adders = cs_stage_adders(&stage);
    what.reduce_ps_per_byte = adders.s_per_byte * 1e12;
    what.reduce_overhead_ps = adders.overhead_ps;
    return cs_export_write(exporter, &what, out, err);
}

int cs_simulate_proof(const struct cs_point *point, struct cs_arena *arena,
                      struct cs_proof *proof, uint32_t *ranks,
                      struct cs_err *err)
{
    struct cs_proof_options options = {.seed = point->scenario->seed};
    struct cs_stage stage = {.point = point, .arena = arena, .err = err};
    int code = cs_stage_open(&stage);

    *ranks = stage.call.ranks;
    if (code)
        return code;
    options.pulse = cs_live_begin(point->live, "proving");
    code = cs_proof_run(&stage.program, &options, proof, err);
    return cs_live_end(point->live, code, err);
}
