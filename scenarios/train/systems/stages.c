/*
 * A model divided over devices layer by layer: mp, one micro batch at a time, and
 * pipeline, several at once.
 */
#include "scenarios/train/job/job.h"
#include "scenarios/train/memory/memory.h"
#include "scenarios/train/parallel/step.h"
#include "scenarios/train/systems/system.h"

#include <math.h>
#include <stdio.h>

enum {
    STAGES_SWEEP_MAX = 8 /* splits that a report lists */
};

/* Stages on all devices where no degree is given. */
static void arrange_pipeline(struct cs_train_job *job)
{
    if (job->degrees.tensor * job->degrees.context * job->degrees.pipeline > 1)
        return;
    job->degrees.pipeline = job->degrees.data;
    if (job->degrees.cuts && job->site->ranks % (job->degrees.cut_count + 1) == 0)
        job->degrees.pipeline = job->degrees.cut_count + 1;
    job->degrees.data = job->site->ranks / job->degrees.pipeline;
}

static void arrange_mp(struct cs_train_job *job)
{
    arrange_pipeline(job);
    job->degrees.schedule = CS_SCHEDULE_SERIAL;
}

static int check_stages(const struct cs_train_job *job, struct cs_err *err)
{
    int code = cs_train_job_check(job, err);

    if (!code && job->degrees.pipeline < 2)
        code =
            cs_err_set(err, CS_EINPUT,
                       "a layer split needs two stages or more; the job has %u rank%s and --pp 1",
                       job->site->ranks, job->site->ranks == 1 ? "" : "s");
    if (!code && job->degrees.schedule != CS_SCHEDULE_1F1B && job->degrees.chunks > 1)
        code = cs_err_set(
            err, CS_EINPUT,
            "interleaving is an order of 1F1B; %u chunks of a stage need --schedule 1f1b",
            job->degrees.chunks);
    return code;
}

static int check_mp(const struct cs_train_job *job, struct cs_err *err)
{
    if (job->degrees.schedule != CS_SCHEDULE_SERIAL)
        return cs_err_set(
            err, CS_EINPUT,
            "mp computes one micro batch at a time; take pipeline for other schedules");
    return check_stages(job, err);
}

static int time_mp(const struct cs_train_job *job, struct cs_train_step *step, struct cs_err *err)
{
    int code = cs_train_step_time(job, step, err);

    if (!code)
        cs_train_figure(step, "idle share of a device", CS_TRAIN_SHARE,
                        step->bubble_s / step->step_s);
    return code;
}

/* ---- the sweep of splits ---- */

struct split_sweep {
    uint32_t count, best; /* micro batches */
    double best_s;
    uint32_t splits[STAGES_SWEEP_MAX];
    double seconds[STAGES_SWEEP_MAX];
};

/* Whole micro batches only; keeps the last splits where there are many. */
static void sweep_add(const struct cs_train_job *job, uint32_t micro, struct split_sweep *sweep)
{
    struct cs_train_job other = *job;
    struct cs_train_step step;

    other.degrees.micro_batch = job->degrees.micro_batch * job->degrees.accumulation / micro;
    other.degrees.accumulation = micro;
    if (cs_train_step_time(&other, &step, NULL))
        return;
    if (!sweep->count || step.step_s < sweep->best_s) {
        sweep->best = micro;
        sweep->best_s = step.step_s;
    }
    if (sweep->count < STAGES_SWEEP_MAX) {
        sweep->splits[sweep->count] = micro;
        sweep->seconds[sweep->count++] = step.step_s;
    }
}

static void sweep_report(const struct cs_train_job *job, struct cs_train_step *step)
{
    uint32_t batch = (uint32_t)llround(job->degrees.micro_batch * job->degrees.accumulation);
    struct split_sweep sweep = {0};
    char name[CS_TRAIN_FIGURE_NAME];

    for (uint32_t micro = 1; micro <= batch; ++micro)
        if (batch % micro == 0)
            sweep_add(job, micro, &sweep);
    cs_train_figure(step, "m of the fastest split", CS_TRAIN_COUNT, sweep.best);
    cs_train_figure(step, "step of the fastest split", CS_TRAIN_SECONDS, sweep.best_s);
    for (uint32_t s = 0; s < sweep.count; ++s) {
        snprintf(name, sizeof(name), "step at m = %u", sweep.splits[s]);
        cs_train_figure(step, name, CS_TRAIN_SECONDS, sweep.seconds[s]);
    }
}

static int time_pipeline(const struct cs_train_job *job, struct cs_train_step *step,
                         struct cs_err *err)
{
    int code = cs_train_step_time(job, step, err);

    if (code)
        return code;
    cs_train_figure(step, "bubble", CS_TRAIN_SHARE, step->bubble_s / step->step_s);
    cs_train_figure(step, "micro batches in flight, stage 0", CS_TRAIN_COUNT,
                    cs_train_in_flight(job, 0));
    cs_train_figure(step, "micro batches in flight, last stage", CS_TRAIN_COUNT,
                    cs_train_in_flight(job, job->degrees.pipeline - 1));
    sweep_report(job, step);
    return 0;
}

const struct cs_train_system cs_train_system_mp = {
    .name = "mp",
    .about = "a layer split: one stage computes at a time",
    .formula = "m (sum of stages + sum of transfers) + optimizer",
    .arrange = arrange_mp,
    .check = check_mp,
    .time = time_mp,
};

const struct cs_train_system cs_train_system_pipeline = {
    .name = "pipeline",
    .about = "stages compute different micro batches: GPipe, 1F1B, interleaved",
    .formula = "sum t_i + (m - 1) max t_i + optimizer; equal stages (m + s - 1)(T/(sm) + o)",
    .arrange = arrange_pipeline,
    .check = check_stages,
    .time = time_pipeline,
};
