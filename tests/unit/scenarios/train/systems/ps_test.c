/* Systems with parameter servers. */
#include "scenarios/train/job/job.h"

#include "tests/train_job.h"

TRAIN_JOB_TEST(a_node_of_several_nodes_is_one_worker)
{
    struct cs_train_step step;

    train_job_open(trial, "resnet50", 32);
    step = train_job_step(trial, "ps-sync");
    assert_true(train_figure(&step, "workers") == 4);
    assert_true(train_figure(&step, "sums inside a node") > 0);
    assert_true(train_near(step.step_s, train_parts(&step)));
}

/* A job of a node with infinite compute; bytes of the gradients. */
static double open_infinite(struct train_job *trial)
{
    train_job_open(trial, "resnet50", 8);
    trial->job.compute_scale = 1e-15;
    trial->parameters[CS_KERNEL_STEP_HOST] = 0;
    return 2 * trial->model.parameters;
}

/* Infinite compute leaves pushes and pulls: pV/(k B_s) of CPUs that pass three
 * times over memory, against V/B_w over PCIe. */
TRAIN_JOB_TEST(infinite_compute_leaves_pushes_and_pulls)
{
    struct cs_train_step step;
    double bytes;

    bytes = open_infinite(trial);
    trial->parameters[CS_KERNEL_SEND_RATE] = .8;
    step = train_job_step(trial, "ps-sync");
    assert_true(fabs(step.step_s / (8 * bytes / 50e9) - 1) < 1e-6);
    trial->job.servers.count = 1000;
    step = train_job_step(trial, "ps-sync");
    assert_true(fabs(step.step_s / (bytes / (.8 * 24e9)) - 1) < 1e-6);
    step = train_job_step(trial, "ps-async");
    assert_true(fabs(step.step_s / (2 * bytes / (.8 * 24e9)) - 1) < 1e-6);
}

/* Half of the eight workers reach their server over the link between the sockets,
 * however many servers share the two CPUs. */
TRAIN_JOB_TEST(servers_of_a_node_share_its_cpus_and_their_link)
{
    struct cs_train_step step;
    double bytes;

    bytes = open_infinite(trial);
    trial->site.cpus = 2;
    trial->job.servers.count = 8;
    step = train_job_step(trial, "ps-sync");
    assert_true(fabs(step.step_s / (8 * bytes / 100e9) - 1) < 1e-6);
    trial->site.socket_Bps = 16e9;
    step = train_job_step(trial, "ps-sync");
    assert_true(fabs(step.step_s / (4 * bytes / 16e9) - 1) < 1e-6);
    step = train_job_step(trial, "ps-async");
    assert_true(fabs(step.step_s / (4 * bytes / 16e9) - 1) < 1e-6);
    /* Servers beside workers are GPUs: over their links, or else over PCIe. */
    trial->job.servers = (struct cs_ps_setting){.place = CS_PS_COLOCATED};
    trial->parameters[CS_KERNEL_SEND_RATE] = .8;
    step = train_job_step(trial, "ps-sync");
    assert_true(fabs(step.step_s / (2 * 7. / 8 * bytes / (.8 * 250e9)) - 1) < 1e-6);
    trial->site.link_Bps = 0;
    step = train_job_step(trial, "ps-sync");
    assert_true(fabs(step.step_s / (4 * bytes / 16e9) - 1) < 1e-6);
}

/* A device keeps what it has alone but the optimizer's states, which the servers keep
 * with the parameters and the gradients that arrive. */
TRAIN_JOB_TEST(servers_keep_the_optimizer)
{
    static const char *const systems[] = {"ps-sync", "ps-async"};
    struct cs_train_step one, step;
    double state_bytes;

    train_job_open(trial, "resnet50", 8);
    trial->job.servers.count = 4;
    assert_done(cs_train_one_device(&trial->job, trial->job.degrees.micro_batch, &one, &err));
    assert_true(one.optimizer_bytes > 0);
    state_bytes = one.parameter_bytes + one.gradient_bytes + one.optimizer_bytes;
    for (size_t i = 0; i < 2; i++) {
        step = train_job_step(trial, systems[i]);
        assert_within(step.memory_bytes, one.memory_bytes - one.optimizer_bytes, 1);
        assert_within(step.optimizer_bytes, 0, 0);
        assert_within(step.flops / one.flops, 8, 1e-9);
        assert_within(train_figure(&step, "servers"), 4, 0);
        assert_within(train_figure(&step, "bytes to a server"), 8 * one.gradient_bytes / 4, 1);
        assert_within(train_figure(&step, "memory of a server"), state_bytes / 4, 1);
        /* Beside pushes and pulls, where no rank waits for it. */
        assert_within(step.optimizer_s / one.optimizer_s, i ? 0 : 1. / 4, 1e-9);
        assert_within(step.redundant_bytes, (one.parameter_bytes + one.gradient_bytes) * 7 / 8, 1);
    }
    trial->job.servers = (struct cs_ps_setting){.place = CS_PS_COLOCATED};
    step = train_job_step(trial, "ps-sync");
    assert_within(train_figure(&step, "servers"), 8, 0);
}

TRAIN_JOB_TEST(stragglers_delay_steps_unless_backups_stand_in)
{
    struct cs_train_step even, slow, spared, async, async_slow;

    train_job_open(trial, "resnet50", 8);
    even = train_job_step(trial, "ps-sync");
    async = train_job_step(trial, "ps-async");
    trial->job.servers.straggler = 2;
    slow = train_job_step(trial, "ps-sync");
    async_slow = train_job_step(trial, "ps-async");
    trial->job.servers.backups = 1;
    spared = train_job_step(trial, "ps-sync");
    assert_true(slow.step_s > 1.5 * even.step_s);
    assert_true(train_near(spared.step_s, even.step_s));
    assert_true(train_near(spared.samples_per_s, even.samples_per_s * 7 / 8));
    /* One of eight at half the speed costs a sixteenth at most. */
    assert_true(async_slow.samples_per_s > async.samples_per_s * 15 / 16);
}

/* 8 devices at 8 samples each; a loader of 100 samples a second takes 0.64 s. */
TRAIN_JOB_TEST(a_step_waits_for_its_input)
{
    static const char *const systems[] = {"ddp", "dp", "ps-sync", "ps-async"};
    struct cs_train_step step;

    train_job_open(trial, "resnet50", 8);
    trial->job.degrees.micro_batch = 8;
    trial->job.loader_samples_per_s = 100;
    for (size_t s = 0; s < sizeof(systems) / sizeof(*systems); s++) {
        step = train_job_step(trial, systems[s]);
        assert_true(train_near(step.step_s, .64));
        assert_true(train_near(step.samples_per_s, 100));
        assert_true(step.input_s > 0);
        assert_true(train_near(step.step_s, train_parts(&step)));
    }
}

/* Matrix units convert images that are stored channel by channel; fp32 does not. */
TRAIN_JOB_TEST(channels_first_costs_conversions)
{
    struct cs_train_step step, first;

    train_job_open(trial, "resnet50", 8);
    trial->job.degrees.micro_batch = 256;
    for (int precision = CS_PRECISION_FP32; precision <= CS_PRECISION_BF16; precision++) {
        trial->job.precision = (enum cs_precision)precision;
        trial->job.framework.channels_first = false;
        step = train_job_step(trial, "ddp");
        trial->job.framework.channels_first = true;
        first = train_job_step(trial, "ddp");
        assert_true(precision == CS_PRECISION_FP32 ? first.step_s == step.step_s
                                                   : first.forward_s > 1.1 * step.forward_s);
    }
}

TRAIN_JOB_TEST(workers_wait_for_the_slowest)
{
    struct cs_train_step step;

    train_job_open(trial, "resnet50", 8);
    step = train_job_step(trial, "ps-sync");
    assert_true(train_near(step.jitter_s,
                           cs_train_jitter_s(&trial->job, step.forward_s + step.backward_s)));
    assert_true(step.jitter_s > 0);
}

TRAIN_JOB_TEST(staleness_is_reported)
{
    struct cs_train_step sync, async;

    train_job_open(trial, "resnet50", 8);
    sync = train_job_step(trial, "ps-sync");
    async = train_job_step(trial, "ps-async");
    assert_true(train_figure(&sync, "mean staleness in updates") == 0);
    assert_true(train_figure(&async, "mean staleness in updates") == 7);
    assert_true(train_near(async.step_s, train_parts(&async)));
}

TRAIN_JOB_TEST(settings_that_do_not_fit_are_refused)
{
    struct cs_err err = {0};

    train_job_open(trial, "resnet50", 8);
    trial->job.servers.backups = 8;
    assert_non_null(
        strstr(train_job_refusal(trial, "ps-sync", &err), "8 backup workers of 8 leave none"));
    trial->job.servers.backups = 1;
    assert_non_null(strstr(train_job_refusal(trial, "ps-async", &err), "belong to ps-sync"));
    trial->job.servers = (struct cs_ps_setting){.straggler = 2, .jitter_s = 1};
    assert_non_null(strstr(train_job_refusal(trial, "ps-sync", &err), "not both"));
    trial->job.servers = (struct cs_ps_setting){.place = CS_PS_COLOCATED, .count = 3};
    assert_non_null(strstr(train_job_refusal(trial, "ps-sync", &err), "--servers"));
    trial->job.servers = (struct cs_ps_setting){.place = CS_PS_BYTEPS, .count = 9};
    assert_non_null(
        strstr(train_job_refusal(trial, "ps-sync", &err), "as many CPU machines as workers, 8"));
    trial->job.servers.count = 2;
    assert_non_null(strstr(train_job_refusal(trial, "ps-sync", &err), "the job has one"));
    train_job_machine(trial, 16);
    assert_non_null(strstr(train_job_refusal(trial, "ps-async", &err), "synchronous"));
}
