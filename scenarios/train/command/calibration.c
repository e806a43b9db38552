#include "scenarios/train/command/calibration.h"

#include "sim/base/units.h"

#include <math.h>

/* ---- steps of a log ---- */

/* A step compiles, allocates and warms caches before it is one of many. */
enum {
    WARM_SHARE = 5, /* of the steps one in so many */
    WARM_MOST = 10,
};

/* Samples of a step, or tokens, where the log has a rate of these. */
static double rated_units(const struct cs_run_log *log, const struct cs_train_job *job)
{
    double batch = cs_train_batch(job);

    switch (log->quantity) {
    case CS_RUN_SAMPLES_PER_S:
        return batch;
    case CS_RUN_TOKENS_PER_S:
        return batch * job->model->transformer.sequence;
    case CS_RUN_DEVICE_TOKENS_PER_S:
        return batch * job->model->transformer.sequence / job->site->ranks;
    default:
        return 1;
    }
}

static int check_log(const struct cs_train_calibration *calibration, const struct cs_train_job *job,
                     struct cs_err *err)
{
    const struct cs_run_log *log = &calibration->log;
    double batch = cs_train_batch(job);

    if (!(rated_units(log, job) > 0))
        return cs_err_at(err, CS_EINPUT, calibration->file, log->line,
                         "a rate of tokens; %.40s has none", job->model->name);
    /* Logs round large numbers: 1.02K. */
    if (log->batch > 0 && fabs(log->batch / batch - 1) > .01)
        return cs_err_at(err, CS_EINPUT, calibration->file, log->batch_line,
                         "steps of %.0f samples, but the job has %.0f; add --global-batch %.0f",
                         log->batch, batch, log->batch);
    return 0;
}

static void fill_steps(struct cs_train_calibration *calibration, const struct cs_train_job *job,
                       struct cs_arena *arena)
{
    const struct cs_run_log *log = &calibration->log;
    double units = rated_units(log, job);
    double *steps = cs_arena_alloc(arena, log->count, sizeof(*steps));
    uint32_t warm = log->count / WARM_SHARE < WARM_MOST ? log->count / WARM_SHARE : WARM_MOST;
    uint32_t count;

    if (!warm && log->count > 1)
        warm = 1;
    count = log->count - warm;
    for (uint32_t i = 0; i < count; i++)
        steps[i] =
            log->quantity == CS_RUN_STEP_S ? log->values[warm + i] : units / log->values[warm + i];
    calibration->warm_up = warm;
    calibration->steps = cs_spread_of(steps, count);
    calibration->low_s = steps[count / 10];
    calibration->high_s = steps[count - 1 - count / 10];
}

/* ---- calibration ---- */

enum {
    CALIBRATION_MOST = 50, /* measured over predicted */
};

static int check_peak(const struct cs_train_calibration *calibration,
                      const struct cs_train_result *result, struct cs_err *err)
{
    const struct cs_train_job *job = &result->setup->job;
    double share = cs_train_flops_share(result) * result->step.step_s / calibration->steps.median;
    double times = calibration->steps.median / result->step.step_s;
    struct cs_shown step = cs_show_seconds(calibration->steps.median);

    if (times > CALIBRATION_MOST)
        return cs_err_at(err, CS_EINPUT, calibration->file, calibration->log.line,
                         "a step of %s is %.0f times as long as predicted; the batch of %.0f "
                         "samples, the model or the GPUs of the run were others",
                         step.text, times, cs_train_batch(job));
    if (share < 1)
        return 0;
    return cs_err_at(err, CS_EINPUT, calibration->file, calibration->log.line,
                     "a step of %s would be %.0f %% of the peak of %u %s in %s; the batch of %.0f "
                     "samples, the model, the precision or the GPUs of the run were others",
                     step.text, 100 * share, job->site->ranks, job->gpu->name,
                     cs_precision_names[job->precision], cs_train_batch(job));
}

static int calibrate_job(struct cs_train_calibration *calibration,
                         const struct cs_train_options *given, struct cs_err *err)
{
    struct cs_train_options finished = *given;
    struct cs_train_setup setup = {0};
    struct cs_train_result result = {.given = given, .setup = &setup};
    int code;

    cs_cluster_finish(&finished.scenario);
    code = cs_train_setup_on(&finished, NULL, &setup, err);
    if (!code && setup.system->searches)
        code = cs_err_set(err, CS_EINPUT,
                          "--log: --system %s searches; give the system and degrees that ran",
                          setup.system->name);
    if (!code)
        code = setup.system->time(&setup.job, &result.step, err);
    if (!code)
        code = check_log(calibration, &setup.job, err);
    if (code)
        return code;
    fill_steps(calibration, &setup.job, given->scenario.arena);
    calibration->predicted_s = result.step.step_s;
    code = check_peak(calibration, &result, err);
    if (!code)
        calibration->fit = cs_step_fit(setup.system, &setup.job, calibration->steps.median);
    return code;
}

int cs_train_calibrate(struct cs_train_options *given, struct cs_err *err)
{
    struct cs_arena *arena = given->scenario.arena;
    struct cs_train_calibration *calibration = cs_arena_alloc(arena, 1, sizeof(*calibration));
    int code = cs_run_log_read(given->log, arena, &calibration->log, err);

    calibration->file = given->log;
    if (!code)
        code = calibrate_job(calibration, given, err);
    if (code)
        return code == CS_ECANNOT ? (err->code = CS_EINPUT) : code;
    given->calibration = calibration;
    cs_step_fit_apply(&calibration->fit, &given->job);
    return 0;
}

void cs_train_calibrate_as(const struct cs_train_options *calibrated,
                           struct cs_train_options *given)
{
    given->calibration = calibrated->calibration;
    if (given->calibration)
        cs_step_fit_apply(&given->calibration->fit, &given->job);
}

double cs_train_interval(const struct cs_train_options *given)
{
    return given->calibration ? exp(cs_quantile_normal(.95) * CS_STEP_ROW_SPREAD)
                              : CS_STEP_INTERVAL;
}

/* ---- causes ---- */

static double passes_s(const struct cs_train_result *result, const struct cs_train_job *job)
{
    struct cs_train_step step;

    return result->setup->system->time(job, &step, NULL) ? (double)NAN
                                                         : step.forward_s + step.backward_s;
}

struct cs_train_causes cs_train_causes_of(const struct cs_train_result *result)
{
    const struct cs_train_job *job = &result->setup->job;
    struct cs_train_job changed = *job;
    struct cs_gpu_peak gpu = *job->gpu;
    double all_s = result->step.forward_s + result->step.backward_s;
    double device_s, products_s;
    struct cs_train_causes causes = {
        .peak_s = result->step.flops / (job->site->ranks * job->gpu->flops_per_s[job->precision]),
        .unknown_s = result->given->calibration->steps.median - result->step.step_s};

    changed.framework.device_graph = true;
    changed.framework.blocking_launch = false;
    device_s = passes_s(result, &changed);
    changed.gpu = &gpu;
    gpu.memory_Bps = 1e30;
    products_s = passes_s(result, &changed);
    causes.launches_s = all_s - device_s;
    causes.memory_s = device_s - products_s;
    causes.slower_s = products_s - causes.peak_s;
    return causes;
}
