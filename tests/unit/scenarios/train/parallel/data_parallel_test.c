/* Buckets of gradients: their passes through memory. */
#include "tests/train_job.h"

#include <assert.h>

static double exposed_s(struct train_job *trial, double copies)
{
    struct cs_train_step step;

    trial->parameters[CS_KERNEL_BUCKET_COPIES] = copies;
    assert_done(cs_train_step_time(&trial->job, &step, &err));
    assert_true(train_near(step.step_s, train_parts(&step)));
    return step.data_exposed_s;
}

/* In and out at the memory's rate; a compiler's plan leaves the mean alone; one
 * call for all gradients has no buckets. */
TRAIN_JOB_TEST(gradients_pass_through_their_buckets)
{
    double bytes, rate;

    train_job_open(trial, "gpt2-small", 8);
    trial->job.degrees.data_kind = CS_DATA_DDP;
    trial->job.framework.overlap = true;
    trial->job.framework.bucket_bytes = 25 << 20;
    bytes = 2 * trial->model.parameters;
    assert(trial->job.gpu);
    rate = trial->job.gpu->memory_Bps * trial->parameters[CS_KERNEL_MEMORY_RATE];
    assert_true(fabs(exposed_s(trial, 4) - exposed_s(trial, 0) - 4 * bytes / rate) < 1e-9);
    trial->job.framework.planned_memory = true;
    assert_true(fabs(exposed_s(trial, 4) - exposed_s(trial, 0) - 2 * bytes / rate) < 1e-9);
    trial->job.framework.bucket_bytes = 0;
    assert_true(train_near(exposed_s(trial, 4), exposed_s(trial, 0)));
}

static double tensors_of(const struct cs_train_model *model)
{
    double tensors = 0;

    for (uint32_t b = 0; b < model->block_count; b++)
        tensors += (double)model->blocks[b].repeat * model->blocks[b].tensor_count;
    return tensors;
}

/* A coordinator's time for each gradient, behind the passes; a graph of the device
 * has no host. */
TRAIN_JOB_TEST(a_coordinator_agrees_on_each_gradient)
{
    double before;

    train_job_open(trial, "gpt2-small", 8);
    trial->job.degrees.data_kind = CS_DATA_DDP;
    trial->parameters[CS_KERNEL_TENSOR_HOST] = 100;
    before = exposed_s(trial, 0);
    trial->job.framework.negotiated = true;
    assert_true(fabs(exposed_s(trial, 0) - before - tensors_of(&trial->model) * 100e-6) < 1e-9);
    trial->job.framework.device_graph = true;
    before = exposed_s(trial, 0);
    trial->job.framework.negotiated = false;
    assert_true(train_near(exposed_s(trial, 0), before));
}

/* Copies of each gradient behind the passes, whatever the precision. */
TRAIN_JOB_TEST(the_host_copies_gradients_one_by_one)
{
    double before;

    train_job_open(trial, "gpt2-small", 8);
    trial->job.degrees.data_kind = CS_DATA_DDP;
    trial->job.framework.overlap = false;
    trial->parameters[CS_KERNEL_LAUNCH_FORWARD] = 100;
    before = exposed_s(trial, 0);
    trial->job.framework.by_tensor = true;
    assert_true(fabs(exposed_s(trial, 0) - before - tensors_of(&trial->model) * 100e-6) < 1e-9);
    trial->job.framework.device_graph = true;
    before = exposed_s(trial, 0);
    trial->job.framework.by_tensor = false;
    assert_true(train_near(exposed_s(trial, 0), before));
}

/* In fp16 alone each is checked for overflow. */
TRAIN_JOB_TEST(the_host_waits_for_checks_in_fp16)
{
    struct cs_train_step plain, checked;

    train_job_open(trial, "gpt2-small", 8);
    trial->parameters[CS_KERNEL_LAUNCH_FORWARD] = 10;
    trial->parameters[CS_KERNEL_BLOCKING] = 3;
    trial->job.precision = CS_PRECISION_FP16;
    assert_done(cs_train_step_time(&trial->job, &plain, &err));
    trial->job.framework.by_tensor = true;
    assert_done(cs_train_step_time(&trial->job, &checked, &err));
    assert_true(fabs(checked.host_s - plain.host_s - tensors_of(&trial->model) * 30e-6) < 1e-9);
    trial->job.precision = CS_PRECISION_BF16;
    assert_done(cs_train_step_time(&trial->job, &checked, &err));
    assert_true(train_near(checked.host_s, plain.host_s));
}

/* Calls behind the passes: the clocks' rounding is neither hidden nor slows them. */
TEST(calls_behind_the_passes_slow_nothing)
{
    for (uint32_t layers = 1; layers < 40; ++layers) {
        CS_AT_END(train_job_close) struct train_job trial;

        train_job_open(&trial, "gpt2-xl", 8);
        trial.job.framework.bucket_bytes = (uint64_t)layers << 20;
        trial.job.compute_scale = 1. / layers;
        for (int kind = CS_DATA_DDP; kind <= CS_DATA_ZERO2; ++kind) {
            struct cs_train_step step;

            trial.job.degrees.data_kind = (enum cs_data_kind)kind;
            step = train_job_time(&trial.job);
            assert_true(step.interference_s == 0);
            assert_true(step.data_s == step.data_exposed_s);
        }
    }
}

/* Two micro batches pass a chunk before the next: twice the time hides its calls; a
 * single one hides what it hides without chunks. */
TRAIN_JOB_TEST(chunks_hide_calls_beside_several_micro_batches)
{
    double single, several;

    train_job_open(trial, "gpt2-small", 8);
    trial->job.degrees.pipeline = 2;
    trial->job.degrees.data = 4;
    trial->job.degrees.data_kind = CS_DATA_ZERO1;
    trial->job.framework.overlap = trial->job.framework.overlap_gather = true;
    trial->job.framework.bucket_bytes = 1 << 20;
    single = exposed_s(trial, 0);
    trial->job.degrees.chunks = 3;
    assert_true(train_near(exposed_s(trial, 0), single));
    trial->job.degrees.accumulation = 2;
    several = exposed_s(trial, 0);
    assert_true(several > 0 && several < single);
    trial->job.degrees.chunks = 1;
    assert_true(train_near(exposed_s(trial, 0), single));
}
