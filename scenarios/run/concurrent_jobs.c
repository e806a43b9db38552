#include "scenarios/run/run.h"
#include "scenarios/run/simulate.h"
#include "sim/base/units.h"
#include "sim/program/combine.h"

/* One of the other jobs. */
struct companion {
    struct cs_scenario scenario;
    struct cs_point point;
    struct cs_stage stage;
};

/* The scenario of a job: the machine's, with a collective of its own. */
static int make_scenario(const struct cs_stage *main_stage,
                         const struct cs_companion *asked,
                         struct companion *companion)
{
    struct cs_err *err = main_stage->err;
    struct cs_err why = {0};
    struct cs_scenario *scenario = &companion->scenario;
    const struct cs_algo **algo =
        cs_arena_alloc(main_stage->arena, 1, sizeof(struct cs_algo *));
    int code;

    *scenario = *main_stage->point->scenario;
    scenario->call = (struct cs_call){0};
    code = cs_scenario_choose_collective(asked->collective, main_stage->arena,
                                         &scenario->collective, &why);
    if (code)
        return cs_err_set(err, code, "--with %.80s: %s", asked->text, why.text);
    code = cs_algo_choose(
        asked->algo
            ? asked->algo
            : cs_scenario_usual_algo(scenario->collective, &main_stage->graph),
        scenario->collective, algo, err);
    companion->point = (struct cs_point){
        .scenario = scenario,
        .algo = *algo,
        .bytes = asked->bytes ? asked->bytes : main_stage->point->bytes,
        .ranks = asked->count ? asked->count : main_stage->call.ranks,
    };
    if (!code && asked->first + companion->point.ranks > main_stage->call.ranks)
        code = cs_err_set(
            err, CS_EINPUT, "--with %.80s: there are %u ranks, 0 to %u",
            asked->text, main_stage->call.ranks, main_stage->call.ranks - 1);
    return code;
}

static int check_job(const struct cs_stage *main_stage,
                     const struct companion *companion)
{
    const struct cs_program *program = &companion->stage.program;
    struct cs_err *err = main_stage->err;

    if (program->agents)
        return cs_err_set(err, CS_EINPUT,
                          "--with: %s needs parameter servers, which another "
                          "job cannot have",
                          companion->point.algo->name);
    return 0;
}

static const uint32_t *jobs_seats(const struct cs_stage *main_stage,
                                  uint32_t first, uint32_t count)
{
    uint32_t *seat = cs_arena_alloc(main_stage->arena, count, sizeof(*seat));
    uint32_t i;

    for (i = 0; i < count; i++)
        seat[i] = first + i;
    return seat;
}

static int prove_job(const struct cs_stage *main_stage,
                     const struct companion *companion)
{
    const struct cs_scenario *scenario = main_stage->point->scenario;
    const struct cs_proof_options options = {.seed = scenario->seed};
    struct cs_proof proof;
    uint64_t visits;

    if (scenario->unproven)
        return 0;
    if (cs_stage_proof_is_cheap(&companion->stage, &visits))
        return cs_proof_run(&companion->stage.program, &options, &proof,
                            main_stage->err);
    cs_stage_note_unproven(main_stage, companion->point.algo->name, visits);
    return 0;
}

/* What it does is chosen as if nothing were broken; it runs on what the first
 * job has. */
static int open_job(const struct cs_stage *main_stage,
                    const struct cs_companion *asked,
                    struct companion *companion, struct cs_job *job)
{
    int code = make_scenario(main_stage, asked, companion);

    if (code)
        return code;
    companion->stage = (struct cs_stage){.point = &companion->point,
                                         .arena = main_stage->arena,
                                         .err = main_stage->err,
                                         .healthy = true};
    code = cs_stage_open(&companion->stage);
    if (code == CS_SIMULATE_REFUSED)
        code = CS_EINPUT;
    if (!code)
        code = check_job(main_stage, companion);
    if (!code)
        code = prove_job(main_stage, companion);
    *job = (struct cs_job){
        .program = &companion->stage.program,
        .seat = jobs_seats(main_stage, asked->first, companion->point.ranks),
        .start_ps = asked->start_ps,
        .repeats = asked->repeats,
    };
    return code;
}

/* Everything that runs at once. */
struct cs_together {
    struct cs_job jobs[CS_COMPANIONS_MAX + 1];
    struct companion *companions;
    uint32_t count;
    struct cs_program program;   /* of all jobs */
    struct cs_exec_result alone; /* of the first, without noise */
};

const struct cs_program *cs_stage_program(const struct cs_stage *stage)
{
    return stage->together ? &stage->together->program : &stage->program;
}

/* How long the job took: until the last of its lanes was done. */
static uint64_t took_ps(const struct cs_exec_result *result,
                        const struct cs_together *together, uint32_t number)
{
    const struct cs_job *job = &together->jobs[number];
    uint32_t from = cs_combine_lane(together->jobs, number);
    uint64_t done_ps = job->start_ps;
    uint32_t rank;
    uint32_t lane;

    for (rank = 0; rank < cs_program_parties(job->program); rank++)
        for (lane = from; lane < from + job->program->lanes; lane++) {
            size_t party = job->seat ? job->seat[rank] : rank;
            uint64_t at_ps =
                result->lane_done_ps[party * together->program.lanes + lane];

            if (at_ps > done_ps)
                done_ps = at_ps;
        }
    return done_ps - job->start_ps;
}

/* Nobody does anything for a job. */
static uint64_t no_rounds(const void *ctx, uint32_t rank, uint32_t lane)
{
    (void)ctx;
    (void)rank;
    (void)lane;
    return 0;
}

/* What the job takes while the others idle, at the same time and with the same
 * noise: lanes and channels, and so the draws, are those of all jobs. */
static int run_alone(const struct cs_stage *stage, uint32_t number,
                     uint64_t *alone_ps)
{
    const struct cs_together *together = stage->together;
    struct cs_job jobs[CS_COMPANIONS_MAX + 1];
    struct cs_program idle[CS_COMPANIONS_MAX + 1];
    struct cs_exec_result result;
    struct cs_arena arena = {0};
    struct cs_program program;
    uint32_t i;
    int code;

    for (i = 0; i < together->count; i++) {
        jobs[i] = together->jobs[i];
        if (i == number)
            continue;
        idle[i] = *jobs[i].program;
        idle[i].rounds = no_rounds;
        jobs[i].program = &idle[i];
    }
    program = cs_combine(jobs, together->count, &arena);
    code = cs_stage_execute(stage, &program, NULL, &arena, &result);
    if (!code)
        *alone_ps = took_ps(&result, together, number);
    cs_arena_free(&arena);
    return code;
}

static const char *jobs_name_of(const struct cs_stage *stage,
                                struct cs_arena *arena)
{
    char size[CS_UNITS_TEXT];

    return cs_arena_printf(
        arena, "%s %s of %s", stage->point->algo->name,
        stage->point->algo->collective->name,
        cs_units_show_bytes(size,
                            stage->call.elements * stage->call.element_bytes));
}

static int open_jobs(struct cs_stage *stage, struct cs_together *together)
{
    const struct cs_companions *asked = &stage->point->scenario->companions;
    uint32_t i;
    int code = 0;

    together->companions = cs_arena_alloc(stage->arena, asked->count,
                                          sizeof(*together->companions));
    together->jobs[0] = (struct cs_job){&stage->program, NULL, 0, 1};
    together->count = asked->count + 1;
    for (i = 0; i < asked->count && !code; i++)
        code = open_job(stage, &asked->item[i], &together->companions[i],
                        &together->jobs[i + 1]);
    return code;
}

/* Jobs that share links do so message by message. */
static void note_model(const struct cs_stage *stage)
{
    const char *model = stage->point->scenario->model->name;

    if (!stage->point->notes ||
        (!cs_same(model, "fifo") && !cs_same(model, "postal")))
        return;
    cs_text_printf(stage->point->notes,
                   "in model %s a message waits until the whole messages "
                   "before it are through, of other jobs too: with messages of "
                   "unequal size the job with the smaller ones looks many "
                   "times slower than it is; --model fluid or packet shares "
                   "links\n",
                   model);
}

int cs_stage_together(struct cs_stage *stage, const struct cs_exec_watch *watch)
{
    struct cs_together *together =
        cs_arena_alloc(stage->arena, 1, sizeof(*together));
    int code = open_jobs(stage, together);

    if (code)
        return code;
    note_model(stage);
    together->alone = stage->result;
    together->program =
        cs_combine(together->jobs, together->count, stage->arena);
    stage->together = together;
    return cs_stage_execute(stage, &together->program, watch, stage->arena,
                            &stage->result);
}

static int tell_job(const struct cs_stage *stage, uint32_t number,
                    struct cs_record_job *told)
{
    const struct cs_together *together = stage->together;

    *told = (struct cs_record_job){
        .name = jobs_name_of(number ? &together->companions[number - 1].stage
                                    : stage,
                             stage->arena),
        .start_ps = together->jobs[number].start_ps,
        .took_ps = took_ps(&stage->result, together, number),
        .alone_ps = together->alone.time_ps,
    };
    return number || stage->noise ? run_alone(stage, number, &told->alone_ps)
                                  : 0;
}

int cs_stage_tell_jobs(struct cs_stage *stage, struct cs_record *record)
{
    const struct cs_together *together = stage->together;
    struct cs_record_job *jobs =
        cs_arena_alloc(stage->arena, together->count, sizeof(*jobs));
    uint32_t i;
    int code = 0;

    for (i = 0; i < together->count && !code; i++) {
        code = tell_job(stage, i, &jobs[i]);
        if (jobs[i].start_ps + jobs[i].took_ps > stage->ended_ps)
            stage->ended_ps = jobs[i].start_ps + jobs[i].took_ps;
    }
    record->jobs = jobs;
    record->job_count = together->count;
    stage->result.messages = together->alone.messages;
    stage->result.bytes_sent = together->alone.bytes_sent;
    stage->result.bytes_sent_max = together->alone.bytes_sent_max;
    return code;
}
