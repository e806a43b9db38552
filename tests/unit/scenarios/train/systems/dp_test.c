/* torch.nn.DataParallel and BalancedDataParallel. */
#include "scenarios/train/job/job.h"

#include "tests/train_job.h"

/* scatter I + broadcast W + gather O + scatter dO + reduce W, with a library of
 * exact volumes and copies over links. */
TRAIN_JOB_TEST(a_step_adds_its_transfers_to_the_passes)
{
    struct cs_train_step step, one;
    double copies, buffers, rate;

    train_job_open(trial, "resnet50", 4);
    step = train_job_step(trial, "dp");
    trial->job.framework.launch_turns = 4; /* the threads share the interpreter's lock */
    assert_done(cs_train_one_device(&trial->job, 8, &one, &err));
    rate = trial->site.link_Bps * trial->parameters[CS_KERNEL_SEND_RATE];
    copies = 3 * 8 * (224 * 224 * 3 * 4 + 2 * 1000 * 2) / rate;
    buffers = 2 * trial->model.parameters * 2 / TRAIN_BUS_BPS;
    assert_true(train_near(step.data_exposed_s, copies + buffers));
    assert_true(train_near(step.step_s, one.step_s + copies + buffers));
    assert_true(train_near(step.step_s, train_parts(&step)));
}

/* Device 0 alone holds the optimizer's states, inputs, outputs and their
 * gradients. */
TRAIN_JOB_TEST(device_0_holds_more)
{
    struct cs_train_step step;
    double gathered;

    train_job_open(trial, "gpt2-small", 4);
    step = train_job_step(trial, "dp");
    gathered = 32. * (1024 * 8 + 2. * 1024 * 50257 * 2);
    assert_true(train_near(train_figure(&step, "memory of device 0") -
                               train_figure(&step, "memory of another device"),
                           gathered + 12 * trial->model.parameters));
    assert_true(train_near(step.memory_bytes, step.parameter_bytes + step.gradient_bytes +
                                                  step.optimizer_bytes + step.activation_bytes +
                                                  step.buffer_bytes));
}

TRAIN_JOB_TEST(balanced_batches_level_the_memory)
{
    struct cs_train_step even, balanced;
    double before, after;

    train_job_open(trial, "gpt2-small", 4);
    trial->job.degrees.micro_batch = 16;
    even = train_job_step(trial, "dp");
    balanced = train_job_step(trial, "balanced-dp");
    before =
        train_figure(&even, "memory of device 0") - train_figure(&even, "memory of another device");
    after = train_figure(&balanced, "memory of device 0") -
            train_figure(&balanced, "memory of another device");
    assert_true(before > 0 && fabs(after) < before / 2);
    assert_true(balanced.memory_bytes < even.memory_bytes);
    assert_true(balanced.step_s > even.step_s);
}

/* A batch of 16 in two micro batches on three devices, 4 on device 0. */
TRAIN_JOB_TEST(the_published_split_computes_three_samples)
{
    struct cs_train_step step, three;

    train_job_open(trial, "resnet50", 3);
    trial->job.degrees.micro_batch = 8. / 3;
    trial->job.degrees.accumulation = 2;
    trial->job.degrees.first_batch = 4;
    step = train_job_step(trial, "balanced-dp");
    assert_true(train_figure(&step, "samples on device 0") == 2);
    assert_true(train_figure(&step, "samples on another device, most") == 3);
    trial->job.framework.launch_turns = 3;
    assert_done(cs_train_one_device(&trial->job, 3, &three, &err));
    assert_true(train_near(step.forward_s, three.forward_s));
}

TRAIN_JOB_TEST(one_device_needs_no_transfers)
{
    struct cs_train_step step;

    train_job_open(trial, "resnet50", 1);
    step = train_job_step(trial, "dp");
    assert_true(step.data_s == 0 && step.step_s > 0);
}

TRAIN_JOB_TEST(jobs_of_other_shapes_are_refused)
{
    struct cs_err err = {0};

    train_job_open(trial, "resnet50", 16);
    assert_non_null(strstr(train_job_refusal(trial, "dp", &err), "has 2 nodes"));
    train_job_machine(trial, 4);
    trial->job.degrees.data = 2;
    trial->job.degrees.pipeline = 2;
    assert_non_null(strstr(train_job_refusal(trial, "dp", &err), "must be 1"));
    trial->job.degrees.pipeline = 1;
    trial->job.degrees.data = 4;
    trial->job.degrees.first_batch = 33;
    assert_non_null(strstr(train_job_refusal(trial, "balanced-dp", &err),
                           "cannot take 33 samples of a batch of 32"));
    train_job_machine(trial, 1);
    assert_non_null(strstr(train_job_refusal(trial, "balanced-dp", &err), "two devices or more"));
}
