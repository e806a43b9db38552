#include "scenarios/simulate.h"
#include "scenarios/stage.h"
#include "sim/base/units.h"
#include "sim/combine.h"

/* One of the other jobs. */
struct companion {
    struct cs_scenario scenario;
    struct cs_point point;
    struct cs_stage stage;
    uint64_t alone_ps;
};

/* The scenario of a job: the machine's, with a collective of its own. */
static int make_scenario(const struct cs_stage *main_stage,
                         const struct cs_companion *asked,
                         struct companion *companion)
{
    struct cs_err *err = main_stage->err;
    struct cs_scenario *scenario = &companion->scenario;
    const struct cs_algo **algo =
        cs_arena_alloc(main_stage->arena, 1, sizeof(struct cs_algo *));
    int code;

    *scenario = *main_stage->point->scenario;
    scenario->call = (struct cs_call){0};
    scenario->collective = cs_collective_find(asked->collective);
    if (!scenario->collective)
        return cs_err_set(
            err, CS_EINPUT,
            "--with %.80s: no collective called '%.40s'; 'collsim "
            "list collectives' shows them",
            asked->text, asked->collective);
    code = cs_algo_choose(asked->algo
                              ? asked->algo
                              : cs_scenario_usual_algo(scenario->collective),
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
    if (program->handshake != main_stage->program.handshake)
        return cs_err_set(err, CS_EINPUT,
                          "--with: of %s and %s one waits for its receivers "
                          "and one does not; they cannot run together",
                          main_stage->point->algo->name,
                          companion->point.algo->name);
    return 0;
}

static const uint32_t *seats(const struct cs_stage *main_stage, uint32_t first,
                             uint32_t count)
{
    uint32_t *seat = cs_arena_alloc(main_stage->arena, count, sizeof(*seat));
    uint32_t i;

    for (i = 0; i < count; i++)
        seat[i] = first + i;
    return seat;
}

/* What it does is chosen as if nothing were broken; it runs on what the first
 * job has. */
static int open_job(const struct cs_stage *main_stage,
                    const struct cs_companion *asked,
                    struct companion *companion, struct cs_job *job)
{
    struct cs_proof_options options = {.seed =
                                           main_stage->point->scenario->seed};
    struct cs_proof proof;
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
    if (!code && !main_stage->point->scenario->unproven)
        code = cs_proof_run(&companion->stage.program, &options, &proof,
                            main_stage->err);
    *job = (struct cs_job){
        .program = &companion->stage.program,
        .seat = seats(main_stage, asked->first, companion->point.ranks),
        .start_ps = asked->start_ps,
        .repeats = asked->repeats,
    };
    return code;
}

static int run(const struct cs_stage *stage, const struct cs_program *program,
               const struct cs_exec_watch *watch, struct cs_exec_result *result)
{
    struct cs_live *live = stage->point->live;
    struct cs_exec_ask ask = {.program = program,
                              .net = &stage->net,
                              .model = stage->point->scenario->model,
                              .watch = watch,
                              .changes = stage->changes,
                              .change_count = stage->change_count,
                              .failover_ps =
                                  stage->point->scenario->faults.failover_ps};

    ask.pulse = cs_live_begin(live, "simulating");
    return cs_live_end(
        live, cs_exec_run_watched(&ask, stage->arena, result, stage->err),
        stage->err);
}

/* The idle machine: nobody takes part in the first job. */
static uint64_t no_rounds(const void *ctx, uint32_t rank, uint32_t lane)
{
    (void)ctx;
    (void)rank;
    (void)lane;
    return 0;
}

/* What the job takes for itself, from time 0 on. */
static int run_alone(const struct cs_stage *stage, struct cs_job job,
                     uint64_t *took_ps)
{
    struct cs_program idle = stage->program;
    struct cs_job jobs[2] = {{&idle, NULL, 0, 1}, job};
    struct cs_exec_result result;
    struct cs_program program;
    int code;

    idle.rounds = no_rounds;
    jobs[1].start_ps = 0;
    program = cs_combine(jobs, 2, stage->arena);
    program.main_lanes = 0;
    code = run(stage, &program, NULL, &result);
    *took_ps = result.time_ps;
    return code;
}

/* When the last lane of a job was done. */
static uint64_t job_done_ps(const struct cs_exec_result *result,
                            const struct cs_program *program,
                            const struct cs_job *jobs, uint32_t number)
{
    uint32_t from = cs_combine_lane(jobs, number);
    uint32_t to = from + jobs[number].program->lanes;
    uint64_t done_ps = 0;
    uint32_t party;
    uint32_t lane;

    for (party = 0; party < cs_program_parties(program); party++)
        for (lane = from; lane < to; lane++) {
            uint64_t at_ps =
                result->lane_done_ps[(size_t)party * program->lanes + lane];

            if (at_ps > done_ps)
                done_ps = at_ps;
        }
    return done_ps;
}

static const char *name_of(const struct cs_stage *stage, struct cs_arena *arena)
{
    char size[CS_UNITS_TEXT];

    return cs_arena_printf(
        arena, "%s %s of %s", stage->point->algo->name,
        stage->point->algo->collective->name,
        cs_units_show_bytes(size,
                            stage->call.elements * stage->call.element_bytes));
}

/* Everything that runs at once. */
struct together {
    struct cs_job jobs[CS_COMPANIONS_MAX + 1];
    struct companion *companions;
    uint32_t count;
};

static int open_jobs(struct cs_stage *stage, struct together *together)
{
    const struct cs_companions *asked = &stage->point->scenario->companions;
    uint32_t i;
    int code = 0;

    together->companions = cs_arena_alloc(stage->arena, asked->count,
                                          sizeof(*together->companions));
    together->jobs[0] = (struct cs_job){&stage->program, NULL, 0, 1};
    together->count = asked->count + 1;
    for (i = 0; i < asked->count && !code; i++) {
        struct companion *companion = &together->companions[i];

        code =
            open_job(stage, &asked->item[i], companion, &together->jobs[i + 1]);
        if (!code)
            code =
                run_alone(stage, together->jobs[i + 1], &companion->alone_ps);
    }
    return code;
}

static void record_jobs(const struct cs_stage *stage,
                        const struct together *together,
                        const struct cs_program *program, uint64_t alone_ps,
                        struct cs_record *record)
{
    struct cs_record_job *jobs =
        cs_arena_alloc(stage->arena, together->count, sizeof(*jobs));
    uint32_t i;

    for (i = 0; i < together->count; i++) {
        const struct companion *companion = &together->companions[i - 1];
        uint64_t done_ps =
            job_done_ps(&stage->result, program, together->jobs, i);

        jobs[i] = (struct cs_record_job){
            .name = name_of(i ? &companion->stage : stage, stage->arena),
            .start_ps = together->jobs[i].start_ps,
            .took_ps = done_ps - together->jobs[i].start_ps,
            .alone_ps = i ? companion->alone_ps : alone_ps,
        };
    }
    record->jobs = jobs;
    record->job_count = together->count;
}

int cs_stage_together(struct cs_stage *stage, const struct cs_exec_watch *watch,
                      struct cs_record *record)
{
    struct cs_exec_result alone = stage->result;
    struct together together = {0};
    struct cs_program program;
    int code = open_jobs(stage, &together);

    if (code)
        return code;
    program = cs_combine(together.jobs, together.count, stage->arena);
    code = run(stage, &program, watch, &stage->result);
    if (code)
        return code;
    record_jobs(stage, &together, &program, alone.time_ps, record);
    stage->result.messages = alone.messages;
    stage->result.bytes_sent = alone.bytes_sent;
    stage->result.bytes_sent_max = alone.bytes_sent_max;
    return 0;
}
