/* A measured step moves a prediction toward it, and a right one stays.  A third of a much
 * faster step remains: shares of a peak end at the peak. */
#include "scenarios/train/calibrate/step_fit.h"

#include "tests/train_job.h"

static double step_s(const struct cs_train_system *system, const struct cs_train_job *job)
{
    struct cs_train_step step;

    assert_done(system->time(job, &step, &err));
    return step.step_s;
}

TEST(a_measured_step_moves_the_prediction_toward_it)
{
    static const double times[] = {.6, .9, 1, 1.2, 3};
    const struct cs_train_system *system;
    struct train_job trial;
    double before_s;

    train_job_open(&trial, "llama2-7b", 8);
    trial.job.degrees.data = 8;
    trial.job.degrees.micro_batch = 1;
    trial.job.degrees.accumulation = 4;
    assert_done(cs_train_system_find("zero1", &system, &err));
    cs_train_system_prepare(system, &trial.job);
    before_s = step_s(system, &trial.job);
    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        double measured_s = times[i] * before_s;
        struct cs_step_fit fit = cs_step_fit(system, &trial.job, measured_s);
        struct cs_train_job moved = trial.job;
        double left;

        cs_step_fit_apply(&fit, &moved);
        left = log(step_s(system, &moved) / measured_s);
        if (fabs(left) > .35 * fabs(log(times[i])) + 1e-9 || left * log(times[i]) > 1e-9)
            fail_msg("%g times the prediction leaves %g", times[i], left);
    }
    cs_arena_free(&trial.arena);
}
