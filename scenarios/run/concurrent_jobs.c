#include "scenarios/run/concurrent_jobs.h"

#include "scenarios/run/case/finish.h"
#include "scenarios/run/case/prove.h"
#include "scenarios/run/fold/execute.h"
#include "scenarios/run/open.h"
#include "scenarios/run/record/record.h"
#include "sim/base/units.h"
#include "sim/program/combine.h"

/* A job beside the main one. */
struct other_job {
    struct cs_call call; /* zeroed: the algorithm chooses */
    struct cs_case which;
    struct cs_run run;
};

/* The ranks of a job as a separate machine, for the choice of the default
 * algorithm. */
static struct cs_graph jobs_graph(const struct cs_run *main_run, uint32_t first, uint32_t ranks)
{
    struct cs_graph graph = main_run->machine->graph;
    uint32_t *devices;

    if (ranks == main_run->all_ranks)
        return graph;
    devices = cs_arena_alloc(main_run->arena, ranks, sizeof(*devices));
    for (uint32_t i = 0; i < ranks; i++)
        devices[i] = main_run->all_net.parties[first + i].node;
    graph.rank_device = devices;
    graph.rank_count = ranks;
    return graph;
}

/* The case of a job: the scenario of the main job with another collective. */
static int jobs_case(const struct cs_run *main_run, const struct cs_other_job *requested,
                     struct other_job *other_job)
{
    struct cs_err *err = main_run->err;
    struct cs_err why = {0};
    const struct cs_algo **algo = cs_arena_alloc(main_run->arena, 1, sizeof(struct cs_algo *));
    uint32_t ranks = requested->count ? requested->count : main_run->call.ranks;
    const struct cs_collective *collective;
    struct cs_graph graph;
    int code = cs_collective_want(requested->collective, &collective, &why);

    if (code)
        return cs_err_set(err, code, "--with %.80s: %s", requested->text, why.text);
    if (requested->first + ranks > main_run->all_ranks)
        return cs_err_set(err, CS_EINPUT, "--with %.80s: the machine has %u ranks, 0 to %u",
                          requested->text, main_run->all_ranks, main_run->all_ranks - 1);
    graph = jobs_graph(main_run, requested->first, ranks);
    code = cs_algo_choose(requested->algo ? requested->algo : cs_default_algo(collective, &graph),
                          collective, algo, err);
    other_job->which = (struct cs_case){
        .scenario = main_run->which->scenario,
        .algo = *algo,
        .bytes = requested->bytes ? requested->bytes : main_run->which->bytes,
        .ranks = ranks,
        .call = &other_job->call,
    };
    return code;
}

static int check_job(const struct cs_run *main_run, const struct other_job *other_job)
{
    const struct cs_program *program = &other_job->run.program;
    struct cs_err *err = main_run->err;

    if (program->agents)
        return cs_err_set(err, CS_EINPUT,
                          "--with: %s requires parameter servers, which only the main job can have",
                          other_job->which.algo->name);
    return 0;
}

static const uint32_t *jobs_slots(const struct cs_run *main_run, uint32_t first, uint32_t count)
{
    uint32_t *slot = cs_arena_alloc(main_run->arena, count, sizeof(*slot));

    for (uint32_t i = 0; i < count; i++)
        slot[i] = first + i;
    return slot;
}

/* The job's program is planned for the healthy machine; the job runs on the
 * machine of the main job. */
static int open_job(const struct cs_run *main_run, const struct cs_other_job *requested,
                    struct other_job *other_job, struct cs_job *job)
{
    int code = jobs_case(main_run, requested, other_job);

    if (code)
        return code;
    other_job->run = (struct cs_run){.which = &other_job->which,
                                     .arena = main_run->arena,
                                     .err = main_run->err,
                                     .main = main_run,
                                     .first = requested->first,
                                     .healthy = true};
    code = cs_run_open(&other_job->run);
    if (code == CS_SIMULATE_REFUSED)
        code = CS_EINPUT;
    if (!code)
        code = check_job(main_run, other_job);
    if (!code)
        code = cs_run_prove_job(&other_job->run, main_run);
    *job = (struct cs_job){
        .program = &other_job->run.program,
        .slot = jobs_slots(main_run, requested->first, other_job->which.ranks),
        .start_ps = requested->start_ps,
        .repeats = requested->repeats,
    };
    return code;
}

/* The jobs that run at once. */
struct cs_concurrent {
    struct cs_job jobs[CS_OTHER_JOBS_MAX + 1];
    struct other_job *other_jobs;
    uint32_t count;
    struct cs_program program;   /* of all jobs */
    struct cs_exec_result alone; /* of the first, without noise */
};

const struct cs_program *cs_concurrent_jobs_program(const struct cs_run *run)
{
    return run->concurrent ? &run->concurrent->program : &run->program;
}

/* Parties of the network that the jobs share. */
static struct cs_combine_parties jobs_parties(const struct cs_run *run)
{
    return (struct cs_combine_parties){run->all_ranks, run->program.agents};
}

/* From the start of the job to the end of its last lane. */
static uint64_t took_ps(const struct cs_exec_result *result, const struct cs_concurrent *concurrent,
                        uint32_t number)
{
    const struct cs_job *job = &concurrent->jobs[number];
    uint32_t from = cs_combine_lane(concurrent->jobs, number);
    uint64_t done_ps = job->start_ps;

    for (uint32_t rank = 0; rank < cs_program_parties(job->program); rank++)
        for (uint32_t lane = from; lane < from + job->program->lanes; lane++) {
            size_t party = job->slot ? job->slot[rank] : rank;
            uint64_t at_ps = result->lane_done_ps[party * concurrent->program.lanes + lane];

            if (at_ps > done_ps)
                done_ps = at_ps;
        }
    return done_ps - job->start_ps;
}

/* A job without operations: a cs_program function. */
static uint64_t no_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    (void)ctx;
    return 0;
}

/* The time of a job while the others are idle, with the same start and noise:
 * noise is drawn by lane and channel, so the program keeps the lanes of idle jobs. */
static int run_alone(const struct cs_run *run, uint32_t number, uint64_t *alone_ps)
{
    const struct cs_concurrent *concurrent = run->concurrent;
    struct cs_job jobs[CS_OTHER_JOBS_MAX + 1];
    struct cs_program unused[CS_OTHER_JOBS_MAX + 1];
    struct cs_exec_result result;
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_program program;
    int code;

    for (uint32_t i = 0; i < concurrent->count; i++) {
        jobs[i] = concurrent->jobs[i];
        if (i == number)
            continue;
        unused[i] = *jobs[i].program;
        unused[i].rounds = no_rounds;
        jobs[i].program = &unused[i];
    }
    program = cs_combine(jobs_parties(run), jobs, concurrent->count, &arena);
    code = cs_run_execute(run, &program, NULL, &arena, &result);
    if (!code)
        *alone_ps = took_ps(&result, concurrent, number);
    return code;
}

static const char *jobs_name_of(const struct cs_run *run, struct cs_arena *arena)
{
    return cs_arena_printf(arena, "%s %s of %s", run->which->algo->name,
                           run->which->algo->collective->name,
                           cs_show_bytes(run->call.elements * run->call.element_bytes).text);
}

static int open_jobs(struct cs_run *run, struct cs_concurrent *concurrent)
{
    const struct cs_other_jobs *requested = &run->which->scenario->other_jobs;
    int code = 0;

    concurrent->other_jobs =
        cs_arena_alloc(run->arena, requested->count, sizeof(*concurrent->other_jobs));
    concurrent->jobs[0] = (struct cs_job){&run->program, run->slots, 0, 1};
    concurrent->count = requested->count + 1;
    for (uint32_t i = 0; i < requested->count && !code; i++)
        code = open_job(run, &requested->item[i], &concurrent->other_jobs[i],
                        &concurrent->jobs[i + 1]);
    return code;
}

int cs_concurrent_jobs_run(struct cs_run *run, const struct cs_exec_watch *watch)
{
    struct cs_concurrent *concurrent = cs_arena_alloc(run->arena, 1, sizeof(*concurrent));
    int code = open_jobs(run, concurrent);

    if (code)
        return code;
    cs_note_queued_jobs(run);
    concurrent->alone = run->result;
    concurrent->program =
        cs_combine(jobs_parties(run), concurrent->jobs, concurrent->count, run->arena);
    run->concurrent = concurrent;
    return cs_run_execute(run, &concurrent->program, watch, run->arena, &run->result);
}

static int report_job(const struct cs_run *run, uint32_t number, struct cs_record_job *reported)
{
    const struct cs_concurrent *concurrent = run->concurrent;

    *reported = (struct cs_record_job){
        .name = jobs_name_of(number ? &concurrent->other_jobs[number - 1].run : run, run->arena),
        .start_ps = concurrent->jobs[number].start_ps,
        .took_ps = took_ps(&run->result, concurrent, number),
        .alone_ps = concurrent->alone.time_ps,
    };
    return number || run->noise ? run_alone(run, number, &reported->alone_ps) : 0;
}

int cs_concurrent_jobs_report(struct cs_run *run, struct cs_record *record)
{
    const struct cs_concurrent *concurrent = run->concurrent;
    struct cs_record_job *jobs = cs_arena_alloc(run->arena, concurrent->count, sizeof(*jobs));
    int code = 0;

    for (uint32_t i = 0; i < concurrent->count && !code; i++) {
        code = report_job(run, i, &jobs[i]);
        if (jobs[i].start_ps + jobs[i].took_ps > run->ended_ps)
            run->ended_ps = jobs[i].start_ps + jobs[i].took_ps;
    }
    record->jobs = jobs;
    record->job_count = concurrent->count;
    run->result.messages = concurrent->alone.messages;
    run->result.bytes_sent = concurrent->alone.bytes_sent;
    run->result.bytes_sent_max = concurrent->alone.bytes_sent_max;
    return code;
}
